/** The branch is shared with people: what they pushed to it is taken over before the loop builds on it. */
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import { type PrdChange, pushPrd } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import type { Prd } from '../rules/document/prd.ts';
import { verifyCommandsOf } from '../rules/planning/plan-proposal.ts';
import type { LoopState } from '../state.ts';
import { adoptBranch } from './adopt-branch.ts';
import { headOf, parsePrd, readConfig, readGrants, readPrdText } from './read-stored.ts';

/** Commands that no approved plan holds: nothing of the file is used until a person approves a plan with them. */
async function requireGranted(context: LoopContext, state: LoopState, prd: Prd): Promise<void> {
  const { commands } = await readGrants(context, state);
  const known = new Set(commands);
  const unknown = verifyCommandsOf(prd).filter((command) => !known.has(command));
  if (unknown.length === 0) return;
  throw new GatewrightError(
    'prd-not-approved',
    `prd.json on ${state.branch} holds commands that no approved plan has: ${unknown.length}.`,
    { details: unknown.map((command) => command.slice(0, 200)) },
  );
}

/** A task that was passed by hand is the word of the person who pushed it. */
async function recordByHand(context: LoopContext, head: string, before: Prd, now: Prd): Promise<void> {
  const open = new Set(before.userStories.filter(({ passes }) => !passes).map(({ uid }) => uid));
  for (const { id, uid, passes } of now.userStories) {
    if (!passes || !open.has(uid)) continue;
    const why = `prd.json says so in the commit ${head.slice(0, 12)}, which was pushed to the branch`;
    const data = { task: id, by: 'the branch', why };
    await context.record({ kind: 'task-skipped', key: `${context.runId}/skip/${uid}`, data });
  }
}

/**
 * Where the branch was before the pushes of a node that was cut off: the node comes by them again, and begins where it
 * began the first time. That is not always what its state knows: it may have taken over what people pushed before it
 * pushed itself.
 */
async function findStart({ ledger, runId, trees }: LoopContext, known: string, now: string): Promise<string> {
  const before = new Map<string, string>();
  for (const { kind, key, data } of await ledger.readRun(runId)) {
    if (kind !== 'effect-intended' || data.effect.kind !== 'push-branch') continue;
    // A task that a person had added was pushed beside the nodes: no node comes by it again.
    if (data.effect.expected !== null && key?.startsWith(`${runId}/wisp/`) !== true)
      before.set(data.effect.commit, data.effect.expected);
  }
  let start = now;
  for (let next = before.get(start); start !== known && next !== undefined; next = before.get(start)) {
    // A person may also set the branch back to an earlier commit of ours.
    if ((await trees.findMergeBase(known, start)) === start) break;
    start = next;
  }
  return start;
}

type Taken = Pick<LoopState, 'head' | 'prd'>;

/** What the branch is at now. Our own pushes are known; any other commit came from a person. */
export async function takeOverBranch(context: LoopContext, state: LoopState): Promise<Taken> {
  const { forge, ledger, repository, workspaces } = context;
  const known = headOf(state);
  const now = await forge.getBranch(repository, state.branch);
  if (now === null) throw new GatewrightError('branch-gone', `The branch ${state.branch} is gone.`);
  if (now.sha === known) return { head: known, prd: state.prd };
  const head = await findStart(context, known, await adoptBranch(context, state.branch, now.sha));
  if (head === known) return { head: known, prd: state.prd };
  const { prdLocation } = await readConfig(context, state);
  const text = await workspaces.readFile(head, prdLocation);
  if (text === null)
    throw new GatewrightError('prd-invalid', `${prdLocation} is gone from ${state.branch}, or is no text.`);
  const prd = parsePrd(text);
  await requireGranted(context, state, prd);
  await recordByHand(context, head, parsePrd(await readPrdText(context, state)), prd);
  return { head, prd: await ledger.putText(text) };
}

/** Nobody pushes as often between a look at the branch and the push after it. */
const mostTries = 20;

/**
 * Changes prd.json on top of a commit of ours that is on the branch already. What people push meanwhile is taken over:
 * the work is proven, and only its counters are missing.
 */
export async function pushPrdOnTop(
  context: LoopContext,
  state: LoopState,
  key: string,
  change: (text: string, head: string) => PrdChange | Promise<PrdChange>,
): Promise<Taken> {
  for (let tries = 1; ; tries += 1) {
    const now = { ...state, ...(await takeOverBranch(context, state)) };
    try {
      const changed = await change(await readPrdText(context, now), headOf(now));
      return await pushPrd(context, now, key, changed);
    } catch (error) {
      if (!isGatewrightError(error, 'head-moved') || tries === mostTries) throw error;
    }
  }
}

type Node = (context: LoopContext, state: LoopState) => Promise<Partial<LoopState>>;

/** Once more when a person pushed between the look of a node at the branch and its own push. */
export const againIfMoved =
  (run: Node): Node =>
  async (context, state) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await run(context, state);
      } catch (error) {
        if (!isGatewrightError(error, 'head-moved') || tries === mostTries) throw error;
      }
    }
  };

/** A node that pushes to the branch begins at what it is at now. */
export const onBranch = (run: Node): Node =>
  againIfMoved(async (context, state) => {
    const taken = await takeOverBranch(context, state);
    return { ...taken, ...(await run(context, { ...state, ...taken })) };
  });

/** A person pushed while work was proven: it is put on top of what they pushed, and proven again. */
export const unlessMoved =
  (run: Node, again: LoopState['route']): Node =>
  async (context, state) => {
    try {
      return await run(context, state);
    } catch (error) {
      if (!isGatewrightError(error, 'head-moved')) throw error;
      return { route: again };
    }
  };
