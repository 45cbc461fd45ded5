/** What in a line of an edited verdict looks like another box. Used to refuse, never to approve. */

/** What may stand before a box on its line: quotes, bullets, numbers, cells, tags, marks of emphasis. */
const lead = /^(?:[\s>|*+\-~_"'`´•·]|\d{1,9}[.)]|<[^>]*>)*/u;

/** Square brackets with next to nothing in them, and the signs that people and keyboards have for the same. */
const square = /^[[［【〔❲](?<inside>[^\]］】〕❳\n]{0,3})[\]］】〕❳]/u;
const round = /^[(（{](?<inside>[\sxXvVyY✓✔✗✘*+•●-]{0,3})[)）}]/u;
const sign = /^[☐☑☒⬜✅✔✓✗✘❎❌🗹🗸🔘◉○●⚪⚫]\uFE0F?\s*[*_~`]*\s*(?:APPROVED|REVISE|DISCUSS)/iu;

/**
 * A link with a short name: "[PR](https://…)", "[#12](…)". A name by which a box may be marked is none.
 */
const link =
  /^\[(?!(?:x+|v+|y|ok|yes|no)\])(?:[a-z]{2,3}|#?\d{1,3})\]\((?:https?:\/\/|\.{0,2}\/|#)[^()\s]+\)/iu;

/** Whether a line begins like a box, ticked or not, wherever it stands; `onlyMarked` leaves out those that are empty. */
export function isBoxLike(line: string, options: { readonly onlyMarked?: boolean } = {}): boolean {
  const rest = line.replace(lead, '');
  if (sign.test(rest)) return true;
  if (link.test(rest)) return false;
  const found = square.exec(rest) ?? round.exec(rest);
  if (found === null) return false;
  return options.onlyMarked !== true || (found.groups?.inside ?? '').trim() !== '';
}

/** One or two signs in brackets, as a box is marked, wherever it stands in a sentence. */
const mark = /\[\s*[^\s\]]{1,2}\s*\]/u;

/** @param shown the words as they are shown, so that escaped and encoded brackets are brackets */
export function hasMark(shown: string): boolean {
  return mark.test(shown.normalize('NFKC').replace(/\p{Cf}/gu, ''));
}
