/**
 * Which messages are due now: each matter once for each channel of each person, nothing in quiet hours, many at once as
 * one digest, and a message that was not taken again after a pause.
 */
import { canonicalJson, type Sha256, sha256 } from '../../../domain/ledger/hash.ts';
import {
  type Matter,
  mostAttempts,
  type NotificationMessage,
  pauseAfter,
  urgencies,
} from '../../../domain/notifications/notification.ts';
import type { Recipient } from '../../../domain/notifications/notification-settings.ts';
import { isQuiet } from '../../../domain/notifications/quiet-hours.ts';
import type { Told, ToldMessage } from './fold-told.ts';

/** A matter with the logins of the people whose it is. */
export interface OwnedMatter {
  readonly matter: Matter;
  readonly owners: readonly string[];
}

export type PlannedMessage =
  | {
      readonly is: 'new';
      readonly channel: string;
      readonly message: NotificationMessage;
      /** Of all that it is about, also of what it only counts. */
      readonly matters: readonly string[];
    }
  /** As it stands on the ledger. */
  | { readonly is: 'again'; readonly channel: string; readonly id: string; readonly text: Sha256 };

export interface Plan {
  readonly due: readonly PlannedMessage[];
  /** How many are held until quiet hours end. */
  readonly held: number;
  /** When there may be more to do although nothing happens, in milliseconds; null when there is not. */
  readonly nextAt: number | null;
}

export interface PlanFacts {
  readonly repository: string;
  readonly matters: readonly OwnedMatter[];
  readonly people: readonly Recipient[];
  /** Where each channel leads, by its name. */
  readonly addresses: ReadonlyMap<string, Sha256>;
  readonly told: Told;
  readonly now: Date;
}

/** More than that at once is one digest. */
const mostSingle = 3;
/** A digest names no more. */
const mostInDigest = 50;
const minute = 60_000;

const isLogin = (login: string, { logins }: Recipient): boolean =>
  logins.some((one) => one.toLowerCase() === login.toLowerCase());

function isFor(person: Recipient, { matter, owners }: OwnedMatter, people: readonly Recipient[]): boolean {
  if (urgencies.indexOf(matter.urgency) < urgencies.indexOf(person.urgency)) return false;
  if (person.tell === 'all' || owners.some((login) => isLogin(login, person))) return true;
  // What no listed person began would else be told to no person at all.
  return !owners.some((login) => people.some((one) => isLogin(login, one)));
}

function makeMessage(
  { repository, now }: Pick<PlanFacts, 'repository' | 'now'>,
  to: string,
  channel: string,
  matters: readonly Matter[],
): NotificationMessage {
  const ids = matters.map(({ id }) => id).sort();
  return {
    version: 1,
    id: sha256(canonicalJson([repository, to, channel, ids])).slice(0, 32),
    kind: matters.length === 1 ? 'notification' : 'digest',
    ...{ repository, to },
    at: now.toISOString(),
    matters: matters.slice(0, mostInDigest),
    more: Math.max(0, matters.length - mostInDigest),
  };
}

/** When a message that was not taken may be tried again; null when it is given up. */
function retryAt(
  { state, attempts, code, at, effect }: ToldMessage,
  address: Sha256 | undefined,
): number | null {
  if (state === 'begun') return 0;
  const times = address === undefined ? 0 : (attempts.get(address) ?? 0);
  // Other settings may well be taken.
  if (times === 0) return 0;
  const isRefused = code === 'notification-refused' && address === effect.address;
  if (isRefused || times >= mostAttempts) return null;
  return new Date(at).getTime() + pauseAfter(times);
}

interface Part {
  readonly due: readonly PlannedMessage[];
  readonly held: number;
  readonly nextAt: readonly number[];
}

function planFor(facts: PlanFacts, person: Recipient, channel: string): Part {
  const { matters, people, told, now, addresses } = facts;
  const wanted = matters.filter((one) => isFor(person, one, people)).map(({ matter }) => matter);
  const open = new Set(wanted.map(({ id }) => id));
  const messages = [...told.values()].filter(
    ({ effect }) => effect.to === person.name && effect.channel === channel,
  );
  const taken = new Set(messages.flatMap(({ effect }) => effect.matters));
  const fresh = wanted.filter(({ id }) => !taken.has(id));
  const unsent = messages.filter(
    ({ state, effect }) => state !== 'sent' && effect.matters.some((id) => open.has(id)),
  );
  const isHeld = (at: Date): boolean => person.quiet !== null && isQuiet(person.quiet, at);
  if (isHeld(now)) {
    const held = fresh.length + unsent.length;
    return { due: [], held, nextAt: held === 0 ? [] : [now.getTime() + minute] };
  }
  const retries = unsent.flatMap((one) => {
    const at = retryAt(one, addresses.get(channel));
    return at === null ? [] : [{ at, effect: one.effect }];
  });
  const again = retries
    .filter(({ at }) => at <= now.getTime())
    .map(({ effect }) => ({ is: 'again', channel, id: effect.id, text: effect.message }) as const);
  const isDigest = fresh.length > mostSingle || fresh.some(({ since }) => isHeld(new Date(since)));
  const groups = isDigest && fresh.length > 0 ? [fresh] : fresh.map((one) => [one]);
  return {
    due: [
      ...again,
      ...groups.map((group) => ({
        ...{ is: 'new' as const, channel },
        message: makeMessage(facts, person.name, channel, group),
        matters: group.map(({ id }) => id),
      })),
    ],
    held: 0,
    nextAt: retries.map(({ at }) => at).filter((at) => at > now.getTime()),
  };
}

export function planMessages(facts: PlanFacts): Plan {
  const parts = facts.people.flatMap((person) =>
    person.channels
      .filter((channel) => facts.addresses.has(channel))
      .map((channel) => planFor(facts, person, channel)),
  );
  const times = parts.flatMap(({ nextAt }) => nextAt);
  return {
    due: parts.flatMap(({ due }) => due),
    held: parts.reduce((sum, { held }) => sum + held, 0),
    nextAt: times.length === 0 ? null : Math.min(...times),
  };
}
