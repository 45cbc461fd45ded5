/** Triage: code decides first whether an agent may work on the issue alone; a model may only make it stricter. */
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { describeIssue } from '../rules/asking/describe-state.ts';
import { findForeignFields, type TriageAnswer, triageAnswerSchema } from '../rules/asking/stage-answers.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { mergeTriage } from '../rules/triage/merge-triage.ts';
import type { Triage } from '../rules/triage/triage.ts';
import { triageByCode } from '../rules/triage/triage-by-code.ts';
import type { PipelineState } from '../state.ts';
import { askStage, describeRefused, roleOf } from './ask-stage.ts';
import { escalate } from './escalate.ts';
import { baseOf } from './read-document.ts';
import type { StageEnd } from './run-stage.ts';

/** What code finds, from the issue as it was loaded and the files of the base. */
export async function judgeByCode(
  { forge, repository, trees }: Pick<PipelineContext, 'forge' | 'repository' | 'trees'>,
  base: string,
  { issue }: StateDocument,
): Promise<Triage> {
  const { number, title, original_body: body, labels } = issue;
  const open = await forge.listIssues(repository, { state: 'open' });
  return triageByCode({
    ...{ number, title, body, labels },
    files: (await trees.listFiles(base)).map(({ path }) => path),
    openIssues: open.map((one) => ({ number: one.number, title: one.title })),
  });
}

export function describeTriage(byCode: Triage): string {
  const found = [...byCode.concerns, ...byCode.escalations].map((one) => `- ${one}`);
  return [
    `Rules took it for ${byCode.scope} and ${byCode.complexity}.`,
    ...(found.length === 0 ? [] : [`They found:\n${fenceUntrusted('FOUND', found.join('\n'))}`]),
  ].join('\n');
}

async function askModel(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  byCode: Triage,
) {
  const instructions = await context.prompts.render('pipeline-triage', {});
  return askStage<TriageAnswer>(context, state, { stage: 'triage', attempt: 1 }, async (call, refused) => {
    const answer = await context.models.askForObject(
      'writer',
      {
        ...{ role: roleOf('triage'), call, instructions, lasting: describeIssue(document) },
        text: [describeTriage(byCode), ...describeRefused(refused)].join('\n\n'),
        purpose: `triaging #${context.request.number}`,
      },
      triageAnswerSchema,
    );
    return { answer, violations: findForeignFields('triage', answer, triageAnswerSchema) };
  });
}

const decisionOf = ({ shouldProceed, escalations, questions, concerns }: Triage) => {
  if (escalations.length > 0) return 'ESCALATE';
  if (!shouldProceed || questions.length > 0) return 'NEEDS_CLARIFICATION';
  return concerns.length > 0 ? 'PROCEED_WITH_CAUTION' : 'PROCEED';
};

export async function triage(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
): Promise<StageEnd> {
  const byCode = await judgeByCode(context, baseOf(state).commit, document);
  const { answer, calls } = await askModel(context, state, document, byCode);
  const { triage: found, dropped } = mergeTriage(byCode, {
    scope: answer.scope,
    complexity: answer.complexity,
    concerns: answer.concerns,
    questions: answer.questions,
    escalations: answer.escalations,
    shouldProceed: answer.should_proceed,
    rejectionReason: answer.rejection_reason,
  });
  for (const message of dropped) context.progress({ kind: 'warning', message });
  const reasons = [
    ...(found.rejectionReason === null ? [] : [found.rejectionReason]),
    ...found.escalations,
    ...found.questions,
  ];
  const after = applySection('triage', document, {
    triage: {
      ...{ completed: true, scope: found.scope, complexity: found.complexity },
      ...{ should_proceed: found.shouldProceed, rejection_reason: found.rejectionReason },
      ...{ concerns: [...found.concerns], questions: [...found.questions], decision: decisionOf(found) },
    },
    escalations: reasons.map((reason) => ({ reason, requires_human: true })),
  });
  if (reasons.length === 0)
    return { state: after, route: 'analyst', outcome: `${found.scope}, may proceed`, calls };
  return { ...(await escalate(context, state, after, 'triage', 'analyst')), calls };
}
