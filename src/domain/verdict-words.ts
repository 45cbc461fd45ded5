/** What in a line of an edited verdict looks like another box, an objection or a condition. Used to refuse, never to approve. */

/** What may stand before a box on its line: quotes, bullets, numbers, cells, tags, marks of emphasis. */
const lead = /^(?:[\s>|*+\-~_"'`´•·]|\d{1,9}[.)]|<[^>]*>)*/u;

/** Square brackets with next to nothing in them, and the signs that people and keyboards have for the same. */
const square = /^[[［【〔❲](?<inside>[^\]］】〕❳\n]{0,3})[\]］】〕❳]/u;
const round = /^[(（{](?<inside>[\sxXvVyY✓✔✗✘*+•●-]{0,3})[)）}]/u;
const sign = /^[☐☑☒⬜✅✔✓✗✘❎❌🗹🗸🔘◉○●⚪⚫]\uFE0F?\s*[*_~`]*\s*(?:APPROVED|REVISE|DISCUSS)/iu;

/** Whether a line begins like a box, ticked or not, wherever it stands; `onlyMarked` leaves out those that are empty. */
export function isBoxLike(line: string, options: { readonly onlyMarked?: boolean } = {}): boolean {
  const rest = line.replace(lead, '');
  if (sign.test(rest)) return true;
  const found = square.exec(rest) ?? round.exec(rest);
  if (found === null) return false;
  return options.onlyMarked !== true || (found.groups?.inside ?? '').trim() !== '';
}

/** Whether something is called blocking, and not said to be no longer so. */
export function mentionsBlocking(text: string): boolean {
  const without = text.replace(
    /\b(?:non|not|no|no longer|nothing|never|isn.t|aren.t|un)[\s-]*(?:(?:is|else|more|longer|left|a|any)\s+)*block\w*/giu,
    '',
  );
  return /block(?:ing|ers?|s|ed)?\b/iu.test(without);
}

/** Words by which people say that they do not approve, or not yet. */
const objections =
  /approv|reject|revis|discuss|verdict|\bveto|\bnack\b|not (?:yet|ready|ok|okay|good|like this|so)\b|(?:do|must|should|can|may|will)(?: not|n.t|not)\b.{0,20}\b(?:file|merge|go on|proceed|continue|ship|accept)|\b(?:hold|wait)\b|\bstop\b|\bonly (?:after|if|when|once|with)\b|\b(?:unless|until|once|provided|assuming|pending|subject to|as (?:long|soon) as|on condition|conditional)|\bnope\b|^\W*no\W*$|[❌👎🚫🛑⛔✋🙅❎✖🔴🚧⚠😡]/iu;

export function isDoubtful(line: string): boolean {
  return objections.test(line) || mentionsBlocking(line);
}
