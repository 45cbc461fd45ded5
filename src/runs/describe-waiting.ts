/** What a person is asked for on the forge, and what to do about it, in words for lists. */
import { convergenceWords } from '../domain/changes/convergence-words.ts';
import { loopLimit } from '../domain/fleet/loop-limit.ts';
import { restartOf } from '../domain/fleet/restart-words.ts';
import { quoteForShell } from '../domain/text/quote-for-shell.ts';
import type { Waiting } from '../ports/ledger.ts';

const reasons = {
  plan: 'its plan waits for an answer',
  continue: `reached the continue limit (${loopLimit})`,
  fix: `reached the correction limit (${loopLimit}); its review is not clean`,
  conflict: `reached the update limit (${loopLimit}); it conflicts with its base`,
} as const;

export interface WaitingWords {
  readonly why: string;
  /** What to do there. */
  readonly how: string;
  /** The command that says more. */
  readonly command: string;
}

function cancelledWords({ run, agent, by }: NonNullable<Waiting['cancelled']>, call: string) {
  const restart = restartOf(agent);
  const again =
    restart === null ? '' : 'say' in restart ? `comment there: ${call} ${restart.say}` : restart.do;
  return { why: `${by} cancelled the run ${run} of the ${agent}`, how: again };
}

function wordsOf({
  what,
  handle,
  unmet = [],
  because,
  cancelled,
}: Waiting): Pick<WaitingWords, 'why' | 'how'> {
  if (what === 'merge') {
    const each = (words: readonly string[]): string => [...new Set(words)].join('; ');
    return {
      why: `not merged: ${each(unmet.map((one) => one.what))}`,
      how: each(unmet.map(({ how }) => how)),
    };
  }
  const call = `@${handle ?? 'the agent'}`;
  if (what === 'cancelled')
    return cancelled === undefined
      ? { why: 'its work was cancelled', how: '' }
      : cancelledWords(cancelled, call);
  const words = what === 'plan' ? 'approve (or what to change)' : 'continue (or what to do)';
  const why = because === undefined ? reasons[what] : `corrections ended: ${convergenceWords[because]}`;
  return { why, how: `comment there: ${call} ${words}` };
}

/** Texts may come from other authors: they are escaped where they are shown. */
export function describeWaiting(waiting: Waiting): WaitingWords {
  return { ...wordsOf(waiting), command: `gatewright explain ${quoteForShell(waiting.subject)}` };
}
