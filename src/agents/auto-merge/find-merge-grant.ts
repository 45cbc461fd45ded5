/** The grant that a pull request has, with the head and the base that it was given at, and whether it covers those of now. */

import { judgePath, mayMerge } from '../../domain/changes/path-class.ts';
import { eventSchema } from '../../domain/fleet/event.ts';
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import type { ActorKind, LabelEvent, PullRequest } from '../../ports/forge/forge.ts';
import type { AgentContext } from '../agent.ts';
import { listOwnLabelChanges } from '../pull-requests/list-own-label-changes.ts';
import { findLabelSetter } from '../pull-requests/rules/label-provenance.ts';
import { readWorkEntries } from '../read-work-entries.ts';
import {
  findOwnBase,
  findToldPlace,
  findWay,
  listOwnMoves,
  type MergeGrant,
  type OwnMove,
  type ToldLabel,
} from './rules/merge-grant.ts';

export type MergeSource = Pick<
  AgentContext,
  'repository' | 'own' | 'settings' | 'forge' | 'ledger' | 'trees' | 'workspaces' | 'transport'
> & {
  /**
   * Whether commits that cannot be fetched count as one more unmet condition; for callers that only explain and merge
   * nothing.
   */
  readonly isUnfetchedTold?: boolean;
};

export const mergeLabel = labelNames.autoMerge;

/** A person with write permission, or a program that is listed; no other program, whatever it may do on the forge. */
export async function isTrusted(source: MergeSource, actor: string, kind: ActorKind): Promise<boolean> {
  if (kind === 'bot') return isListedBot(source.settings, actor);
  return isAtLeast(await source.forge.permissionOf(source.repository, actor), 'write');
}

/** All that runs wrote about a pull request and about the work that it came of. */
export async function readEntries(
  { ledger, repository }: MergeSource,
  number: number,
): Promise<LedgerEntry[]> {
  const subject = issueSubject(repository, number);
  const made = await ledger.find('pull-request-made', subject);
  const entries = await readWorkEntries(ledger, subject);
  if (made !== null && made.subject !== subject)
    entries.push(...(await readWorkEntries(ledger, made.subject)));
  return entries;
}

/** Labels that were set, as deliveries told them; the text of a comment tells nothing. */
async function listTold({ ledger, repository }: MergeSource, number: number): Promise<ToldLabel[]> {
  const told: ToldLabel[] = [];
  for (const entry of await ledger.readTold(issueSubject(repository, number), 'labeled')) {
    const event = eventSchema.safeParse(JSON.parse(await ledger.getText(entry.data.event))).data;
    if (event?.kind !== 'labeled') continue;
    const { label, actor, at, head = null, base = null } = event;
    told.push({ label, actor, at, head, base });
  }
  return told;
}

/** When the forge told that its merge queue has it no more, and at which head. */
export async function listDequeued({ ledger, repository }: MergeSource, number: number) {
  const told: { readonly head: string; readonly at: string; readonly reason: string }[] = [];
  for (const entry of await ledger.readTold(issueSubject(repository, number), 'pull-request-dequeued')) {
    const event = eventSchema.safeParse(JSON.parse(await ledger.getText(entry.data.event))).data;
    if (event?.kind === 'pull-request-dequeued')
      told.push({ head: event.head, at: event.at, reason: event.reason });
  }
  return told;
}

async function readGrant(
  source: MergeSource,
  number: number,
  events: readonly LabelEvent[],
  entries: readonly LedgerEntry[],
): Promise<Omit<MergeGrant, 'isCovering' | 'carriedBy'> | null> {
  const settings = listOwnLabelChanges(entries, number, 'add', mergeLabel);
  const setter = findLabelSetter(events, mergeLabel, source.own, settings);
  if (setter === null) return null;
  const { change } = setter;
  const { at } = change;
  if (setter.by === 'us')
    return {
      ...{ by: 'us', actor: source.own, at },
      ...{ head: setter.setting.head ?? null, base: findOwnBase(entries, number) },
    };
  const { actor, actorKind } = setter;
  if (!(await isTrusted(source, actor, actorKind)))
    return { by: 'nobody', actor, at, head: null, base: null };
  const added = events.filter((event) => event.change === 'added');
  const place = change.head === null ? findToldPlace(change, added, await listTold(source, number)) : change;
  const { head, base } = place ?? { head: null, base: null };
  return { by: actorKind === 'bot' ? 'program' : 'person', actor, at, head, base };
}

/** Whether bringing a branch up to date put nothing into it but the base, as git itself would. */
async function isPlainUpdate(source: MergeSource, { from, to }: OwnMove, base: string): Promise<boolean> {
  const { forge, repository, trees, workspaces } = source;
  const [commit] = await forge.listCommits(repository, to, { limit: 1 });
  const [first, second, ...others] = commit?.parents ?? [];
  if (commit?.sha !== to || first !== from || second === undefined || others.length > 0) return false;
  if (!(await trees.hasCommit(second)) || (await trees.findMergeBase(base, second)) !== second) return false;
  return (await workspaces.mergeTrees(from, second)) === (await trees.treeOf(to));
}

/** Whether a push of ours touches nothing that asks a person: that may not come in under a grant given before. */
async function isLightPush({ trees }: MergeSource, { from, to }: OwnMove): Promise<boolean> {
  const files = await trees.listChanges(from, to);
  return files.every(
    ({ path, previousPath, was, is }) =>
      [path, previousPath ?? path].every((one) => mayMerge(judgePath(one))) &&
      [was ?? 'file', is ?? 'file'].every((kind) => kind === 'file'),
  );
}

async function carries(
  source: MergeSource,
  grant: Pick<MergeGrant, 'by'>,
  move: OwnMove,
  base: string,
): Promise<boolean> {
  const { trees } = source;
  if (!(await trees.hasCommit(move.from)) || !(await trees.hasCommit(move.to))) return false;
  if (move.kind === 'update') return isPlainUpdate(source, move, base);
  // Our own rules are asked about the whole change each time it is merged.
  return grant.by === 'us' || isLightPush(source, move);
}

/** @param base the newest commit of the base; it and the head have been fetched */
export async function findMergeGrant(
  source: MergeSource,
  pull: PullRequest,
  events: readonly LabelEvent[],
  base: string,
): Promise<MergeGrant | null> {
  const { number, head } = pull;
  const entries = await readEntries(source, number);
  const grant = await readGrant(source, number, events, entries);
  if (grant === null) return null;
  const way = findWay(grant, head.sha, listOwnMoves(entries, number, head.branch));
  const outdated = { ...grant, isCovering: false, carriedBy: [] };
  if (way === null || grant.base !== pull.base.branch) return outdated;
  for (const move of way) if (!(await carries(source, grant, move, base))) return outdated;
  return { ...grant, isCovering: true, carriedBy: way.map(({ to }) => to) };
}
