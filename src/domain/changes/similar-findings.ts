/**
 * Which findings of two reviews are about the same thing. A finding has an identity of its file, its category and its
 * line of code; when the line was touched, it has another one, and its words have to tell.
 */
import { listWords, plainWords } from '../text/plain-words.ts';
import { areOpposite, isNearLine } from './opposite-demands.ts';
import type { ReviewFinding } from './review-finding.ts';

/** How alike the words of two findings have to be: twice the shared words, over the words of both. */
const sameWords = 0.8;
/** So far may a line move while the title alone tells that it is the same; farther off, the explanation has to as well. */
const nearLines = 20;

/** Twice the words that both have, over the words of both: 1 for the same words, 0 for none in common or no words. */
export function wordRatio(a: string, b: string): number {
  const [first, second] = [listWords(a), listWords(b)];
  const left = new Map<string, number>();
  for (const word of first) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of second) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  return first.length + second.length === 0 ? 0 : (2 * shared) / (first.length + second.length);
}

/**
 * How sure it is that two findings are about the same thing: 2 for the same identity, 0 for different things. One that asks
 * for the opposite is never the same, though it stands at the same line and shares most of its words.
 */
function likeness(a: ReviewFinding, b: ReviewFinding): number {
  if (a.id === b.id) return areOpposite(a, b) ? 0 : 2;
  if (a.path !== b.path || plainWords(a.category) !== plainWords(b.category)) return 0;
  const title = wordRatio(a.title, b.title);
  const ratio = isNearLine(a, b, nearLines)
    ? title
    : Math.min(title, wordRatio(`${a.title} ${a.detail}`, `${b.title} ${b.detail}`));
  return ratio >= sameWords && !areOpposite(a, b) ? ratio : 0;
}

export interface SameFinding {
  readonly before: ReviewFinding;
  readonly now: ReviewFinding;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The findings in an order of their own, each identity once, so that the order in which a model lists them changes nothing. */
export function sortFindings(findings: readonly ReviewFinding[]): ReviewFinding[] {
  const sorted = findings
    .map((finding) => ({ finding, order: JSON.stringify([finding.id, finding]) }))
    .sort((a, b) => compareTexts(a.order, b.order))
    .map(({ finding }) => finding);
  return sorted.filter(({ id }, index) => sorted[index - 1]?.id !== id);
}

/** Pairs of findings about the same thing, each finding in one pair at most; the surest pairs first. */
export function matchFindings(
  before: readonly ReviewFinding[],
  now: readonly ReviewFinding[],
): SameFinding[] {
  const earlier = sortFindings(before);
  const pairs = sortFindings(now)
    .flatMap((finding) => earlier.map((one) => ({ before: one, now: finding, sure: likeness(one, finding) })))
    .filter(({ sure }) => sure > 0)
    .sort(
      (a, b) => b.sure - a.sure || compareTexts(a.now.id, b.now.id) || compareTexts(a.before.id, b.before.id),
    );
  const taken = { before: new Set<string>(), now: new Set<string>() };
  return pairs.flatMap((pair) => {
    if (taken.before.has(pair.before.id) || taken.now.has(pair.now.id)) return [];
    taken.before.add(pair.before.id);
    taken.now.add(pair.now.id);
    return [{ before: pair.before, now: pair.now }];
  });
}
