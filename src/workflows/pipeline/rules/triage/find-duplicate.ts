/** Finds another open issue that asks for the same, by its title. A title of one word says too little to be the same. */
import { foldLetters } from '../../../../domain/drafts/fold-words.ts';
import { distanceWithin } from '../../../../domain/text/nearest-word.ts';

interface OpenIssue {
  readonly number: number;
  readonly title: string;
}

/** Words that change nothing about what is asked for. "not" and "no" are none of them. */
const empty: ReadonlySet<string> = new Set(
  'a an the this that these those is are was were be been to of in on at for with and it its there please der die das ein eine ist'.split(
    ' ',
  ),
);
const fewestWords = 2;
const fewestWordsIfNear = 4;
const shortestMisspelt = 6;
const longestTitle = 300;

/** "[Bug] fix(ui): The slider" is "slider". A number stays: version 1 is not version 2. */
function wordsOf(title: string): string[] {
  const plain = foldLetters(title.slice(0, longestTitle))
    .replace(/^(?:\s*\[[^\]]*\])+/u, '')
    .replace(/^\s*(?:bug|fix|feat|feature|chore|refactor|docs|style|perf|test|build)(?:\([^)]*\))?!?:/u, '');
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !empty.has(word));
}

/** One letter more, less or other, in a long word that begins in the same way. */
function isMisspelt(a: string, b: string): boolean {
  const isLong = Math.min(a.length, b.length) >= shortestMisspelt;
  return isLong && a[0] === b[0] && !/\p{N}/u.test(a + b) && distanceWithin(a, b, 1) <= 1;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length || a.length < fewestWords) return false;
  const different = a.flatMap((word, index) => (word === b[index] ? [] : [[word, b[index] ?? ''] as const]));
  if (different.length === 0) return true;
  return (
    a.length >= fewestWordsIfNear &&
    different.length === 1 &&
    different.every(([one, other]) => isMisspelt(one, other))
  );
}

/** The numbers of other open issues whose titles say the same, lowest first. */
export function findDuplicates(
  { number, title }: OpenIssue,
  openIssues: readonly OpenIssue[],
): readonly number[] {
  const words = wordsOf(title);
  return openIssues
    .filter((other) => other.number !== number && isSame(words, wordsOf(other.title)))
    .map((other) => other.number)
    .sort((a, b) => a - b);
}
