/** What commits and pull requests are called. */

import { escapeForLine } from '../text/untrusted-text.ts';
import { longestTitle } from './forge-texts.ts';

/**
 * The title of the issue on one visible line, for commits and pull requests. The author of a title may be a stranger,
 * and forges read it there: "fixes #1" would close that issue with the merge, and an `@name` would notify that person.
 */
export function plainTitle(title: string, number: number): string {
  const quiet = escapeForLine(title, longestTitle)
    .replace(/(\w?)#(?=\d)/gu, (_, before: string) => (before === '' ? 'no. ' : `${before} no. `))
    .replace(/\bGH-(?=\d)/giu, 'GH ')
    .replace(/\bhttps?:\/\//giu, '')
    .replace(/(?<![A-Za-z0-9])@(?=\w)/gu, '@ ');
  const line = escapeForLine(quiet, longestTitle - 56);
  return line === '' ? `Work on #${number}` : line;
}
