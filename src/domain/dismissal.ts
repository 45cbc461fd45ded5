/**
 * Which findings of a review a comment dismisses. It has to say so plainly, called by name and with the identity of the
 * finding: "@claude dismiss 3f9a0c11d2 because the list is never empty". Quotes, code, conditions and questions dismiss
 * nothing.
 */
import { spokenBlocks, withoutMention } from './spoken-text.ts';

export interface Dismissal {
  readonly finding: string;
  /** As it was said; empty when nothing was. */
  readonly why: string;
}

const longestWhy = 500;

const identity = '[0-9a-f]{10}';
const order = new RegExp(
  `^(?:please )?dismiss (${identity}(?:(?:,| and|, and)? ${identity})*)[.!]?(?:[,:]? (?:because|since|as) (.+))?$`,
  'iu',
);

/** Sentences that begin with the call, in the order in which they stand; what comes before the first one spoils it. */
function splitOrders(block: string, handle: string): string[] {
  const call = new RegExp(`(?<=^|[.!;] )(?=@${handle}(?![\\w-]))`, 'iu');
  return block.split(call).map((part) => part.trim());
}

/** Each finding once; the first reason given counts. */
export function readDismissals(comment: string, handle: string): Dismissal[] {
  const found = new Map<string, Dismissal>();
  for (const block of spokenBlocks(comment)) {
    for (const part of splitOrders(block, handle)) {
      if (!part.toLowerCase().startsWith(`@${handle.toLowerCase()}`)) continue;
      const match = order.exec(withoutMention(part, handle));
      if (match === null) continue;
      const why = [...(match[2] ?? '').trim()].slice(0, longestWhy).join('');
      for (const [finding] of (match[1] ?? '').toLowerCase().matchAll(new RegExp(identity, 'gu')))
        if (!found.has(finding)) found.set(finding, { finding, why });
    }
  }
  return [...found.values()];
}
