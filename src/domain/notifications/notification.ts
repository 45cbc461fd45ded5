/** What people are told outside the forge: what waits for them and what has stopped, as data. */
import type { Subject } from '../ledger/subject.ts';

/** `low`: time alone settles it. `normal`: a person is asked. `high`: work has stopped and a person has to mend it. */
export const urgencies = ['low', 'normal', 'high'] as const;

export type Urgency = (typeof urgencies)[number];

/** One thing to be told. All of its texts may come from strangers: each channel makes them harmless. */
export interface Matter {
  /** The same as long as its words are the same, so that it is told once. */
  readonly id: string;
  /** A gate that a person answers, something that a person answers on the forge, or a run that has stopped. */
  readonly kind: 'gate' | 'asked' | 'stop';
  readonly urgency: Urgency;
  readonly subject: Subject;
  /** The run; null when it is about an issue or a pull request as a whole. */
  readonly run: string | null;
  readonly title: string;
  readonly why: string;
  /** Who can move it on. */
  readonly owner: string;
  /** The command that continues it or says more; empty when there is none. */
  readonly command: string;
  /** What it cost so far, in US dollars; null when that is not known. */
  readonly costUsd: number | null;
  /** ISO 8601. */
  readonly since: string;
  /** Its page on the forge; null when it has none. */
  readonly url: string | null;
}

/** What one channel tells one person. It never changes once it is on the ledger. */
export interface NotificationMessage {
  readonly version: 1;
  /** The same in every attempt to send it. */
  readonly id: string;
  readonly kind: 'notification' | 'digest' | 'test';
  readonly repository: string;
  /** The name of the person in the settings. */
  readonly to: string;
  /** When it was written, ISO 8601. */
  readonly at: string;
  readonly matters: readonly Matter[];
  /** How many more there are than stand in it. */
  readonly more: number;
}

/** The chain of the ledger on which stands what was sent is `owner/repo~notifications`. */
export const notificationChore = 'notifications';

/** The run of a message: effects are counted and found by it. */
export const notificationRunPrefix = 'notification-';

export function runOfMessage(id: string): string {
  return `${notificationRunPrefix}${id}`;
}

/** How often a message is tried until it is given up, and how long each pause is. */
export const mostAttempts = 8;

const firstPause = 60_000;
const longestPause = 3_600_000;

export function pauseAfter(attempts: number): number {
  return Math.min(firstPause * 2 ** Math.max(0, attempts - 1), longestPause);
}
