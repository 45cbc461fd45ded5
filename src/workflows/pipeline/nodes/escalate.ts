/** What only a person may decide: the issue says so, the document is blocked, and the run waits at a gate. */
import { answersToPipeline } from '../../../domain/drafts/pipeline-answers.ts';
import { say } from '../../issue-runs/say.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { writeEscalation, writeFailure } from '../rules/comments/stop-comments.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import type { StageName } from '../rules/stages.ts';
import { findSensitivePaths } from '../rules/triage/sensitive-areas.ts';
import type { PipelineState } from '../state.ts';
import type { StageEnd } from './run-stage.ts';

/** Unresolved escalations and questions to a person, in the words of the stages. */
export function listOpen({ communication }: StateDocument): string[] {
  return [
    ...communication.escalations.filter(({ resolved }) => !resolved).map(({ reason }) => reason),
    ...communication.questions
      .filter(({ answered, to }) => !answered && to === 'human')
      .map(({ question }) => question),
  ];
}

/**
 * Areas in which no agent works alone, by the paths of the work; null when people decided about all of them already.
 * @param more other sentences for a person; one that is said again with other words is asked again
 */
export function addSensitive(
  stage: 'analyst' | 'build',
  document: StateDocument,
  paths: readonly string[],
  more: readonly string[] = [],
): StateDocument | null {
  // By the area: a person who let the work go on there has decided about it.
  const areaOf = (reason: string): string => reason.split(':')[0] ?? '';
  const said = document.communication.escalations.map(({ reason }) => reason);
  const known = new Set(said.map(areaOf));
  const fresh = [
    ...findSensitivePaths(paths).filter((reason) => !known.has(areaOf(reason))),
    ...more.filter((reason) => !said.includes(reason)),
  ];
  if (fresh.length === 0) return null;
  const escalations = fresh.map((reason) => ({ reason, requires_human: true }));
  return stage === 'build'
    ? applySection('build', document, { escalations })
    : applySection('analyst', document, { escalations });
}

export async function escalate(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  stage: StageName,
  next: StageName,
): Promise<StageEnd> {
  const reasons = listOpen(document);
  const { handle } = context.settings;
  const { number } = context.request;
  const because = `the ${stage} stage needs a person: ${reasons.join(' ')}`;
  const asked = await say(
    context,
    `escalation-${state.step}`,
    writeEscalation({ stage, reasons, handle, number }),
  );
  const [next_command] = answersToPipeline({ kind: 'escalation' }, number);
  const after = applySection('orchestrator', document, {
    pipeline: { status: 'blocked', blocked_reason: because, next_command },
  });
  return { state: after, route: 'escalation', next, because, asked, outcome: because };
}

/** The attempts brought no accepted change: the last feedback is kept, and a person decides how it goes on. */
export async function giveUpAttempts(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  { why, proposal }: { readonly why: string; readonly proposal: string },
): Promise<StageEnd> {
  const { handle } = context.settings;
  const { number } = context.request;
  const feedback = document.review.feedback_for_writer ?? '';
  const asked = await say(
    context,
    `failed-${state.step}`,
    writeFailure({ why, proposal, feedback, handle, number, attempt: document.pipeline.attempt }),
  );
  const [next_command] = answersToPipeline({ kind: 'blocked' }, number);
  const after = applySection('orchestrator', document, {
    pipeline: { status: 'failed', failure_reason: why, next_command },
  });
  return {
    ...{ state: after, route: 'blocked', next: 'writer', because: why, advice: proposal, asked },
    outcome: why,
  };
}

/** Back to the writer with what has to be different, unless its attempts are used up. */
export async function sendBack(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  outcome: string,
): Promise<StageEnd> {
  const { attempt } = document.pipeline;
  if (attempt >= state.ceiling)
    return giveUpAttempts(context, state, document, {
      why: `Writer-Reviewer loop exhausted after ${attempt} attempts: ${outcome}`,
      proposal: 'Say what should be done differently and have it tried again, or do it by hand.',
    });
  const after = applySection('orchestrator', document, { pipeline: { attempt: attempt + 1 } });
  return { state: after, route: 'writer', outcome };
}
