/** Why a run stopped, as the ledger keeps it: a typed reason, who can change it, and the command that continues it. */

import { hideTokens } from '../domain/changes/hide-tokens.ts';
import type { RunStatus, StopReason } from '../domain/ledger/run.ts';
import { describeEnd } from '../domain/text/command-output.ts';
import { escapeForLine } from '../domain/text/untrusted-text.ts';
import { errorCatalogue, type GatewrightError, toGatewrightError } from '../errors.ts';

export interface Stop {
  readonly status: Exclude<RunStatus, 'running' | 'done'>;
  readonly reason: StopReason;
  /** The error itself, for the terminal that shows it; null when nothing went wrong. */
  readonly failure: GatewrightError | null;
}

/**
 * What the error or the catalogue says about a stop that a person has to do something about before going on, or can: a proxy that
 * is set wrongly does not mend itself, though the run may be tried again at any time.
 * @param run the id that stands in its commands instead of the word "RUN"
 */
export function adviceOn(reason: StopReason | null, run: string): { readonly advice?: string } {
  if (reason === null || reason.code === 'gate' || reason.code === 'finished') return {};
  if (reason.owner !== 'person' && (reason.owner !== 'time' || reason.until !== undefined)) return {};
  // A ledger may be older or newer than the catalogue.
  const known = new Map<string, { readonly hint: string }>(Object.entries(errorCatalogue)).get(reason.code);
  const advice = reason.advice ?? known?.hint;
  return advice === undefined ? {} : { advice: advice.replaceAll(/\bRUN\b/gu, run) };
}

const mostDetails = 5;
const longestAdvice = 500;

/** What an error lists beside its message: a field of a cassette, a check that failed; bounded, without what it has said. */
export function describeDetails({ message, details }: GatewrightError): string {
  const missing = details.filter((one) => !message.includes(one));
  if (missing.length === 0) return '';
  const shown = missing.slice(0, mostDetails).map((one) => escapeForLine(hideTokens(one), 200));
  const more = missing.length > mostDetails ? [`and ${missing.length - mostDetails} more`] : [];
  const lead = /[.!?…:]\W*$/u.test(message) ? ' ' : missing.length < details.length ? '; ' : ': ';
  return `${lead}${[...shown, ...more].join('; ').replace(/[.;]*$/u, '.')}`;
}

/**
 * Null when nothing may be written: a process that lost its lease leaves the stop to the new holder, and one that may not
 * make an effect to the process that does.
 */
export function explainStop(thrown: unknown, resume: string): Stop | null {
  const error = toGatewrightError(thrown, 'Something unexpected happened: ');
  if (error.code === 'lease-lost' || error.code === 'effect-held-back') return null;
  if (error.code === 'internal') {
    const reason = { code: error.code, message: error.message, owner: 'person', resume } as const;
    return { status: 'failed', reason, failure: error };
  }
  // The ledger keeps only this message: a person who looks at the run later, or on another machine, has no other
  // output.
  const said = `${error.message}${describeDetails(error)}`;
  const message = error.output === null ? said : `${said} ${describeEnd(error.output)}`;
  const isOwn = error.hint !== errorCatalogue[error.code].hint;
  const advice = isOwn ? { advice: escapeForLine(hideTokens(error.hint), longestAdvice) } : {};
  const reason = { code: error.code, message, resume: `${resume} ${error.resumeWith}`.trim(), ...advice };
  // Not a failure: nothing is wrong but the time, and resuming runs the same node again.
  if (error.until !== null) {
    const paused = { ...reason, owner: 'time', until: error.until } as const;
    return { status: 'paused', reason: paused, failure: null };
  }
  // Not a failure either: the process that asks models goes on with it.
  if (error.code === 'waits-for-model')
    return { status: 'waiting', reason: { ...reason, owner: 'time' }, failure: null };
  const status = error.code === 'cancelled' ? 'waiting' : error.retry === 'never' ? 'failed' : 'blocked';
  const owner = error.retry === 'later' ? 'time' : 'person';
  return { status, reason: { ...reason, owner }, failure: error };
}
