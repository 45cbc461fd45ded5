/** What a person decided, in the document: escalations are resolved and questions to people answered with their words. */
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import type { StageName } from '../rules/stages.ts';
import type { PipelineState } from '../state.ts';

export function resolveOpen(
  document: StateDocument,
  stage: StageName,
  { guidance, ceiling }: Pick<PipelineState, 'guidance' | 'ceiling'>,
): StateDocument {
  const said = guidance === '' ? 'proceed' : guidance;
  const { attempt, max_attempts, status } = document.pipeline;
  const isTriedAgain = status === 'failed';
  // A stop that a person answers is an escalation too: so their words reach the writer.
  const asked = isTriedAgain
    ? applySection('orchestrator', document, {
        escalations: [
          { reason: document.pipeline.failure_reason ?? 'The attempts were used up.', requires_human: true },
        ],
      })
    : document;
  const { questions, escalations } = asked.communication;
  return applySection('orchestrator', asked, {
    answers: questions.flatMap(({ answered, to }, place) =>
      !answered && to === 'human' ? [{ place, answer: said }] : [],
    ),
    resolutions: escalations.flatMap(({ resolved }, place) =>
      resolved ? [] : [{ place, resolution: said }],
    ),
    pipeline: {
      max_attempts: Math.max(max_attempts, ceiling),
      // Another review of the same change is no further attempt.
      attempt: isTriedAgain && stage === 'writer' ? attempt + 1 : attempt,
    },
  });
}
