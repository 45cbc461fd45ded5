/** Whether an actor had the right to change a label, and what corrects the labels if not. Pure: nothing is looked up. */
import { riskLabels } from '../../../domain/changes/change-risk.ts';
import { findLabel, type KnownLabel, labelTable } from '../../../domain/forge/label-table.ts';
import { labelNames } from '../../../domain/forge/labels.ts';
import { isBotLogin } from '../../../domain/forge/login.ts';
import { isAtLeast, type Permission } from '../../../domain/forge/permission.ts';

export interface LabelActor {
  readonly login: string;
  /** Whether it is the login under which we act ourselves. */
  readonly isOwn: boolean;
  readonly permission: Permission;
  /** Whether it is a listed program, whose orders count. */
  readonly isListedBot: boolean;
}

export interface LabelChange {
  /** With or without the label in question: whether it was there before follows from the change. */
  readonly labelsBefore: readonly string[];
  readonly change: 'added' | 'removed';
  readonly label: string;
  readonly actor: LabelActor;
  /** For the label that approves a plan: whether a loop works on the issue. */
  readonly hasLoop?: boolean | undefined;
}

export type LabelJudgement =
  | { readonly legal: true }
  | {
      readonly legal: false;
      /** For a comment: one or two sentences, with what to do instead. */
      readonly reason: string;
      /** Set where the reason is said beside one that was said about the same label before. */
      readonly topic?: 'no-plan';
      /** What to do to the labels as they are after the change. */
      readonly revert: { readonly add: readonly string[]; readonly remove: readonly string[] };
    };

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

/** A person with write permission, or a program that is listed; no other program, whatever it may do on the forge. */
function isWriter({ login, permission, isListedBot }: LabelActor): boolean {
  return isListedBot || (isAtLeast(permission, 'write') && !isBotLogin(login));
}

function mayChange(label: KnownLabel, { change, actor }: LabelChange): boolean {
  const right = change === 'added' ? label.setBy : label.removedBy;
  return right === 'anybody' || (right === 'writer' && isWriter(actor));
}

/**
 * The kinds of labels of which an issue may carry only one, the most cautious last: that one stays when no allowed
 * change chose another.
 */
const exclusive: Readonly<Partial<Record<KnownLabel['kind'], readonly string[]>>> = {
  risk: riskLabels,
  stage: labelTable
    .filter(({ kind, name }) => kind === 'stage' && name !== labelNames.loopBlocked)
    .map(({ name }) => name)
    .reverse()
    .concat(labelNames.loopBlocked),
};

/** Whether a label may come after those of its kind that are there. Any risk label may take the place of another. */
function mayFollow(label: KnownLabel, there: readonly string[]): boolean {
  if (label.kind !== 'stage') return true;
  return there.every((name) => label.follows.some((one) => keyOf(one) === keyOf(name)));
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function missingRight(label: KnownLabel, { change, actor }: LabelChange): string {
  const who = isBotLogin(actor.login)
    ? `${actor.login} is a program that is not listed here`
    : `${actor.login} has "${actor.permission}" permission`;
  if (change === 'added' && label.setBy === 'gatewright')
    return `The label "${label.name}" is set by Gatewright only: it shows what Gatewright recorded, and setting it by hand changes nothing.`;
  const verb = change === 'added' ? 'set' : 'removed';
  return `The label "${label.name}" steers agents and may be ${verb} by people with write permission; ${who}. Ask one of them.`;
}

function nothingToApprove({ name }: KnownLabel, siblings: readonly string[]): string {
  const first = siblings.length === 0 ? 'Set' : `Remove ${quoted(siblings)} and set`;
  return `No loop works on this issue, so there is no plan that the label "${name}" could approve. ${first} "${labelNames.loop}" to have a plan made; when it is posted, set "${name}".`;
}

/** The labels of a kind that has to be single, as they should be in the end. */
function settle(
  names: readonly string[],
  order: readonly string[],
  chosen: string | null,
): readonly string[] {
  if (names.length < 2) return names;
  const caution = (name: string): number => order.findIndex((one) => keyOf(one) === keyOf(name));
  const strictest = names.reduce((a, b) => (caution(b) > caution(a) ? b : a));
  return [chosen ?? strictest];
}

/**
 * Judges one change. Labels that are not ours are not judged, and our own changes are always allowed. A change by an
 * actor without the right is reversed; where only one label of a kind is allowed, the last choice of an actor with the
 * right is kept.
 */
export function judgeLabelChange(given: LabelChange): LabelJudgement {
  const known = findLabel(given.label);
  if (known === undefined || given.actor.isOwn) return { legal: true };
  const { label, change } = given;
  const order = exclusive[known.kind] ?? [];
  const siblings = given.labelsBefore.filter(
    (name) => keyOf(name) !== keyOf(label) && order.some((one) => keyOf(one) === keyOf(name)),
  );
  const hasRight = mayChange(known, given);
  const isUseless = change === 'added' && given.hasLoop === false;
  const isNext = change === 'removed' || (!isUseless && mayFollow(known, siblings));
  const isAllowed = hasRight && isNext;
  // The loop itself takes the stage before it off, if the label counts.
  if (isAllowed && change === 'added' && known.kind === 'stage') return { legal: true };
  // An addition stays if it was allowed; a removal is undone if it was not.
  const stays = (change === 'added') === isAllowed;
  const wanted = [...siblings, ...(stays ? [label] : [])];
  const kept = order.length === 0 ? wanted : settle(wanted, order, stays && isAllowed ? label : null);
  const after = [...siblings, ...(change === 'added' ? [label] : [])];
  const add = kept.filter((name) => !after.includes(name));
  const remove = after.filter((name) => !kept.includes(name));
  if (add.length === 0 && remove.length === 0) return { legal: true };
  const revert = { add, remove };
  if (!hasRight) return { legal: false, reason: missingRight(known, given), revert };
  if (isUseless) return { legal: false, reason: nothingToApprove(known, siblings), topic: 'no-plan', revert };
  const reason = isNext
    ? `Only one of ${quoted(order)} may be set: ${quoted(kept)} stays${remove.length === 0 ? '' : `, ${quoted(remove)} was removed`}.`
    : `The label "${known.name}" cannot come after ${quoted(siblings)}; remove that first if the work is to start again.`;
  return { legal: false, reason, revert };
}

/** What brings the work to a stage; null when that stage cannot come after the one it is at. */
export function moveStage(
  labels: readonly string[],
  stage: string,
): { readonly add: readonly string[]; readonly remove: readonly string[] } | null {
  const next = findLabel(stage);
  if (next?.kind !== 'stage') return null;
  const there = labels.filter((name) => findLabel(name)?.kind === 'stage');
  if (there.some((name) => keyOf(name) === keyOf(next.name)))
    return { add: [], remove: there.filter((name) => keyOf(name) !== keyOf(next.name)) };
  // A command may start planning on an issue without a stage label; every other stage needs the one before it.
  const mayBegin = next.follows.length === 0 || next.follows.includes('AI');
  const isNext = there.length === 0 ? mayBegin : mayFollow(next, there);
  return isNext ? { add: [next.name], remove: there } : null;
}
