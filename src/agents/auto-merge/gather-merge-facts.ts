/**
 * Everything that decides whether a pull request may be merged, as it is now. Reviews come from the ledger; of the forge's
 * reviews only that a permitted person asked for changes counts. Also read by whoever explains why nothing moves.
 */
import { assessRisk } from '../../domain/change-risk.ts';
import { isListedBot } from '../../domain/fleet-settings.ts';
import { findLabelSetter, isOwnChange } from '../../domain/label-provenance.ts';
import type { LedgerEntry } from '../../domain/ledger-entry.ts';
import { holdingLabels, type MergeFacts } from '../../domain/merge-conditions.ts';
import { isAtLeast } from '../../domain/permission.ts';
import { isSameRepository, issueSubject } from '../../domain/subject.ts';
import type { ActorKind, LabelEvent } from '../../ports/forge.ts';
import type { AgentContext } from '../agent.ts';
import { listOwnLabelChanges } from '../list-own-label-changes.ts';
import { readReviewRecords } from '../review-records.ts';

export type MergeSource = Pick<AgentContext, 'repository' | 'own' | 'settings' | 'forge' | 'ledger'>;

const merging = 'auto-merge';

/** A person with write permission, or a program that is listed; no other program, whatever it may do on the forge. */
async function isTrusted(source: MergeSource, actor: string, kind: ActorKind): Promise<boolean> {
  if (kind === 'bot') return isListedBot(source.settings, actor);
  return isAtLeast(await source.forge.permissionOf(source.repository, actor), 'write');
}

/**
 * Whether what a label of ours says is true of the change as it is now: others may have pushed to it since. Binary files
 * need no word here, because no review has seen them.
 */
async function isStillLight({ forge, repository }: MergeSource, number: number): Promise<boolean> {
  const files = await forge.listFiles(repository, number);
  const paths = files.map((file) => ({ ...file, isBinary: false }));
  return assessRisk(paths, null).label === merging;
}

async function readEntries({ ledger, repository }: MergeSource, number: number): Promise<LedgerEntry[]> {
  const subject = issueSubject(repository, number);
  const made = await ledger.find('pull-request-made', subject);
  const entries = await ledger.readSubject(subject);
  if (made !== null && made.subject !== subject) entries.push(...(await ledger.readSubject(made.subject)));
  return entries;
}

async function isLabelTrusted(
  source: MergeSource,
  number: number,
  events: readonly LabelEvent[],
): Promise<boolean> {
  const settings = listOwnLabelChanges(await readEntries(source, number), number, 'add', merging);
  const setter = findLabelSetter(events, merging, source.own, settings);
  if (setter === null) return false;
  if (setter.by === 'us') return isStillLight(source, number);
  return isTrusted(source, setter.actor, setter.actorKind);
}

/** Labels that held it until somebody took them off who may not: they count until they are back or somebody else did. */
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
    // Our login alone does not tell: all workflows of a repository may share it.
    const removals = listOwnLabelChanges(await readEntries(source, number), number, 'remove', label);
    if (!isOwnChange(changes, source.own, removals)) taken.push(label);
  }
  return taken;
}

/** Whose last decision on the forge asks for changes, and counts. */
async function listObjectors(source: MergeSource, number: number): Promise<string[]> {
  const reviews = await source.forge.listReviews(source.repository, number);
  const decisions = new Map(
    reviews.filter(({ state }) => state !== 'commented').map((review) => [review.author, review]),
  );
  const objectors: string[] = [];
  for (const { author, authorKind, state } of decisions.values())
    if (state === 'changes-requested' && (await isTrusted(source, author, authorKind)))
      objectors.push(author);
  return objectors;
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
  // What is over needs no looking into.
  if (state !== 'open')
    return {
      ...facts,
      labels: [],
      otherBases: [],
      reviews: [],
      checks: [],
      changesRequestedBy: [],
      rules: null,
    };
  const hasLabel = pull.labels.some((name) => name.toLowerCase() === merging);
  // Without the label it is not merged, whoever changed the others.
  const events = hasLabel ? await forge.listLabelEvents(repository, number) : [];
  const isLabelled = hasLabel && (await isLabelTrusted(source, number, events));
  const labels = [...pull.labels, ...(await listTakenOff(source, number, events))];
  const { reviews } = await readReviewRecords(ledger, repository, number);
  return {
    ...facts,
    labels: labels.map((name) => ({
      name,
      isTrusted: name.toLowerCase() === merging ? isLabelled : null,
    })),
    otherBases: [...new Set(reviews.map((review) => review.base))].filter((name) => name !== base.branch),
    reviews: reviews
      // Against another base it was another change.
      .filter((review) => review.base === base.branch)
      .map(({ commit, isClean, unseen }) => ({ commit, isClean, isWhole: unseen.length === 0 })),
    checks: await forge.listChecks(repository, head.sha),
    changesRequestedBy: await listObjectors(source, number),
    rules: await forge.readMergeRules(repository, number),
  };
}
