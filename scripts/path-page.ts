/** The page on what a path is, from the table of paths and the table of test runners: short tables, then every name. */
import {
  mergingClasses,
  type PathRow,
  packageFolders,
  partFolders,
  proseExtensions,
  proseFolders,
  proseNames,
  proseTextNames,
  rowsAfterTests,
  rowsBeforeTests,
  rowsOfProse,
  rowsOfSource,
  sourceExtensions,
  sourceFolders,
  sourceRoles,
} from '../src/domain/changes/path-table.ts';
import { testRunners } from '../src/domain/changes/test-runners.ts';
import { markdownTable, note } from './page-parts.ts';

const code = (text: string): string => `\`${text}\``;
const list = (words: readonly string[]): string => words.map(code).join(' ');
const mostExamples = 5;

function examplesOf(row: PathRow): string {
  const names = [...(row.names ?? []), ...(row.stems ?? []).map((stem) => `${stem}.*`)];
  const few = names.filter((_, index) => index % Math.ceil(names.length / mostExamples) === 0);
  return few.length === 0
    ? 'by an expression, below'
    : `${list(few)}${names.length > few.length ? ' …' : ''}`;
}

function shortTable(rows: readonly PathRow[]): string {
  return markdownTable(
    ['class', 'what it is', 'examples'],
    rows.map((row) => [code(row.class), row.what, examplesOf(row)]),
  );
}

/** Everything that a row knows, folded away: it is for looking up, not for reading. */
function wholeRow(row: PathRow): string {
  const parts = [
    list(row.names ?? []),
    (row.stems ?? []).length === 0 ? '' : `Source files that are called ${list(row.stems ?? [])}`,
    ...(row.patterns ?? []).map(({ source }) => `What fits\n\n\`\`\`text\n${source}\n\`\`\``),
  ].filter((part) => part !== '');
  const title = `<code>${row.class}</code>: ${row.what}`;
  return [`<details><summary>${title}</summary>`, ...parts, '</details>'].join('\n\n');
}

function folded(title: string, words: readonly string[]): string {
  return [`<details><summary>${title}</summary>`, list(words), '</details>'].join('\n\n');
}

export function pathsPage(): string {
  const ends = (extensions: readonly string[]): string[] => extensions.map((one) => `.${one}`);
  return [
    '# What a path is',
    note,
    `Every path has a class, by its name. Only three classes may be [merged without a person](review-and-merge.md#merging); all others ask a person.`,
    markdownTable(
      ['class', 'what it is', 'where'],
      [
        ['`prose`', 'text for people', 'the root, a folder of documentation, or a name like `README.md`'],
        ['`test`', 'what a test runner of the project runs', 'where that runner looks'],
        ['`source`', 'source of a program', `a folder of source: ${list(sourceFolders)}`],
      ],
    ),
    `Rules are read from the top, and the first that fits decides. What no rule knows is \`unknown\` and asks a person. So does a path with a part that begins with a dot (\`hidden\`), and a name with other characters than plain letters, digits, \`.\`, \`_\`, \`+\` and \`-\`, or a folder that is called like a file (\`odd-name\`).`,
    'A name in the tables stands for files and folders, wherever they are. `*` is anything within a name; `/` at the beginning means the root of the repository. Names are compared without capitals, without characters that cannot be seen, and without dots and blanks at their end.',
    '## First: what asks a person, whatever else it is',
    shortTable(rowsBeforeTests),
    'A change to what is `steering` is merged by hand only. Coding agents work with the files of the base in its place, and their changes to it are left out.',
    '## Then: `test`, what a runner of the project runs',
    'Which runners a project has is read from its base: from `fleet.verify`, and where that only calls a script or a build, from `package.json`, `pyproject.toml` and the files below. What a runner runs follows its configuration where that is written down as a list: `testMatch` of jest, `include` of vitest, `files` of ava, `spec` of mocha, `python_files` of pytest, and files or patterns that the command or a script names itself (`node test.js`, `tape test/*.js`). Where it cannot be told which runner the command calls or what it runs, nothing counts as a test.',
    markdownTable(
      ['runner', 'shown by'],
      testRunners.map(({ name, shownBy = [] }) => [
        name,
        shownBy.length === 0 ? 'its command' : list(shownBy),
      ]),
    ),
    '## Then: more that asks a person',
    shortTable(rowsAfterTests),
    '## Then: `prose`',
    [
      `- Files that end in ${list(ends(proseExtensions))}, at the root or in a folder called ${list(proseFolders)}.`,
      '- Files with these endings and a name that is for people, such as `README` or `CHANGELOG`, wherever they lie.',
      `- \`.txt\` in a folder of documentation, or with such a name.`,
      '- Between two dots of the name stands a language or a number, if anything.',
    ].join('\n'),
    'A Markdown file elsewhere, for example in `src/pages` or `content`, may be a page whose build runs what stands in it, so it asks a person. `.mdx`, `.rmd`, `.qmd` and the like always do. If the site that is built from your folder of documentation runs code in `.md` files (VitePress, Docusaurus, Observable), path classes do not see that: keep the label `auto-merge` from such changes, or protect the folder with required reviews. Not prose either:',
    shortTable(rowsOfProse),
    '## Last: `source`',
    [
      `- The file has the ending of a source language, such as \`.ts\`, \`.py\` or \`.go\`.`,
      `- It lies in a folder of source: ${list(sourceFolders)}. That folder is at the root, in a package (${list(packageFolders.map((one) => `${one}/NAME/`))}) or in a part of the program (${list(partFolders.map((one) => `${one}/`))}).`,
      '- Between two dots of the name stands a role such as `service` or `controller`, if anything.',
    ].join('\n'),
    'A source file at the root of the repository or of a package asks a person: there, scripts of tools stand beside the code, and no list knows all their names. In a repository that keeps its program in the root, a person merges, or sets the label.',
    'Not source either:',
    shortTable(rowsOfSource),
    '## Every name',
    'For looking up. The classes that may be merged without a person:',
    [
      folded('endings of <code>source</code>', ends(sourceExtensions)),
      folded('roles between two dots of a source file', sourceRoles),
      folded('names of <code>prose</code>, with the endings above', proseNames),
      folded('names of <code>prose</code> that end in <code>.txt</code>', proseTextNames),
      ...testRunners.map(
        ({ name, runs }) =>
          `<details><summary><code>test</code> of ${name}</summary>\n\n\`\`\`text\n${runs.source}\n\`\`\`\n\n</details>`,
      ),
    ].join('\n\n'),
    `Those that ask a person (all but ${mergingClasses.map(code).join(', ')}):`,
    [...rowsBeforeTests, ...rowsAfterTests, ...rowsOfProse, ...rowsOfSource].map(wholeRow).join('\n\n'),
  ].join('\n\n');
}
