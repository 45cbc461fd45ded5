/** What commits and pull requests are called, and what the message of a commit says. */

import { escapeForLine } from '../text/untrusted-text.ts';
import { longestTitle } from './forge-texts.ts';

/** Taking something out may put two halves together, so this is repeated until nothing is found. */
function quieten(line: string): string {
  return line
    .replace(/https?:\/\//giu, '')
    .replace(/(\w?)#(?=\d)/gu, (_, before: string) => (before === '' ? 'no. ' : `${before} no. `))
    .replace(/\bGH-(?=\d)/giu, 'GH ')
    .replace(/(?<![A-Za-z0-9])@(?=\w)/gu, '@ ')
    .replace(/\[\s*((?:skip|no|ci|actions)[ -](?:skip|ci|actions))\s*\]/giu, '($1)')
    .replace(/\*{3}(NO_CI)\*{3}/giu, '$1')
    .replace(/^(\s*)([A-Za-z-]+-(?:by|checks)):/iu, '$1$2 -');
}

/**
 * One visible line that a forge does not act on: "fixes #1" would close that issue with the merge, an `@name` would
 * notify that person, and "[skip ci]" would keep the builds of the commit from running.
 */
function quietLine(line: string, longest: number): string {
  let quiet = escapeForLine(line, longest);
  for (let before = ''; quiet !== before; ) {
    before = quiet;
    quiet = quieten(quiet);
  }
  return quiet;
}

/**
 * The title of the issue on one visible line, for commits and pull requests. The author of a title may be a stranger,
 * and forges read it there.
 */
export function plainTitle(title: string, number: number): string {
  const line = escapeForLine(quietLine(title, longestTitle), longestTitle - 56);
  return line === '' ? `Work on #${number}` : line;
}

const longestText = 4000;
const longestLine = 500;

/** The words of a model or a stranger in the message of a commit: lines that a forge and git do not act on. */
export function plainText(text: string): string {
  const lines = text
    .slice(0, longestText)
    .split(/\r\n?|[\n\u2028\u2029]/u)
    .map((line) => quietLine(line, longestLine).trimEnd());
  return lines
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}
