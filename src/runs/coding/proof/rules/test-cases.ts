/** The test cases that the lines of a file hold, by the forms of the common languages. */
import type { DiffFile, DiffLine } from './read-diff.ts';
import { sideOf } from './read-diff.ts';

export interface TestCase {
  readonly name: string;
  readonly line: number;
}

/** Longer lines are not written by hand. */
const longestLine = 1000;

/** `it('name'`, `test.each(table)('name'`, the name behind a table, and `it "name"` of other languages. */
const named = [
  /\b(?:it|test|specify|scenario|fit|xit|xtest)(?:\.[A-Za-z]+){0,4}\s?(?:\([^'"`]{0,200}\)|`[^`]*`)?\s?\(\s*(['"`])(.{1,300}?)\1/u,
  /^\s*[\])}]+\)\(\s*(['"`])(.{1,300}?)\1/u,
  /^\s*(?:it|test|specify|scenario)\s+(['"])(.{1,300}?)\1/u,
];
const functions = [/^\s*(?:async\s+)?def\s+(test\w*)\s*\(/u, /\bfunc(?:tion)?\s+(test\w+)\s*\(/u];
/** Go is strict about the capital: a function `testAdds` is no test there, as it is in other languages. */
const functionsOfGo = [/^func\s+(?:\([^)]*\)\s*)?((?:Test|Fuzz|Example)(?![a-z])\w*)\s*\(/u];
/** What stands before a function and makes it a test. */
const mark =
  /#\[(?:\w+::)*test\b|#\[rstest\b|@(?:Test|ParameterizedTest|RepeatedTest|Property)\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b/u;
const markedName = /\b(?:fn|fun|void|def|Task|func)\s+`?([\w ]{1,200})`?\s*\(/u;

export function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/?\*|--|;|#(?!\[))/u.test(text);
}

function listIn(lines: readonly DiffLine[], path: string): TestCase[] {
  const forms = path.endsWith('.go') ? functionsOfGo : functions;
  const found: TestCase[] = [];
  let isMarked = false;
  for (const { text, line } of lines) {
    if (text.length > longestLine || isComment(text)) continue;
    if (mark.test(text)) isMarked = true;
    const [, name] = isMarked ? (markedName.exec(text) ?? []) : [];
    const match = named.map((form) => form.exec(text)).find((one) => one !== null);
    const [, plain] = forms.map((form) => form.exec(text)).find((one) => one !== null) ?? [];
    const shown = name ?? match?.[2] ?? plain;
    if (shown === undefined) continue;
    isMarked = false;
    found.push({ name: shown, line });
  }
  return found;
}

/** Those of one list that are not in the other; a name that stands twice has to be there twice. */
function without(cases: readonly TestCase[], others: readonly TestCase[]): TestCase[] {
  const left = new Map<string, number>();
  for (const { name } of others) left.set(name, (left.get(name) ?? 0) + 1);
  return cases.filter(({ name }) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

/** What a diff adds to the cases of a file and takes from them. A mark that is removed takes its case away. */
export function changedCases({ hunks, path, previousPath }: DiffFile): {
  readonly removed: TestCase[];
  readonly added: TestCase[];
} {
  const old = hunks.flatMap((hunk) => listIn(sideOf(hunk, 'old'), previousPath));
  const fresh = hunks.flatMap((hunk) => listIn(sideOf(hunk, 'new'), path));
  return { removed: without(old, fresh), added: without(fresh, old) };
}
