/**
 * What a path is, by the one table (path-table.ts). Names are compared as the most forgiving disk would: without
 * capitals, without what cannot be seen, without dots and blanks at their end.
 */
import {
  mergingClasses,
  type PathClass,
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
} from './path-table.ts';
import { type TestRunner, testRunners } from './test-runners.ts';

interface Row extends PathRow {
  readonly anywhere: RegExp;
  readonly atRoot: RegExp;
  readonly isSteering: boolean;
}

export interface PathJudgement {
  readonly class: PathClass;
  /** What such a file is, in words for people. */
  readonly what: string;
}

function toExpression(globs: readonly string[]): RegExp {
  const words = globs.map((glob) => glob.replace(/[.+?^${}()|[\]\\]/gu, '\\$&').replaceAll('*', '.*'));
  // An empty list fits nothing.
  return new RegExp(words.length === 0 ? '(?!)' : `^(?:${words.join('|')})$`, 'u');
}

function compile(row: PathRow): Row {
  const names = row.names ?? [];
  return {
    ...row,
    anywhere: toExpression(names.filter((name) => !name.startsWith('/'))),
    atRoot: toExpression(names.filter((name) => name.startsWith('/')).map((name) => name.slice(1))),
    isSteering: row.class === 'steering',
  };
}

const before = rowsBeforeTests.map(compile);
const steering = before.filter(({ isSteering }) => isSteering);
const after = rowsAfterTests.map(compile);
const ofSource = rowsOfSource.map(compile);
const ofProse = rowsOfProse.map(compile);

/** As the most forgiving disk reads a name: NTFS ends it at a colon, and HFS leaves out what cannot be seen. */
function forgive(part: string): string {
  return part
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*/su, '')
    .replace(/[. ]+$/u, '')
    .toLowerCase();
}

function fits(row: Row, parts: readonly string[]): number {
  return parts.findIndex((part, index) => row.anywhere.test(part) || (index === 0 && row.atRoot.test(part)));
}

const plainPart = /^[A-Za-z0-9_](?:[A-Za-z0-9_.+-]*[A-Za-z0-9_+-])?$/u;
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
const longestPath = 300;

/** Whether all of a path is made of letters, digits and few signs that no disk, shell or screen reads in another way. */
function isPlainName(path: string): boolean {
  return (
    path.length <= longestPath &&
    path.split('/').every((part) => part.length <= 120 && plainPart.test(part) && !device.test(part))
  );
}

interface Name {
  readonly stem: string;
  readonly inner: readonly string[];
  readonly extension: string;
}

function readName(path: string): Name {
  const [stem = '', ...rest] = path.slice(path.lastIndexOf('/') + 1).split('.');
  return { stem, inner: rest.slice(0, -1), extension: rest.at(-1) ?? '' };
}

/** A language or a version, as in README.zh-CN.md and v1.2.md. */
const proseInner = /^(?:[a-z]{2}(?:[-_][A-Za-z]{2,4})?|\d{1,4}|x)$/u;

/** The folders of a path without those that only say in which package of the repository it is. */
function foldersInPackage(path: string): string[] {
  const folders = path
    .split('/')
    .slice(0, -1)
    .map((folder) => folder.toLowerCase());
  return packageFolders.includes(folders[0] ?? '') ? folders.slice(2) : folders;
}

/** Text for people: of known names anywhere, of others at the root or in a folder of documentation. */
function isProse(path: string): boolean {
  const { stem, inner, extension } = readName(path);
  // `a.ts.md` may be a program that is written in a text.
  if (!inner.every((part) => proseInner.test(part) && !sourceExtensions.includes(part))) return false;
  // Deeper in a program, a folder of documentation may hold what the program reads.
  const isDocumentation = proseFolders.includes(foldersInPackage(path)[0] ?? '');
  const name = stem.toLowerCase();
  if (extension === 'txt') return isDocumentation || (inner.length === 0 && proseTextNames.includes(name));
  if (!proseExtensions.includes(extension)) return false;
  return isDocumentation || !path.includes('/') || proseNames.includes(name);
}

/** Whether a source file lies where the source of a program lies. */
function isInSource(path: string): boolean {
  const [first = '', second = ''] = foldersInPackage(path);
  return sourceFolders.includes(first) || (partFolders.includes(first) && sourceFolders.includes(second));
}

const fileEnds = [...sourceExtensions, ...proseExtensions, 'txt'];

/** A folder with the name of a file: the program that reads that file would read the folder instead. */
function isFolderLikeFile(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((folder) => {
    const dot = folder.lastIndexOf('.');
    const end = folder.slice(dot + 1).toLowerCase();
    return dot !== -1 && fileEnds.includes(end);
  });
}

function hasStem(row: PathRow, path: string): boolean {
  const { stem, inner, extension } = readName(path);
  // `config.test.ts` tests the configuration; it is not a configuration file.
  if (inner.includes('test') || inner.includes('spec')) return false;
  return sourceExtensions.includes(extension.toLowerCase()) && (row.stems ?? []).includes(stem.toLowerCase());
}

/** `buildAll.js` is `build-All.js`. */
function splitHumps(path: string): string {
  return path.replace(/([a-z0-9])([A-Z])/gu, '$1-$2');
}

function findRow(rows: readonly Row[], path: string, parts: readonly string[]): Row | null {
  const found = rows.find(
    (row) =>
      fits(row, parts) !== -1 ||
      hasStem(row, path) ||
      (row.patterns ?? []).some((pattern) => pattern.test(path) || pattern.test(splitHumps(path))),
  );
  return found ?? null;
}

/** A file whose own name says that it is a test, not only its folder. */
const namedTest = /(?:^|\/)(?:test[_-][^/]*|[^/]+[._-](?:test|spec)|[^/]*Tests?)\.[a-z]+$/u;

/** @param runners those that the project has; a file that none of them runs is no test */
export function judgePath(path: string, runners: readonly TestRunner[] = testRunners): PathJudgement {
  const parts = path.split('/').map(forgive);
  const steers = findRow(steering, path, parts);
  if (steers !== null) return steers;
  if (path.split('/').some((part) => part.startsWith('.')))
    return { class: 'hidden', what: 'a hidden file, or one in a hidden folder' };
  if (!isPlainName(path))
    return { class: 'odd-name', what: 'a name with other characters than plain letters, digits and “._+-”' };
  const { inner, extension } = readName(path);
  if (isFolderLikeFile(path))
    return { class: 'odd-name', what: 'a file in a folder that is called like a file' };
  const early = findRow(before, path, parts);
  if (early !== null) return early;
  const isTool = after.some(
    (row) =>
      row.class === 'build' &&
      (fits(row, parts) !== -1 ||
        hasStem(row, path) ||
        (!namedTest.test(path) && findRow([row], path, parts) !== null)),
  );
  const runner = isTool ? undefined : runners.find(({ runs }) => runs.test(path));
  if (runner !== undefined) return { class: 'test', what: `a test that ${runner.name} runs` };
  const late = findRow(after, path, parts);
  if (late !== null) return late;
  if (isProse(path)) return findRow(ofProse, path, parts) ?? { class: 'prose', what: 'text for people' };
  if (proseExtensions.includes(extension))
    return { class: 'unknown', what: 'a text outside of the folders of documentation' };
  if (!sourceExtensions.includes(extension)) return { class: 'unknown', what: 'no rule knows it' };
  const held = findRow(ofSource, path, parts);
  if (held !== null) return held;
  if (!inner.every((part) => sourceRoles.includes(part)))
    return { class: 'unknown', what: 'a source file whose name says that it is something else' };
  return isInSource(path)
    ? { class: 'source', what: 'source of a program' }
    : { class: 'unknown', what: 'a source file outside of the folders of source' };
}

/** Whether what a path is may be merged without a person, if all else is well. */
export function mayMerge({ class: one }: PathJudgement): boolean {
  return mergingClasses.includes(one);
}

/** Whether a person has to see an agent's change to this file, no matter what else the file is. */
export function isSteeringPath(path: string): boolean {
  return steeringRootOf(path) !== null;
}

/**
 * The steering file or folder that a path is, or is in; null when there is none. A link in the place of such a folder
 * counts as much as what would be in it, and so does a folder in the place of such a file.
 */
export function steeringRootOf(path: string): string | null {
  const parts = path.split('/');
  const forgiven = parts.map(forgive);
  const found = steering.map((row) => fits(row, forgiven)).filter((index) => index !== -1);
  return found.length === 0 ? null : parts.slice(0, Math.min(...found) + 1).join('/');
}
