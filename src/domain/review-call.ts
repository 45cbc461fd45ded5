/** Asking for a review again that stopped: what is said, and whether there is one. Pure. */
import { begunAgentRun } from './begun-agent-run.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { mentions, spokenBlocks, withoutMention } from './spoken-text.ts';

const review = /^(?:please )?(?:re-?)?review(?: (?:this|it))?(?: again| anew)?(?:,? please)?$/iu;
const goOn = /^(?:please )?(?:continue|go on|try again|retry)(?:,? please)?$/iu;

/** `continue` is for whoever stopped. Null when more, or something else, is said: that is for the implementer. */
export function readReviewCall(comment: string, handle: string): 'review' | 'continue' | null {
  const [block, ...more] = spokenBlocks(comment);
  if (block === undefined || more.length > 0 || !mentions(comment, handle)) return null;
  const said = withoutMention(block, handle).replace(/[\s.,!]+$/u, '');
  // Some letters are others in lower case; an order is in plain ones.
  if (/[^ -~]/u.test(said)) return null;
  if (review.test(said)) return 'review';
  return goOn.test(said) ? 'continue' : null;
}

/** Whether the last run of an agent about a subject has stopped and nobody has taken it up since. */
export function hasStopped(entries: readonly LedgerEntry[], agent: 'reviewer' | 'implementer'): boolean {
  const begun = entries.findLast((entry) => begunAgentRun(entry)?.agent === agent);
  if (begun === undefined) return false;
  const last = entries.findLast(
    ({ kind, run }) =>
      run === begun.run && (kind === 'run-stopped' || kind === 'run-resumed' || kind === 'run-ended'),
  );
  return last?.kind === 'run-stopped';
}
