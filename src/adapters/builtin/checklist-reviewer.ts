/** The reviewer that needs no model: the mechanical checks as a structured verdict. */
import { checkIssueDraft } from '../../domain/mechanical-checks.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { makeBuiltinModel } from './builtin-model.ts';

export function reviewByChecklist(draft: string): Verdict {
  const findings = checkIssueDraft(draft);
  const blocking = findings.filter((finding) => finding.tier === 'blocking').length;
  return {
    decision: blocking === 0 ? 'APPROVED' : 'REVISE',
    summary:
      blocking === 0
        ? 'Every mechanical check passed. No model judged what the issue asks for; that is left to you.'
        : `${blocking} mechanical ${blocking === 1 ? 'check' : 'checks'} failed. No model was used.`,
    findings,
    questions: [],
  };
}

export const checklistReviewer = makeBuiltinModel('checklist', 'the built-in checklist', (request) =>
  reviewByChecklist(request.material?.draft ?? ''),
);
