/** The page on what a path is, from the table of paths and the table of test runners. */
import {
  mergingClasses,
  type PathRow,
  proseExtensions,
  proseFolders,
  proseTextNames,
  rowsAfterTests,
  rowsBeforeTests,
  rowsOfProse,
  rowsOfSource,
  sourceExtensions,
  sourceRoles,
} from '../src/domain/path-table.ts';
import { testRunners } from '../src/domain/test-runners.ts';
import { markdownTable, note } from './page-parts.ts';

const code = (text: string): string => `\`${text}\``;
const list = (words: readonly string[]): string => words.map(code).join(' ');

function rowOf(row: PathRow): string[] {
  const stems = (row.stems ?? []).length === 0 ? [] : [`source files called ${list(row.stems ?? [])}`];
  const patterns = (row.patterns ?? []).map(({ source }) => `what fits ${code(source)}`);
  const parts = [list(row.names ?? []), ...stems, ...patterns].filter((part) => part !== '');
  return [code(row.class), row.what, parts.join('; ')];
}

function rowsTable(rows: readonly PathRow[]): string {
  return markdownTable(['class', 'what it is', 'by which names'], rows.map(rowOf));
}

export function pathsPage(): string {
  return [
    '# What a path is',
    note,
    `Every path has a class, by its name. Only ${mergingClasses.map(code).join(', ')} may be [merged without a person](review-and-merge.md#merging); everything that no rule knows is \`unknown\` and asks a person. The first rule that fits decides. A name stands for files and folders, wherever they are; \`*\` is anything within a name, and \`/\` at the beginning means the root of the repository. Names are compared without capitals, without characters that cannot be seen, and without dots and blanks at their end.`,
    '## First: what asks a person, whatever else it is',
    rowsTable(rowsBeforeTests),
    'A change to what is `steering` is merged by hand only. Coding agents work with the files of the base in its place, and their changes to it are left out. So is every other path with a part that begins with a dot (`hidden`), and every name with other characters than plain letters, digits, `.`, `_`, `+` and `-` (`odd-name`): both ask a person.',
    '## Then: `test`, what a runner of the project runs',
    'Which runners a project has is read from its base: from `fleet.verify`, and where that only calls a script or a build, from `package.json`, `pyproject.toml` and the files below. Where nobody can tell which runner the command calls, nothing counts as a test.',
    markdownTable(
      ['runner', 'runs what fits', 'shown by'],
      testRunners.map(({ name, runs, shownBy = [] }) => [name, code(runs.source), list(shownBy)]),
    ),
    '## Then: more that asks a person',
    rowsTable(rowsAfterTests),
    '## Then: `prose`',
    `Text that people read and nothing runs: files that end in ${list(proseExtensions.map((one) => `.${one}`))}; and \`.txt\` in a folder called ${list(proseFolders)} or with one of the names ${list(proseTextNames)}. Between two dots of the name stands a language or a number, if anything. Not among them:`,
    rowsTable(rowsOfProse),
    '## Last: `source`',
    `Files that end in ${list(sourceExtensions.map((one) => `.${one}`))}. Between two dots of the name stands one of ${list(sourceRoles)}, if anything. Not among them:`,
    rowsTable(rowsOfSource),
  ].join('\n\n');
}
