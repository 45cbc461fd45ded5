/** Retrying the same task does not help any more: people are told, and decide how it goes on. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel, pushPrd } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeReplanCheckpoint } from '../rules/comments/checkpoint-comments.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { editJson } from '../rules/document/edit-json.ts';
import type { LoopState } from '../state.ts';
import { parsePrd, readConfig, readPrdText } from './read-stored.ts';

type Status = 'testing' | 'debugging' | 'verified' | 'blocked' | 'replan_required';

interface Change {
  readonly status: Status;
  readonly entry?: Readonly<Record<string, string | number>>;
}

/** `debugState` in prd.json. */
export function editDebugState(
  text: string,
  debugAttempts: number,
  { status, entry }: Change,
): { readonly text: string; readonly what: string } {
  const before = parsePrd(text).debugState?.debugHistory ?? [];
  const debugHistory = entry === undefined ? before : [...before, entry];
  const value = JSON.parse(JSON.stringify({ status, debugAttempts, debugHistory }));
  return {
    text: editJson(text, [{ path: ['debugState'], value }]),
    what: `update prd.json - ${status}`,
  };
}

/** Changes `debugState` in prd.json, and pushes it. */
export async function pushDebugState(
  context: LoopContext,
  state: LoopState,
  key: string,
  change: Change,
): Promise<Pick<LoopState, 'head' | 'prd'>> {
  const text = await readPrdText(context, state);
  return pushPrd(context, state, key, editDebugState(text, state.debugAttempts, change));
}

export async function stopForReplan(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const pushed = await pushDebugState(context, state, `replan-${state.step}`, { status: 'replan_required' });
  const { commentPrefixes, execution } = await readConfig(context, state);
  const { autoGenerateOnStale, maxGeneratedTasks } = execution.replan;
  const text = writeReplanCheckpoint(
    {
      ...{ reason: state.because, handle: context.settings.handle, issue: context.request.number },
      isPlannedAnew: autoGenerateOnStale,
    },
    choosePrefixes(commentPrefixes),
  );
  await say(context, `replan-${state.step}/comment`, text);
  await moveLabel(context, `replan-${state.step}`, labelNames.loopPlanning);
  if (!autoGenerateOnStale) return { ...pushed, route: 'blocked' };
  const feedback = `The work went stale: ${state.because} Plan what is left in another way, with at most ${countOf(maxGeneratedTasks, 'task')}.`;
  return { ...pushed, feedback, isStale: true, because: '', route: 'plan' };
}
