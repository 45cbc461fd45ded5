/** What a repository holds, by name: which paths there are, and which of them may have been meant by another. */
import { isGitFolder, isPlainPath } from '../../domain/changes/plain-path.ts';
import { inertCode } from '../../domain/text/inert-markdown.ts';
import { nearestWords } from '../../domain/text/nearest-word.ts';

/**
 * A guess compares with every file of the repository; a drafter with this many wrong paths needs the list, not more
 * guesses.
 */
const mostGuesses = 12;
export const longestPath = 400;

/** Forward slashes, from the root of the repository, to something that is neither git's own nor hidden in a name. */
export function isUsablePath(path: string): boolean {
  if (path.length > longestPath || /^~|^[A-Za-z]:|[`\t\n]|^\{.*\}$/u.test(path)) return false;
  return isPlainPath(path) && !path.split('/').some(isGitFolder);
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** The folders that a path is in, the nearest first, the root as an empty name. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    folders.push(folder);
    if (folder === '') return folders;
  }
}

/** What a repository holds, to be asked many times. */
export class FileTree {
  readonly files: ReadonlySet<string>;
  readonly folders = new Set(['']);
  readonly #all: readonly string[];
  #byName: Map<string, string[]> | null = null;
  #guesses = 0;

  constructor(files: readonly string[]) {
    this.#all = files;
    this.files = new Set(files);
    for (const file of files) {
      for (let folder = folderOf(file); !this.folders.has(folder); folder = folderOf(folder)) {
        this.folders.add(folder);
      }
    }
  }

  has(path: string): boolean {
    return this.files.has(path) || this.folders.has(path);
  }

  /** Up to three files that have the name which a path ends with. */
  ofSameName(path: string): readonly string[] {
    if (this.#byName === null) {
      this.#byName = new Map();
      for (const file of this.#all) {
        const name = file.slice(file.lastIndexOf('/') + 1);
        const known = this.#byName.get(name) ?? [];
        if (known.length < 3) this.#byName.set(name, [...known, file]);
      }
    }
    return this.#byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  }

  /** Up to three real paths that may have been meant: those of the same name first. */
  guess(path: string): string[] {
    this.#guesses += 1;
    if (this.#guesses > mostGuesses) return [];
    const near = nearestWords(path, this.#all, 3);
    return [...new Set([...this.ofSameName(path), ...near])].slice(0, 3);
  }

  /** The same as a question, behind a sentence; empty when there is no guess. */
  suggest(path: string): string {
    const names = this.guess(path);
    return names.length === 0 ? '' : ` Did you mean ${names.map((one) => `${inertCode(one)}`).join(' or ')}?`;
  }
}
