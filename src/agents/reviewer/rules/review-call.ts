/** Whether a comment asks for a stopped review again. Pure. */
import { mentions, spokenBlocks, withoutMention } from '../../../domain/spoken/spoken-text.ts';

const review = /^(?:please )?(?:re-?)?review(?: (?:this|it))?(?: again| anew)?(?:,? please)?$/iu;
const goOn = /^(?:please )?(?:continue|go on|try again|retry)(?:,? please)?$/iu;

/**
 * `continue` is for the agent that stopped. Null when the comment says more, or something else: such a comment is for
 * the implementer.
 */
export function readReviewCall(comment: string, handle: string): 'review' | 'continue' | null {
  const [block, ...more] = spokenBlocks(comment);
  if (block === undefined || more.length > 0 || !mentions(comment, handle)) return null;
  const said = withoutMention(block, handle).replace(/[\s.,!]+$/u, '');
  // Some other letters become plain ones in lower case; an order has to be written in plain letters.
  if (/[^ -~]/u.test(said)) return null;
  if (review.test(said)) return 'review';
  return goOn.test(said) ? 'continue' : null;
}
