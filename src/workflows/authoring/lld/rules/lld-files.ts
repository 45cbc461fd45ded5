/** Checks the files of a design against the repository: the table of section 2.1, and what section 12 promises. */

import type { Finding } from '../../../../domain/drafts/verdict.ts';
import { FileTree, foldersAbove, isUsablePath, longestPath } from '../../../rules/file-tree.ts';
import type { FileRow } from './lld-document.ts';
import { blocking, shown } from './lld-findings.ts';

const tableSection = '2.1 Files Changed';
/** Folders that drafters take for granted. */
const guessedFolders = ['src', 'lib', 'app'];
function checkTable(rows: readonly FileRow[]): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const path = shown(row.path);
    if (!isUsablePath(row.path)) {
      const fix = 'Give one path a row, from the root of the repository, with forward slashes.';
      findings.push(blocking(tableSection, `"${path}" is not a path inside the repository.`, fix));
    } else if (seen.has(row.path)) {
      findings.push(blocking(tableSection, `\`${path}\` is listed twice.`, 'Keep one row for each file.'));
    }
    seen.add(row.path);
    if (row.change === null) {
      const problem = `"${shown(row.changeWord)}" for \`${path}\` is no kind of change.`;
      findings.push(
        blocking(tableSection, problem, 'Write Add, Modify or Delete; "(Directory)" may follow.'),
      );
    }
  }
  return findings;
}

/** A declared folder stands before what is put into it. */
function checkOrder(rows: readonly FileRow[]): Finding[] {
  const findings: Finding[] = [];
  /** Folders that rows so far are in, each with the first such row. */
  const entered = new Map<string, string>();
  for (const row of rows) {
    const early = entered.get(row.path);
    if (row.isDirectory && row.change === 'add' && early !== undefined) {
      const problem = `The folder \`${shown(row.path)}\` is declared after \`${shown(early)}\`, which is in it.`;
      findings.push(blocking(tableSection, problem, 'Declare a folder before its files.'));
    }
    for (const folder of foldersAbove(row.path)) {
      if (!entered.has(folder)) entered.set(folder, row.path);
    }
  }
  return findings;
}

function checkRow(row: FileRow, declared: ReadonlySet<string>, tree: FileTree): Finding[] {
  const path = shown(row.path);
  if (row.change === 'modify' || row.change === 'delete') {
    if (tree.has(row.path)) return [];
    const problem = `\`${path}\` does not exist, so it cannot be changed.${tree.suggest(row.path)}`;
    return [blocking(tableSection, problem, 'Name a file that exists, or add it.')];
  }
  if (tree.files.has(row.path) || (tree.folders.has(row.path) && !row.isDirectory)) {
    return [blocking(tableSection, `\`${path}\` exists already, so it cannot be added.`, 'Call it Modify.')];
  }
  const above = foldersAbove(row.path);
  const file = above.find((folder) => tree.files.has(folder));
  if (file !== undefined) {
    const problem = `\`${shown(file)}\` is a file, so \`${path}\` cannot be put into it.`;
    return [blocking(tableSection, problem, 'Put it into a folder.')];
  }
  const [top = ''] = row.path.split('/');
  if (
    row.path.includes('/') &&
    guessedFolders.includes(top) &&
    !tree.folders.has(top) &&
    !declared.has(top)
  ) {
    const problem = `There is no folder \`${top}/\` in this repository.${tree.suggest(row.path)}`;
    const fix = `Use the folders there are, or declare \`${top}/\` with "(Directory)".`;
    return [blocking(tableSection, problem, fix)];
  }
  const [parent = '', grandparent = ''] = above;
  // One new folder goes without saying; more than that is either declared or a mistake.
  const isKnown =
    tree.folders.has(parent) || declared.has(parent) || tree.folders.has(grandparent) || row.isDirectory;
  if (isKnown) return [];
  const problem = `Nothing says where the folder \`${shown(parent)}\` of \`${path}\` comes from.${tree.suggest(row.path)}`;
  return [blocking(tableSection, problem, 'Declare new folders with "(Directory)" before their files.')];
}

/** Everything about section 2.1. */
export function checkFiles(rows: readonly FileRow[] | null, files: readonly string[]): Finding[] {
  if (rows === null || rows.length === 0) {
    return [
      blocking(tableSection, 'There is no table of files.', 'List every file with Add, Modify or Delete.'),
    ];
  }
  const usable = rows.filter((row) => isUsablePath(row.path));
  const tree = new FileTree(files);
  const declared = new Set(
    usable.filter((row) => row.isDirectory && row.change === 'add').map((row) => row.path),
  );
  return [
    ...checkTable(rows),
    ...checkOrder(usable),
    ...usable.filter((row) => row.change !== null).flatMap((row) => checkRow(row, declared, tree)),
  ];
}

/** Whether a word in the text is meant as a path: a package or a media type is written the same way. */
function isPath(name: string, tree: FileTree, planned: ReadonlySet<string>): boolean {
  if (name.length > longestPath || /[:*$(){}<>=|"']/u.test(name)) return false;
  if (/^(?:\.\.?|~)?\//u.test(name)) return true;
  if (!name.includes('/')) return tree.files.has(name);
  const [top = ''] = name.split('/');
  if (tree.folders.has(top) || planned.has(top)) return true;
  const isMediaType = /^(?:application|audio|font|image|multipart|text|video)\/[\w.+-]+$/u.test(name);
  return !isMediaType && !name.startsWith('@') && /(?:\/|\.\w{1,8})$/u.test(name);
}

/** Every path that section 12 speaks of is among the files of section 2.1. */
export function checkDone(
  names: readonly string[],
  rows: readonly FileRow[],
  files: readonly string[],
): Finding[] {
  const usable = rows.filter((row) => isUsablePath(row.path));
  const listed = new Set(usable.map((row) => row.path));
  // A folder that is changed or removed goes with all that is in it; what a new one will hold is listed.
  const whole = new Set(usable.filter((row) => row.change !== 'add').map((row) => row.path));
  const planned = new Set(usable.flatMap((row) => foldersAbove(row.path)));
  const fileNames = new Set(usable.map((row) => row.path.slice(row.path.lastIndexOf('/') + 1)));
  const tree = new FileTree(files);
  const isCovered = (path: string): boolean =>
    listed.has(path) ||
    planned.has(path) ||
    (!path.includes('/') && fileNames.has(path)) ||
    (isUsablePath(path) && foldersAbove(path).some((folder) => whole.has(folder)));
  return names
    .filter((name) => isPath(name, tree, planned))
    .map((name) => name.replace(/^(?:\.\/)+/u, '').replace(/\/$/u, ''))
    .filter((path) => !isCovered(path))
    .map((path) =>
      blocking(
        '12 Definition of Done',
        `\`${shown(path)}\` is not among the files of section 2.1.`,
        'List it there, or do not promise it here.',
      ),
    );
}
