/** The reviewer that needs no model: the findings of the mechanical checks as a structured verdict. */
import { z } from 'zod';
import { type Finding, findingSchema, type Verdict } from '../../domain/drafts/verdict.ts';
import { makeBuiltinModel } from './builtin-model.ts';

export function reviewByChecklist(findings: Finding[]): Verdict {
  const blocking = findings.filter((finding) => finding.tier === 'blocking').length;
  return {
    decision: blocking === 0 ? 'APPROVED' : 'REVISE',
    summary:
      blocking === 0
        ? 'Every mechanical check passed. No model judged what the text asks for; that is left to you.'
        : `${blocking} mechanical ${blocking === 1 ? 'check' : 'checks'} failed. No model was used.`,
    findings,
    questions: [],
  };
}

export const checklistReviewer = makeBuiltinModel('checklist', 'the built-in checklist', (request) =>
  // Without the findings nothing was checked, and nothing that was not checked is approved.
  reviewByChecklist(z.array(findingSchema).parse(JSON.parse(request.material?.findings ?? ''))),
);
