/** What a coding agent left becomes a commit on a branch of the forge, once it was looked at. */
import type { EffectOf } from '../../domain/effect.ts';
import { commitMessage, describeSecrets } from '../../domain/implementer-texts.ts';
import { issueSubject } from '../../domain/subject.ts';
import { GatewrightError } from '../../errors.ts';
import type { Snapshot, Workspace } from '../../ports/workspace.ts';
import type { AgentContext } from '../agent.ts';
import { readHistoryOf } from './gather-facts.ts';

/** What was found in the folder, and the commit that it is compared with. */
export interface Left {
  readonly start: string;
  readonly snapshot: Snapshot;
}

/** Where the work goes. */
export interface Destination {
  /** The subject's number. */
  readonly number: number;
  /** The issue that it is for. */
  readonly issue: number | null;
  readonly title: string;
  readonly branch: string;
  /** Where the branch was when the run began; null when there was none. */
  readonly expected: string | null;
}

type Push = Omit<EffectOf<'push-branch'>, 'kind'>;

/** Why what is there cannot be taken over whole; null when it can. What is in the way is not in the snapshot's tree. */
function findObstacle({ problems, secrets = [] }: Snapshot): GatewrightError | null {
  const found = describeSecrets(secrets);
  if (found.length > 0)
    return new GatewrightError(
      'work-has-secret',
      `The change holds a secret: ${found.slice(0, 5).join('; ')}.`,
      { details: [...found, ...problems] },
    );
  if (problems.length === 0) return null;
  const more = problems.length > 5 ? ` (and ${problems.length - 5} more)` : '';
  return new GatewrightError(
    'work-refused',
    `What the agent left cannot be taken over: ${problems.slice(0, 5).join(' ')}${more}`,
    { details: problems },
  );
}

/** Stops where something must not get onto the forge. The rest of the work was paid for, and is brought to the branch. */
export async function checkWork(context: AgentContext, to: Destination, left: Left): Promise<void> {
  const obstacle = findObstacle(left.snapshot);
  if (obstacle === null) return;
  if (left.snapshot.files.length > 0) await pushWork(context, to, left, false);
  throw obstacle;
}

/** What this run wanted to push, newest first, and whether that is written down as done or failed. */
async function listPushes({ ledger, runId, repository }: AgentContext, to: Destination) {
  const entries = await ledger.readSubject(issueSubject(repository, to.number));
  const keysOf = (kind: 'effect-failed' | 'work-pushed') =>
    new Set(entries.flatMap((entry) => (entry.kind === kind && entry.run === runId ? [entry.key] : [])));
  const [failed, pushed] = [keysOf('effect-failed'), keysOf('work-pushed')];
  return entries.toReversed().flatMap((entry) => {
    if (entry.kind !== 'effect-intended' || entry.run !== runId || entry.data.dryRun) return [];
    const { effect } = entry.data;
    if (effect.kind !== 'push-branch') return [];
    // As it was given to `perform`, which counts attempts.
    const key = entry.key?.slice(runId.length + 1).replace(/#\d+$/u, '') ?? '';
    return [{ key, effect, isDone: pushed.has(doneKey(runId, key)), hasFailed: failed.has(entry.key) }];
  });
}

function doneKey(runId: string, key: string): string {
  return `${runId}/${key.replace(/^push\//u, '')}`;
}

/** Moves the branch and writes it down as work of this run. */
async function movePushed(
  context: AgentContext,
  to: Destination,
  key: string,
  build: () => Promise<Push> | Push,
): Promise<void> {
  const { commit } = await context.effects.perform(key, 'push-branch', build);
  const data = { issue: to.issue, branch: to.branch, commit };
  await context.record({ kind: 'work-pushed', key: doneKey(context.runId, key), data });
}

/**
 * Brings a push to its end that was cut off, so that the work goes on from there: it may have got there without being
 * written down, and the coding agent may do something else next.
 */
export async function finishPush(context: AgentContext, to: Destination): Promise<void> {
  const push = (await listPushes(context, to)).find(({ isDone, hasFailed }) => !isDone && !hasFailed);
  if (push !== undefined) await movePushed(context, to, push.key, () => push.effect);
}

/** Where the branch has to be for a push of this run. */
async function findExpected(context: AgentContext, to: Destination): Promise<string | null> {
  const { forge, repository } = context;
  const { ownWork } = await readHistoryOf(context, to.number);
  const expected = ownWork?.commit ?? to.expected;
  // A push that failed may have got there all the same, its answer being what was lost.
  const unsure = (await listPushes(context, to)).filter(({ isDone }) => !isDone);
  if (unsure.length === 0) return expected;
  const now = (await forge.getBranch(repository, to.branch))?.sha ?? null;
  return unsure.some(({ effect }) => effect.commit === now) ? now : expected;
}

/** Returns the commit. The same work gives the same commit, so that doing it again changes nothing. */
export async function pushWork(
  context: AgentContext,
  to: Destination,
  { start, snapshot }: Left,
  isWhole: boolean,
  at = context.startedAt,
): Promise<string> {
  const { repository, workspaces, own } = context;
  const commit = await workspaces.commit({
    tree: snapshot.tree,
    parent: start,
    message: commitMessage(to.title, to.issue ?? to.number, isWhole),
    author: { name: own, email: `${own}@users.noreply.github.com` },
    at: at.toISOString(),
  });
  const { branch } = to;
  await movePushed(context, to, `push/${commit}`, async () => {
    return { repository, branch, commit, expected: await findExpected(context, to) };
  });
  return commit;
}

/** In the end nothing was changed: what was brought to the branch on the way there is taken back. */
export async function takeBackEarly(context: AgentContext, to: Destination, start: string): Promise<void> {
  const { ownWork } = await readHistoryOf(context, to.number);
  if (ownWork === null || ownWork.commit === start) return;
  const { repository } = context;
  await movePushed(context, to, `take-back/${ownWork.commit}`, async () => {
    const expected = await findExpected(context, to);
    return { repository, branch: to.branch, commit: start, expected };
  });
}

/** In one run: a branch that moves again and again starts a build each time. */
const mostEarly = 12;

/**
 * Brings what there is so far to the branch while the agent is at it, so that a machine that is lost takes little with it.
 * Each takes the place of the one before.
 */
export function makeEarlySaver(context: AgentContext, to: Destination, workspace: Workspace) {
  const { ledger, repository, runId, startedAt, workspaces } = context;
  let lastTree = '';
  let lastObstacle: string | undefined;
  return async (): Promise<void> => {
    const entries = await ledger.readSubject(issueSubject(repository, to.number));
    const count = entries.filter((entry) => entry.kind === 'work-pushed' && entry.run === runId).length;
    if (count >= mostEarly) return;
    await keepUnfinished(context, async () => {
      const snapshot = await workspaces.takeEarlySnapshot(workspace);
      if (snapshot === null) return;
      // It may be gone again when the agent is done; until then the rest is brought to safety.
      const obstacle = findObstacle(snapshot)?.message;
      if (obstacle !== undefined && obstacle !== lastObstacle)
        context.progress({ kind: 'warning', message: obstacle });
      lastObstacle = obstacle;
      if (snapshot.tree === lastTree) return;
      if (snapshot.files.length === 0 && lastTree === '') return;
      const left = { start: workspace.base, snapshot };
      // A time of its own: what was undone and done again would else be the commit that was pushed before, and not be pushed.
      await pushWork(context, to, left, false, new Date(startedAt.getTime() + (count + 1) * 1000));
      lastTree = snapshot.tree;
    });
  };
}

/** Work that its agent did not finish is brought to the branch all the same: it was paid for. */
export async function saveUnfinished(
  context: AgentContext,
  to: Destination,
  workspace: Workspace,
): Promise<void> {
  await keepUnfinished(context, async () => {
    const left = { start: workspace.base, snapshot: await context.workspaces.takeSnapshot(workspace) };
    const obstacle = findObstacle(left.snapshot);
    if (obstacle !== null) context.progress({ kind: 'warning', message: obstacle.message });
    if (left.snapshot.files.length === 0) return takeBackEarly(context, to, left.start);
    await pushWork(context, to, left, false);
  });
}

async function keepUnfinished(context: AgentContext, keep: () => Promise<void>): Promise<void> {
  try {
    await keep();
  } catch (error) {
    // The reason for a stop is another one, and work goes on; this is only said to whoever watches.
    const why = error instanceof Error ? error.message : String(error);
    context.progress({ kind: 'warning', message: `The unfinished work was not kept: ${why}` });
  }
}
