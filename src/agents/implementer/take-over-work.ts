/** What a coding agent left becomes a commit on a branch of the forge, once it was looked at. */
import { findSecrets } from '../../domain/find-secrets.ts';
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

/** A larger change than this cannot be looked through. */
const longestDiff = 32 * 1024 * 1024;

/** Refuses what must not get onto the forge. Nothing is pushed then, not even in part. */
export async function checkWork(context: AgentContext, { start, snapshot }: Left): Promise<void> {
  const refuse = (details: readonly string[]): never => {
    throw new GatewrightError(
      'work-refused',
      `What the agent left cannot be taken over: ${details.slice(0, 5).join('; ')}`,
      { details },
    );
  };
  if (snapshot.problems.length > 0) refuse(snapshot.problems);
  if (snapshot.files.length === 0) return;
  const diff = await context.workspaces.diff(start, snapshot.tree, longestDiff);
  if (diff.length > longestDiff) refuse(['It is too large to be looked through.']);
  const found = describeSecrets(findSecrets(diff));
  if (found.length > 0)
    throw new GatewrightError(
      'work-has-secret',
      `The change holds a secret: ${found.slice(0, 5).join('; ')}.`,
      { details: found },
    );
}

/** A push of this run that may have got there without being written down: its coding agent may do something else next. */
async function findCutOffPush({ ledger, runId, repository }: AgentContext, to: Destination) {
  const entries = await ledger.readSubject(issueSubject(repository, to.number));
  const isSettled = (key: string | null | undefined, commit: string): boolean =>
    entries.some(
      (entry) =>
        (entry.kind === 'effect-failed' && entry.key === key) ||
        (entry.kind === 'work-pushed' && entry.run === runId && entry.data.commit === commit),
    );
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'effect-intended' || entry.run !== runId || entry.data.dryRun) continue;
    const { effect } = entry.data;
    if (effect.kind === 'push-branch' && !isSettled(entry.key, effect.commit)) return effect;
  }
  return null;
}

/** Brings a push to its end that was cut off, so that the work goes on from there. */
export async function finishPush(context: AgentContext, to: Destination): Promise<void> {
  const effect = await findCutOffPush(context, to);
  if (effect === null) return;
  const { branch, commit } = effect;
  await context.effects.perform(`push/${commit}`, 'push-branch', () => effect);
  const data = { issue: to.issue, branch, commit };
  await context.record({ kind: 'work-pushed', key: `${context.runId}/${commit}`, data });
}

/** Returns the commit. The same work gives the same commit, so that doing it again changes nothing. */
export async function pushWork(
  context: AgentContext,
  to: Destination,
  { start, snapshot }: Left,
  isWhole: boolean,
): Promise<string> {
  const { repository, workspaces, effects, own, startedAt, runId } = context;
  const commit = await workspaces.commit({
    tree: snapshot.tree,
    parent: start,
    message: commitMessage(to.title, to.issue ?? to.number, isWhole),
    author: { name: own, email: `${own}@users.noreply.github.com` },
    at: startedAt.toISOString(),
  });
  const { branch } = to;
  await effects.perform(`push/${commit}`, 'push-branch', async () => {
    const { ownWork } = await readHistoryOf(context, to.number);
    return { repository, branch, commit, expected: ownWork?.commit ?? to.expected };
  });
  const data = { issue: to.issue, branch, commit };
  await context.record({ kind: 'work-pushed', key: `${runId}/${commit}`, data });
  return commit;
}

/** Work that its agent did not finish is brought to the branch all the same: it was paid for. */
export async function saveUnfinished(
  context: AgentContext,
  to: Destination,
  workspace: Workspace,
): Promise<void> {
  try {
    const left = { start: workspace.base, snapshot: await context.workspaces.takeSnapshot(workspace) };
    if (left.snapshot.files.length === 0) return;
    await checkWork(context, left);
    await pushWork(context, to, left, false);
  } catch (error) {
    // The reason for the stop is another one; this is only said to whoever watches.
    const why = error instanceof Error ? error.message : String(error);
    context.progress({ kind: 'warning', message: `The unfinished work was not kept: ${why}` });
  }
}
