/**
 * Which files of a tree must not be taken over from another author: links that leave the tree, folders that git would
 * read as a repository, and names that another machine could not tell apart or not write at all. Only new and changed
 * files are refused: people already accepted what is on the branch.
 */

import { escapeForTerminal, hasUnsafeCharacters } from '../text/untrusted-text.ts';
import { foldName, isGitFolder, isShortGitName } from './plain-path.ts';
import type { TreeFile } from './tree-file.ts';
import { describeLink, foldPath, followLink, type LinkGround } from './tree-link.ts';

export interface UnsafeFile {
  readonly path: string;
  /** As a sentence. */
  readonly why: string;
}

export interface JudgedFile extends Pick<TreeFile, 'path' | 'kind'> {
  /** Against the tree before; one that became a link, or was one, is new. */
  readonly state: 'same' | 'changed' | 'new';
  /** Where a link leads. */
  readonly target?: string;
}

/** In characters: checked out somewhere, it still has to fit below a folder. */
export const longestPath = 400;
/** In bytes, of one name: the limit of most disks. */
export const longestName = 255;

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The path, made safe for a sentence. */
export function nameForPeople(path: string): string {
  const shown = escapeForTerminal(path).replace(/[\n\t]/gu, ' ');
  return shown.length <= 120 ? shown : `${shown.slice(0, 80)}… (${path.length} characters)`;
}

/** Some disks leave out characters that cannot be seen, shorten names, or do not tell capitals from small letters. */
export function describeName(path: string): string | null {
  const shown = JSON.stringify(nameForPeople(path));
  if (path.length > longestPath) return `${shown} is longer than ${longestPath} characters.`;
  const parts = path.split('/');
  if (parts.some((part) => byteLength(part) > longestName))
    return `${shown} has a name of more than ${longestName} bytes in it.`;
  if (path.includes('\uFFFD')) return `${shown} is no name for a file: it is not UTF-8.`;
  if (parts.some((part) => isGitFolder(part) || isShortGitName(part)))
    return `${shown} is no name for a file: git keeps it for itself.`;
  const isNone =
    hasUnsafeCharacters(path) ||
    /[\n\t\\]/u.test(path) ||
    // One of spaces alone is none on Windows, and nothing that people could see.
    parts.some((part) => part.trim() === '' || ['.', '..'].includes(part));
  return isNone ? `${shown} is no name for a file.` : null;
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

const marks = new Set(['head', 'objects', 'refs', 'commondir']);

/**
 * Folders that git would take for a repository without a work tree (or for the git folder of a work tree, whose
 * `commondir` leads to the rest), together with the settings in them. The content of the files is not looked at.
 */
function findRepositories(files: readonly JudgedFile[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const { path } of files) {
    const parts = path.split('/');
    for (const [index, part] of parts.entries()) {
      const mark = foldName(part);
      if (!marks.has(mark)) continue;
      const folder = parts.slice(0, index).join('/');
      found.set(folder, (found.get(folder) ?? new Set()).add(mark));
    }
  }
  return [...found].flatMap(([folder, names]) =>
    names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
      ? [folder]
      : [],
  );
}

/** The root is a repository anyway; beside its own git folder only the marks themselves could make it another. */
function isInRepository(path: string, folder: string): boolean {
  return folder === '' ? marks.has(foldName(path.split('/')[0] ?? '')) : path.startsWith(`${folder}/`);
}

/** Names of which another machine could keep only one. */
function findCollisions(files: readonly JudgedFile[]): UnsafeFile[] {
  const spelled = new Set<string>();
  const folded = new Map<string, string>();
  const known = new Map<string, string>();
  const fold = (path: string): string => {
    const slash = path.lastIndexOf('/');
    const parent = slash === -1 ? '' : `${known.get(path.slice(0, slash)) ?? ''}/`;
    const own = `${parent}${foldName(path.slice(slash + 1))}`;
    known.set(path, own);
    return own;
  };
  const add = (path: string): string | null => {
    if (spelled.has(path)) return null;
    const other = folded.get(fold(path));
    if (other !== undefined) return other;
    spelled.add(path);
    folded.set(known.get(path) ?? path, path);
    return null;
  };
  const steps = (path: string): string[] => [...foldersOf(path), path];
  // Of two that were there before, both stay.
  for (const { path } of files.filter(({ state }) => state !== 'new'))
    for (const step of steps(path)) if (add(step) !== null) spelled.add(step);
  return files
    .filter(({ state }) => state === 'new')
    .flatMap(({ path }) => {
      for (const step of steps(path)) {
        const other = add(step);
        if (other !== null)
          return [
            {
              path,
              why: `${nameForPeople(path)} and ${nameForPeople(other)} are the same name on some disks.`,
            },
          ];
      }
      return [];
    });
}

function makeGround(files: readonly JudgedFile[]): LinkGround {
  const plain = files.filter(({ kind }) => kind === 'file' || kind === 'program');
  const links = files.filter(({ kind }) => kind === 'link');
  return {
    files: new Set(plain.map(({ path }) => path)),
    folders: new Set(files.flatMap(({ path }) => foldersOf(path))),
    links: new Map(links.map(({ path }) => [foldPath(path), path] as const)),
  };
}

function findLinks(files: readonly JudgedFile[]): UnsafeFile[] {
  const changed = new Set(files.filter(({ state }) => state !== 'same').map(({ path }) => path));
  const ground = makeGround(files);
  return files.flatMap(({ path, kind, target, state }) => {
    if (kind !== 'link') return [];
    // Of those that were there, some are not read: nothing has changed about where they lead.
    if (target === undefined && state === 'same') return [];
    const led = followLink(path, target ?? '', ground);
    if (!('refused' in led)) return [];
    if (state !== 'same') return [{ path, why: describeLink(nameForPeople(path), led) }];
    // A link that was fine leads through one that is new.
    return led.refused === 'through' && changed.has(led.link)
      ? [
          {
            path: led.link,
            why: `${nameForPeople(led.link)} is a link that another link, ${nameForPeople(path)}, leads through.`,
          },
        ]
      : [];
  });
}

function judgeOnce(files: readonly JudgedFile[]): UnsafeFile[] {
  const ours = files.filter(({ state }) => state !== 'same');
  const named = ours.flatMap(({ path, kind }) => {
    const why = describeName(path);
    if (why !== null) return [{ path, why }];
    return kind === 'repository'
      ? [{ path, why: `${nameForPeople(path)} is a repository in the repository.` }]
      : [];
  });
  const repositories = findRepositories(files).flatMap((folder) =>
    ours
      .filter(({ path }) => isInRepository(path, folder))
      .map(({ path }) => ({
        path,
        why: `${nameForPeople(folder === '' ? 'the root' : folder)} is a folder that git takes for a repository.`,
      })),
  );
  return [...named, ...repositories, ...findLinks(files), ...findCollisions(files)];
}

/** For each file at most one reason, in the order in which they were found. */
export function judgeTree(files: readonly JudgedFile[]): UnsafeFile[] {
  const found = new Map<string, UnsafeFile>();
  if (files.every(({ state }) => state === 'same')) return [];
  // What is left out may be what a link leads to: so what is left is looked at again.
  for (;;) {
    const left = files.filter(({ path }) => !found.has(path));
    const more = judgeOnce(left).filter(({ path }) => !found.has(path));
    if (more.length === 0) return [...found.values()];
    for (const unsafe of more) if (!found.has(unsafe.path)) found.set(unsafe.path, unsafe);
  }
}
