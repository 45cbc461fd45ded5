/**
 * Which findings of a review a comment dismisses. It has to say so plainly, called by name and with the identity of the
 * finding: "@claude dismiss 3f9a0c11d2 because the list is never empty". Quotes, code, conditions and questions dismiss
 * nothing.
 */
import { calledSentences, gap, isPartlyRead, spokenBlocks, withoutMention } from './spoken-text.ts';

export interface Dismissal {
  readonly finding: string;
  /** As it was said; empty when nothing was. */
  readonly why: string;
}

const longestWhy = 500;

const identity = '[0-9a-f]{10}';
const order = new RegExp(
  `^(?:please )?dismiss (${identity}(?:(?:,| and|, and)? ${identity})*)(?:,? (?:please|thanks|thank you))?[.!]?(?:[,:]? (?:because|since|as) (.+))?$`,
  'iu',
);

/** What makes a reason a doubt, a condition or a joke. */
const doubts: readonly RegExp[] = [
  /\?/u,
  /\bunless\b/iu,
  /\b(?:only|but) (?:if|when|after|once)\b/iu,
  /\bif (?:you|we|they|he|she|everybody|everyone|somebody|nobody|[a-z]+ agrees?)\b/iu,
  /\bbut (?:only|not|wait|first|please|don't|do not|i|let)\b/iu,
  /\bnot yet\b/iu,
  /\bkidding\b/iu,
  /^(?:soon|long) as\b/iu,
  /^(?:if|not|no)\b[^a-z]*$/iu,
  /\b(?:do not|don't|never|not) dismiss\b/iu,
  /\bwait (?:until|till|for)\b/iu,
  /\b(?:provided|assuming) (?:that|you|we|they|he|she)\b/iu,
  /(?:^|\s)\/s\b/iu,
];

function isDoubted(why: string): boolean {
  // Something that is no words and stands alone gives no reason, and may say anything.
  return doubts.some((doubt) => doubt.test(why)) || why.replaceAll(gap, '').trim() === '';
}

/** What takes an order back when it stands beside it, as people begin or say it. */
const takenBack: readonly RegExp[] = [
  /^(?:(?:please|but|and|well|hm+|oh|ok|okay|so|just),? )*(?:don't|do not|never|no|nope|not|wait|stop|hold|scratch|ignore|disregard|forget|undo|actually|if|unless|only|except|but|for example|e\.g|example)\b/iu,
  /\b(?:second thoughts?|kidding|never ?mind|scratch that|take (?:it|that|this) back|what (?:happens|if)|do not dismiss|don't dismiss)\b/iu,
  /\b(?:don't|do not|not)[.!]?$/iu,
  /\?/u,
  /^\/s\b/u,
];

/** Whether what is said beside the orders may take them back. */
function isTakenBack(comment: string, handle: string): boolean {
  return spokenBlocks(comment).some((block) => {
    const orders = calledSentences(block, handle);
    const beside = orders.reduce((text, one) => text.replace(one, ' . '), block).replaceAll(gap, ' ');
    return beside
      .replace(/\u2019/gu, "'")
      .split(/(?<=[.!?;:])\s/u)
      .some((sentence) => takenBack.some((pattern) => pattern.test(sentence.trim())));
  });
}

/** Each finding once; the first reason given counts. */
export function readDismissals(comment: string, handle: string): Dismissal[] {
  const found = new Map<string, Dismissal>();
  if (isPartlyRead(comment) || isTakenBack(comment, handle)) return [];
  for (const block of spokenBlocks(comment)) {
    for (const part of calledSentences(block, handle)) {
      const match = order.exec(withoutMention(part, handle));
      if (match === null || (match[2] !== undefined && isDoubted(match[2]))) continue;
      // Some letters are others in lower case; the order itself is in plain ones.
      if (/[^ -~]/u.test(match[0].slice(0, match[0].length - (match[2]?.length ?? 0)))) continue;
      const said = (match[2] ?? '').replaceAll(gap, '…').trim();
      const why = [...said].slice(0, longestWhy).join('');
      for (const [finding] of (match[1] ?? '').toLowerCase().matchAll(new RegExp(identity, 'gu')))
        if (!found.has(finding)) found.set(finding, { finding, why });
    }
  }
  return [...found.values()];
}
