/**
 * Everything that decides whether a pull request may be merged, as it is now. Reviews come from the ledger; of the forge's
 * reviews only that a permitted person asked for changes counts. Also read by whoever explains why nothing moves.
 */
import type { EffectOf } from '../../domain/effect.ts';
import { findLabelSetter, type OwnSetting } from '../../domain/label-provenance.ts';
import type { LedgerEntry } from '../../domain/ledger-entry.ts';
import type { MergeFacts } from '../../domain/merge-conditions.ts';
import { isAtLeast } from '../../domain/permission.ts';
import { issueSubject } from '../../domain/subject.ts';
import type { ActorKind } from '../../ports/forge.ts';
import type { AgentContext } from '../agent.ts';
import { readReviewRecords } from '../review-records.ts';

export type MergeSource = Pick<AgentContext, 'repository' | 'own' | 'settings' | 'forge' | 'ledger'>;

const merging = 'auto-merge';

/** A person with write permission, or a program that is listed; no other program, whatever it may do on the forge. */
async function isTrusted(source: MergeSource, actor: string, kind: ActorKind): Promise<boolean> {
  if (kind === 'bot') return source.settings.bots.some((bot) => bot.toLowerCase() === actor.toLowerCase());
  return isAtLeast(await source.forge.permissionOf(source.repository, actor), 'write');
}

/** Times that we set the label on this pull request, by what the ledger holds of it and of the run that made it. */
function listOwnSettings(entries: readonly LedgerEntry[], number: number): OwnSetting[] {
  const keepers = new Set(
    entries.flatMap((entry) => {
      const request = entry.kind === 'run-started' ? entry.data.request : null;
      return request?.workflow === 'agent' && request.agent === 'label-keeper' ? [entry.run] : [];
    }),
  );
  const setsIt = ({ kind, ...effect }: EffectOf<'edit-labels'>): boolean =>
    kind === 'edit-labels' && effect.number === number && effect.add.includes(merging);
  const receipts = new Map(
    entries.flatMap((entry) => (entry.kind === 'effect-receipted' ? [[entry.key, entry.at] as const] : [])),
  );
  return entries.flatMap((entry) => {
    if (entry.kind !== 'effect-intended' || !setsIt(entry.data.effect as EffectOf<'edit-labels'>)) return [];
    const at = receipts.get(entry.key);
    return at === undefined ? [] : [{ at, isPutBack: keepers.has(entry.run) }];
  });
}

async function isLabelTrusted(source: MergeSource, number: number): Promise<boolean> {
  const { forge, ledger, repository } = source;
  const subject = issueSubject(repository, number);
  const made = await ledger.find('pull-request-made', subject);
  const entries = await ledger.readSubject(subject);
  if (made !== null && made.subject !== subject) entries.push(...(await ledger.readSubject(made.subject)));
  const events = await forge.listLabelEvents(repository, number);
  const setter = findLabelSetter(events, merging, source.own, listOwnSettings(entries, number));
  if (setter === null) return false;
  if (setter.by === 'us') return true;
  return isTrusted(source, setter.actor, setter.actorKind);
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
    isFromFork: head.repository?.toLowerCase() !== repository.toLowerCase(),
    requiredChecks: settings.requiredChecks,
  };
  // What is over needs no looking into.
  if (state !== 'open') return { ...facts, labels: [], reviews: [], checks: [], changesRequestedBy: [] };
  const hasLabel = pull.labels.some((name) => name.toLowerCase() === merging);
  const isLabelled = hasLabel && (await isLabelTrusted(source, number));
  const { reviews } = await readReviewRecords(ledger, repository, number);
  return {
    ...facts,
    labels: pull.labels.map((name) => ({
      name,
      isTrusted: name.toLowerCase() === merging ? isLabelled : null,
    })),
    reviews: reviews
      // Against another base it was another change.
      .filter((review) => review.base === base.branch)
      .map(({ commit, isClean, unseen }) => ({ commit, isClean, isWhole: unseen.length === 0 })),
    checks: await forge.listChecks(repository, head.sha),
    changesRequestedBy: await listObjectors(source, number),
  };
}
