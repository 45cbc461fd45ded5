/**
 * Pushes work to a branch of the forge by compare-and-swap: the branch moves from where it is expected to be, and from
 * nowhere else. A push that was cut off is finished, and earlier pushes of unfinished work can be taken back.
 */
import type { EffectOf } from '../../domain/ledger/effect.ts';
import type { CodingContext, Destination, Left } from './coding-context.ts';
import { doneKey, type Pushes, pushKey, readPushes } from './read-pushes.ts';

type Push = Omit<EffectOf<'push-branch'>, 'kind' | 'repository'>;

/** Moves a branch once under its key; returns the commit that it is at. */
export async function moveBranch(
  { effects, repository }: Pick<CodingContext, 'effects' | 'repository'>,
  key: string,
  build: () => Promise<Push> | Push,
): Promise<string> {
  const { commit } = await effects.perform(key, 'push-branch', async () => {
    const { branch, commit, expected } = await build();
    return { repository, branch, commit, expected };
  });
  return commit;
}

/** What this run has pushed of this piece of work. */
export async function readPushesOf(
  { ledger, runId }: Pick<CodingContext, 'ledger' | 'runId'>,
  { task }: Pick<Destination, 'task'>,
): Promise<Pushes> {
  return readPushes(await ledger.readRun(runId), runId, task);
}

/** Moves the branch and writes it down as work of this run. */
async function movePushed(
  context: CodingContext,
  to: Destination,
  key: string,
  build: () => Promise<Push> | Push,
): Promise<void> {
  const commit = await moveBranch(context, key, build);
  const data = { issue: to.issue, branch: to.branch, commit };
  await context.record({ kind: 'work-pushed', key: doneKey(context.runId, to.task, key), data });
}

/**
 * Finishes a push that was cut off, so that the work continues from there: the push may have reached the forge without
 * an entry on the ledger, and the coding agent may do something else next.
 */
export async function finishPush(context: CodingContext, to: Destination): Promise<void> {
  const { begun } = await readPushesOf(context, to);
  const push = begun.find(({ isDone, hasFailed }) => !isDone && !hasFailed);
  if (push !== undefined) await movePushed(context, to, push.key, () => push.effect);
}

/** Where the branch has to be for a push of this piece of work. */
async function findExpected(context: CodingContext, to: Destination): Promise<string | null> {
  const { forge, repository } = context;
  const { begun, last } = await readPushesOf(context, to);
  const expected = last ?? to.expected;
  // A push that failed may still have reached the forge, if only its answer was lost.
  const unsure = begun.filter(({ isDone }) => !isDone);
  if (unsure.length === 0) return expected;
  const now = (await forge.getBranch(repository, to.branch))?.sha ?? null;
  return unsure.some(({ effect }) => effect.commit === now) ? now : expected;
}

/** A commit of a tree, by us. The same work gives the same commit, so that doing it again changes nothing. */
export function commitTree(
  {
    workspaces,
    own,
    startedAt,
  }: Pick<CodingContext, 'own' | 'startedAt'> & {
    readonly workspaces: Pick<CodingContext['workspaces'], 'commit'>;
  },
  made: {
    readonly tree: string;
    readonly parent: string;
    /** The commit that it merges in, if it is a merge. */
    readonly merged?: string;
    readonly message: string;
  },
  at = startedAt,
): Promise<string> {
  return workspaces.commit({
    ...made,
    author: { name: own, email: `${own}@users.noreply.github.com` },
    at: at.toISOString(),
  });
}

/** What was left in a copy, as a commit that is on no branch yet. */
export function commitWork(
  context: CodingContext,
  to: Destination,
  { start, snapshot }: Left,
  isWhole: boolean,
  at = context.startedAt,
): Promise<string> {
  return commitTree(context, { tree: snapshot.tree, parent: start, message: to.message(isWhole) }, at);
}

export async function pushCommit(context: CodingContext, to: Destination, commit: string): Promise<void> {
  await movePushed(context, to, pushKey(to.task, 'push', commit), async () => {
    return { branch: to.branch, commit, expected: await findExpected(context, to) };
  });
}

/** What was pushed of this piece of work on the way is taken back: the branch is again where the work began. */
export async function takeBack(context: CodingContext, to: Destination, start: string): Promise<void> {
  const { last } = await readPushesOf(context, to);
  if (last === null || last === start) return;
  await movePushed(context, to, pushKey(to.task, 'take-back', last), async () => {
    return { branch: to.branch, commit: start, expected: await findExpected(context, to) };
  });
}
