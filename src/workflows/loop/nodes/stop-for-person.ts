/** Retrying the same task does not help any more: people are told, and decide how it goes on. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { moveLabel, pushTree, say } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeReplanCheckpoint } from '../rules/comments/checkpoint-comments.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { stateMessage } from '../rules/commit-message.ts';
import { editJson } from '../rules/document/edit-json.ts';
import type { LoopState } from '../state.ts';
import { headOf, parsePrd, readConfig, readPrdText } from './read-stored.ts';

type Status = 'testing' | 'debugging' | 'verified' | 'blocked' | 'replan_required';

/** Changes `debugState` in prd.json, and pushes it. */
export async function pushDebugState(
  context: LoopContext,
  state: LoopState,
  key: string,
  change: { readonly status: Status; readonly entry?: Readonly<Record<string, string | number>> },
): Promise<Pick<LoopState, 'head' | 'prd'>> {
  const text = await readPrdText(context, state);
  const { debugState } = parsePrd(text);
  const history = [
    ...(debugState?.debugHistory ?? []),
    ...(change.entry === undefined ? [] : [change.entry]),
  ];
  const value = { status: change.status, debugAttempts: state.debugAttempts, debugHistory: history };
  const next = editJson(text, [{ path: ['debugState'], value: JSON.parse(JSON.stringify(value)) }]);
  const head = headOf(state);
  const config = await readConfig(context, state);
  const message = stateMessage(
    config.commitPrefixes.state,
    `update prd.json - ${change.status}`,
    context.request.number,
  );
  const pushed = await pushTree(context, key, {
    ...{ branch: state.branch, parent: head, expected: head, message },
    tree: await context.trees.putFiles(head, [{ path: config.prdLocation, text: next }]),
  });
  return { head: pushed, prd: await context.ledger.putText(next) };
}

export async function stopForReplan(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const pushed = await pushDebugState(context, state, `replan-${state.step}`, { status: 'replan_required' });
  const { commentPrefixes } = await readConfig(context, state);
  const text = writeReplanCheckpoint(
    { reason: state.because, handle: context.settings.handle },
    choosePrefixes(commentPrefixes),
  );
  await say(context, `replan-${state.step}/comment`, text);
  await moveLabel(context, `replan-${state.step}`, labelNames.loopPlanning);
  return { ...pushed, route: 'blocked' };
}
