/**
 * Everything that decides whether a pull request may be merged, as it is now. Our reviews come from the ledger; of the
 * forge's reviews only a trusted person's request for changes counts. The command that explains why nothing moves reads
 * these facts too.
 */
import {
  assessRisk,
  type ChangedPath,
  fewCharacters,
  holdsSource,
  listMergedByHand,
} from '../../domain/changes/change-risk.ts';
import { isSameRepository } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import type { LabelEvent, PullRequest } from '../../ports/forge/forge.ts';
import { findProjectRunners } from '../../runs/coding/proof/find-project-runners.ts';
import { listOwnLabelChanges } from '../pull-requests/list-own-label-changes.ts';
import { readReviewRecords } from '../pull-requests/review-records.ts';
import { isOwnChange } from '../pull-requests/rules/label-provenance.ts';
import { countCurrentApprovals } from './current-approvals.ts';
import {
  findMergeGrant,
  isTrusted,
  listDequeued,
  type MergeSource,
  mergeLabel,
  readEntries,
} from './find-merge-grant.ts';
import { holdingLabels, type MergeFacts } from './rules/merge-conditions.ts';
import { findQueueRemoval, listHanded, type QueueRemoval } from './rules/queue-removal.ts';

export type { MergeSource } from './find-merge-grant.ts';

/**
 * The files that merging would change in the base, computed by git; where the two conflict, the files that the pull
 * request changes.
 */
async function readChange(
  { trees, workspaces }: MergeSource,
  head: string,
  base: string,
): Promise<{ readonly files: readonly ChangedPath[]; readonly result: string }> {
  const tree = await workspaces.mergeTrees(base, head);
  const files =
    tree === null ? await workspaces.listChanges(base, head) : await trees.listChanges(base, tree);
  return { files, result: tree ?? head };
}

/**
 * What file names and line counts do not show: whether the result is unsafe on a disk or for git, and how long the
 * lines are.
 */
async function listHidden(source: MergeSource, base: string, result: string): Promise<string[]> {
  const { trees, workspaces } = source;
  const [unsafe] = await trees.findUnsafe(result, base);
  if (unsafe !== undefined) return [unsafe.why];
  const diff = await workspaces.diff(base, result, fewCharacters + 1);
  return diff.length > fewCharacters
    ? [`Its lines are long: at most ${fewCharacters} characters of a change may be merged without a person.`]
    : [];
}

/**
 * Whether tests that we ran have proven exactly this commit; a check that runs no test, such as lint, proves nothing.
 * Where a command is set, it runs before each merge anyway.
 */
async function isTestRun(source: MergeSource, number: number, head: string): Promise<boolean> {
  if (source.settings.verify !== null) return true;
  const entries = await readEntries(source, number);
  return entries.some(
    (entry) => entry.kind === 'change-proven' && entry.data.commit === head && entry.data.isProven,
  );
}

/**
 * What the rules about paths, sizes and tests say of the change: every reason to ask a person, and what only a person
 * may merge.
 */
async function judgeChange(
  source: MergeSource,
  { number, head }: PullRequest,
  base: string,
): Promise<Pick<MergeFacts, 'asking' | 'byHand'>> {
  const { files, result } = await readChange(source, head.sha, base);
  const runners = await findProjectRunners(
    source,
    base,
    files.map(({ path }) => path),
  );
  const risk = assessRisk(files, null, runners);
  const isUntested = holdsSource(files, runners) && !(await isTestRun(source, number, head.sha));
  return {
    byHand: listMergedByHand(files),
    asking: [
      ...(risk.label === mergeLabel ? [] : risk.reasons),
      // Checked only where no other rule asks a person: a person looks at the whole change anyway.
      ...(risk.label === mergeLabel ? await listHidden(source, base, result) : []),
      ...(isUntested ? ['It changes code, and no tests that we ran have proven this commit.'] : []),
    ],
  };
}

/**
 * Holding labels that an actor without the right removed. Each still counts until it is set again, or until a trusted
 * actor removes it.
 */
async function listTakenOff(
  source: MergeSource,
  number: number,
  events: readonly LabelEvent[],
): Promise<string[]> {
  const taken: string[] = [];
  for (const label of holdingLabels) {
    const changes = events.filter((event) => event.label.toLowerCase() === label);
    const last = changes.at(-1);
    if (last?.change !== 'removed' || (await isTrusted(source, last.actor, last.actorKind))) continue;
    // Our login alone does not prove that we removed it: all workflows of a repository may share that login.
    const removals = listOwnLabelChanges(await readEntries(source, number), number, 'remove', label);
    if (!isOwnChange(changes, source.own, removals)) taken.push(label);
  }
  return taken;
}

/** The last decision of each trusted reviewer on the forge: who asks for changes, and who approves. */
async function listDecisions(
  source: MergeSource,
  number: number,
): Promise<Required<Pick<MergeFacts, 'changesRequestedBy' | 'approvals'>>> {
  const reviews = await source.forge.listReviews(source.repository, number);
  const decisions = new Map(
    reviews.filter(({ state }) => state !== 'commented').map((review) => [review.author, review]),
  );
  const changesRequestedBy: string[] = [];
  const approvals: { readonly by: string; readonly commit: string }[] = [];
  for (const { author, authorKind, state, commit } of decisions.values()) {
    if (state !== 'changes-requested' && state !== 'approved') continue;
    if (!(await isTrusted(source, author, authorKind))) continue;
    if (state === 'approved') approvals.push({ by: author, commit });
    else changesRequestedBy.push(author);
  }
  return { changesRequestedBy, approvals };
}

/** What the forge's queue did with it: from the forge's answer, from deliveries, and from what we handed over. */
async function readQueueRemoval(
  source: MergeSource,
  number: number,
  { head, rules, grant }: Pick<MergeFacts, 'head' | 'rules' | 'grant'>,
): Promise<QueueRemoval | null> {
  if (rules?.queue == null) return null;
  const entries = await readEntries(source, number);
  return findQueueRemoval({
    ...{ head, queue: rules.queue, grantedAt: grant?.at ?? null },
    ...{ handed: listHanded(entries, number), told: await listDequeued(source, number) },
  });
}

/** Fetches its base and its head; returns the commit of the base. */
async function fetchBoth(
  { transport, repository, isUnfetchedTold }: MergeSource,
  pull: PullRequest,
): Promise<string | Error> {
  try {
    const base = await transport.fetchBranch(repository, pull.base.branch);
    const hint = { pullRequest: pull.number, branch: pull.head.branch };
    await transport.fetchCommit(repository, pull.head.sha, hint);
    return base;
  } catch (error) {
    if (isUnfetchedTold === true && isGatewrightError(error)) return error;
    throw error;
  }
}

/** The grant of the pull request, and what the rules say about its change. */
async function readPermission(
  source: MergeSource,
  pull: PullRequest,
  events: readonly LabelEvent[],
): Promise<Pick<MergeFacts, 'grant' | 'byHand' | 'asking' | 'unfetched'>> {
  const base = await fetchBoth(source, pull);
  if (typeof base !== 'string') return { grant: null, byHand: [], asking: [], unfetched: base.message };
  const grant = await findMergeGrant(source, pull, events, base);
  // The content of the change matters only after a trusted actor granted the merge for the present head.
  if (grant === null || grant.by === 'nobody' || !grant.isCovering) return { grant, byHand: [], asking: [] };
  return { grant, ...(await judgeChange(source, pull, base)) };
}

export async function gatherMergeFacts(source: MergeSource, number: number): Promise<MergeFacts> {
  const { repository, forge, settings, ledger } = source;
  const pull = await forge.getPullRequest(repository, number);
  const { state, isDraft, mergeable, head, base } = pull;
  const facts = {
    number,
    state,
    isDraft,
    mergeable,
    head: head.sha,
    isFromFork: !isSameRepository(head.repository, repository),
    requiredChecks: settings.requiredChecks,
    base: base.branch,
  };
  // A closed or merged pull request needs no further facts.
  if (state !== 'open')
    return {
      ...facts,
      ...{ labels: [], grant: null, byHand: [], asking: [], otherBases: [], reviews: [], checks: [] },
      changesRequestedBy: [],
      rules: null,
    };
  const hasLabel = pull.labels.some((name) => name.toLowerCase() === mergeLabel);
  // Without the label, the pull request is not merged, so the history of the other labels does not matter; a pull
  // request from a fork is never merged.
  const events = hasLabel ? await forge.listLabelEvents(repository, number) : [];
  const permitted =
    hasLabel && !facts.isFromFork
      ? await readPermission(source, pull, events)
      : { grant: null, byHand: [], asking: [] };
  const rules = await countCurrentApprovals(
    source,
    { number, branch: head.branch },
    await forge.readMergeRules(repository, number),
  );
  const removal = await readQueueRemoval(source, number, { head: head.sha, rules, grant: permitted.grant });
  const { reviews } = await readReviewRecords(ledger, repository, number);
  return {
    ...facts,
    ...permitted,
    labels: [...pull.labels, ...(await listTakenOff(source, number, events))],
    otherBases: [...new Set(reviews.map((review) => review.base))].filter((name) => name !== base.branch),
    reviews: reviews
      // A review against another base was a review of another change.
      .filter((review) => review.base === base.branch)
      .map(({ commit, isClean, unseen, entry, by }) => ({
        ...{ commit, isClean, entry, by },
        isWhole: unseen.length === 0,
      })),
    checks: await forge.listChecks(repository, head.sha),
    ...(await listDecisions(source, number)),
    rules,
    queueRemoval: removal?.why ?? null,
  };
}
