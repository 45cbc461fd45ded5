/** What every stage has in common: the document says who works, its end is on the ledger, and the file shows both. */
import { answersToPipeline } from '../../../domain/drafts/pipeline-answers.ts';
import { GatewrightError, isGatewrightError, isPause } from '../../../errors.ts';
import { describeDetails } from '../../../runs/explain-stop.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { listStages } from '../rules/list-stages.ts';
import { isBefore, isStageName, type StageName } from '../rules/stages.ts';
import type { PipelineRoute, PipelineState } from '../state.ts';
import { roleOf } from './ask-stage.ts';
import { giveUpAttempts } from './escalate.ts';
import { keepDocument, readDocument, showDocument } from './read-document.ts';
import { resolveOpen } from './resolve-open.ts';

/** What a stage leaves. */
export interface StageEnd extends Partial<Omit<PipelineState, 'document' | 'step'>> {
  readonly state: StateDocument;
  readonly route: PipelineRoute;
  /** In a few words, for people and the ledger. */
  readonly outcome: string;
}

/** Tells a screen how far the stages are. */
function showStages(
  { progress }: Pick<PipelineContext, 'progress'>,
  document: StateDocument,
  isBegun: boolean,
): void {
  const current = isBegun ? document.pipeline.current_agent : null;
  progress({ kind: 'tasks', tasks: listStages(document, isBegun), current, noun: 'stages' });
}

/** Stops that asking again in the same way would only repeat: what was answered is kept, and a person decides. */
const repeated = ['stage-overstepped', 'analysis-invalid', 'plan-unfinished'] as const;

/** The document says that it is blocked while no process works on it. The stage begins anew from what was there before. */
async function showStop(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  error: unknown,
): Promise<void> {
  // Not the pipeline's to show: another process has it, or a person ended this one.
  if (!(error instanceof GatewrightError) || isPause(error) || error.code === 'cancelled') return;
  const [next_command] = answersToPipeline({ kind: 'work' }, context.request.number);
  const blocked_reason = `${error.message}${describeDetails(error)}`;
  const stopped = applySection('orchestrator', document, {
    pipeline: { status: 'blocked', blocked_reason, next_command },
  });
  await showDocument(context, state, await keepDocument(context, stopped));
}

async function stopAtStage(
  context: PipelineContext,
  state: PipelineState,
  stage: StageName,
  document: StateDocument,
  error: unknown,
): Promise<StageEnd> {
  if (!isGatewrightError(error, ...repeated)) {
    // What stopped the stage is what counts, whether or not it can be shown.
    await showStop(context, state, document, error).catch(() => undefined);
    throw error;
  }
  const role = roleOf(stage);
  const answered = (await context.ledger.readRun(context.runId)).filter(
    (entry) => entry.kind === 'model-answered' && entry.data.role === role,
  );
  const why = [error.message, ...error.details].join(' ');
  const end = await giveUpAttempts(context, state, document, { why, proposal: error.hint });
  return { ...end, next: stage, calls: { ...state.calls, [role]: answered.length } };
}

/** Whether a stage comes after the one at which the run is to stop. */
export function isAfterEnd({ until }: Pick<PipelineContext, 'until'>, stage: StageName): boolean {
  return until !== null && isBefore(until, stage);
}

/** What was said on the issue until now answers no question that is asked now. Zero where nothing was said. */
export async function lastComment({ forge, repository, request }: PipelineContext): Promise<number> {
  const comments = await forge.listComments(repository, request.number);
  return Math.max(0, ...comments.map(({ id }) => id));
}

export function stageNode(
  stage: StageName,
  work: (context: PipelineContext, state: PipelineState, document: StateDocument) => Promise<StageEnd>,
) {
  return async (context: PipelineContext, state: PipelineState): Promise<Partial<PipelineState>> => {
    const before = resolveOpen(await readDocument(context, state), stage, state);
    const begun = applySection('orchestrator', before, {
      pipeline: {
        ...{ current_agent: stage, status: 'in_progress', blocked_reason: null, failure_reason: null },
        next_command: null,
      },
    });
    await showDocument(context, state, await keepDocument(context, begun));
    showStages(context, begun, true);
    const end = await work(context, state, begun).catch((error: unknown) =>
      stopAtStage(context, state, stage, begun, error),
    );
    const { state: left, route, outcome, next, ...update } = end;
    const isPaused = isStageName(route) && isAfterEnd(context, route);
    const [next_command] = answersToPipeline({ kind: 'work' }, context.request.number);
    const after = isPaused ? applySection('orchestrator', left, { pipeline: { next_command } }) : left;
    const document = await keepDocument(context, after);
    await context.record({
      kind: 'stage-ended',
      key: `${context.runId}/stage/${state.step}`,
      data: {
        // A build that fails ends its own attempt, and the document is at the next one by then.
        ...{ stage, attempt: begun.pipeline.attempt, outcome, document },
        commit: update.commit ?? (['build', 'reviewer', 'committer'].includes(stage) ? state.commit : null),
      },
    });
    showStages(context, after, false);
    // The file is gone when the run is: what is left of it is on the ledger.
    await showDocument(context, state, route === 'done' ? null : document);
    return {
      ...{ guidance: '', problems: [], advice: '', ...update },
      document,
      route: isPaused ? 'wait' : route,
      next: isStageName(route) ? route : (next ?? stage),
      ...(isPaused
        ? { because: `the ${stage} stage has ended: ${outcome}`, asked: await lastComment(context) }
        : {}),
    };
  };
}
