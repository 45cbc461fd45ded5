/**
 * Which findings of a review a comment dismisses. A closed grammar, as for approvals: orders such as
 * "@claude dismiss 3f9a0c11d2 because the list is never empty", thanks and pleasantries, and nothing else. A reason is one
 * plain clause. What says more dismisses nothing, and the person is asked.
 */
import { isPolite } from '../../../domain/spoken/plan-approval.ts';
import {
  calledSentences,
  gap,
  isPartlyRead,
  mentions,
  spokenBlocks,
  withoutMention,
} from '../../../domain/spoken/spoken-text.ts';

export interface Dismissal {
  readonly finding: string;
  /** As it was said; empty when nothing was. */
  readonly why: string;
}

const longestWhy = 500;

const identity = '[0-9a-f]{10}';
const order = new RegExp(
  `^(?:please )?dismiss (${identity}(?:(?:,| and|, and)? ${identity})*)(?:,? (?:please|thanks|thank you))?[.!]?(?:[,:]? (?:because|since) (.+))?$`,
  'iu',
);

/** One clause of plain words, without the marks behind which another one begins. */
const clause = /^[\p{L}\p{M}\p{N}\uFFFC'"’“”&/+_#=<> .-]+$/u;

/** What makes a clause a doubt, a condition or a joke all the same. The form above is what grants; these only refuse. */
const doubts: readonly RegExp[] = [
  /\bunless\b/iu,
  /\b(?:only|but) (?:if|when|after|once)\b/iu,
  /\bif (?:you|we|they|he|she|everybody|everyone|somebody|nobody|[a-z]+ agrees?)\b/iu,
  /\bbut (?:only|not|wait|first|please|don't|do not|i|let)\b/iu,
  /\bnot yet\b/iu,
  /\bkidding\b/iu,
  /^(?:if|not|no)\b[^a-z]*$/iu,
  /\b(?:do not|don't|never|not) dismiss\b/iu,
  /\bwait (?:until|till|for)\b/iu,
  /\b(?:provided|assuming) (?:that|you|we|they|he|she)\b/iu,
  /(?:^|\s)\/s\b/iu,
  // Another sentence, or a break in it.
  /[.] |\.\.|\s-+\s|…/u,
];

function isDoubted(why: string): boolean {
  // A reason without words gives no reason, and may mean anything.
  if (why.replaceAll(gap, '').trim() === '' || !clause.test(why)) return true;
  return doubts.some((doubt) => doubt.test(why));
}

interface Order {
  readonly findings: readonly string[];
  readonly why: string;
}

/** Null when it is no order that can be taken at its word. */
function readOrder(words: string): Order | null {
  const match = order.exec(words);
  if (match === null || (match[2] !== undefined && isDoubted(match[2]))) return null;
  // Some other letters become plain ones in lower case; an order has to be written in plain letters.
  if (/[^ -~]/u.test(match[0].slice(0, match[0].length - (match[2]?.length ?? 0)))) return null;
  const said = (match[2] ?? '').replaceAll(gap, '…').trim();
  const named = (match[1] ?? '').toLowerCase().matchAll(new RegExp(identity, 'gu'));
  return {
    findings: [...named].map(([finding]) => finding),
    why: [...said].slice(0, longestWhy).join(''),
  };
}

/** The orders of a comment; null when something else stands in it. */
function readOrders(comment: string, handle: string): Order[] | null {
  const orders: Order[] = [];
  for (const block of spokenBlocks(comment)) {
    const called = calledSentences(block, handle);
    const before = called[0] === undefined ? block : block.slice(0, block.indexOf(called[0]));
    if (!isPolite(before, handle)) return null;
    for (const one of called) {
      const found = readOrder(withoutMention(one, handle));
      if (found === null && !isPolite(one, handle)) return null;
      if (found !== null) orders.push(found);
    }
  }
  return orders;
}

/** Each finding once; the first reason given counts. */
export function readDismissals(comment: string, handle: string): Dismissal[] {
  const found = new Map<string, Dismissal>();
  if (isPartlyRead(comment)) return [];
  for (const { findings, why } of readOrders(comment, handle) ?? [])
    for (const finding of findings) if (!found.has(finding)) found.set(finding, { finding, why });
  return [...found.values()];
}

/**
 * Whether a comment that mentions us is about dismissing a finding, in any words: if it dismissed nothing, its author
 * is told.
 */
export function speaksOfDismissing(comment: string, handle: string): boolean {
  if (!mentions(comment, handle)) return false;
  const named = new RegExp(`\\bdismiss\\b.*\\b${identity}\\b`, 'iu');
  return spokenBlocks(comment).some((block) => named.test(block));
}
