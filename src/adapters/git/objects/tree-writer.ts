/**
 * Writes trees with one git process for many of them, without an index: only the folders in which something changes are
 * written anew. Null is no answer: then an index of its own does it, and that also says why something cannot be done.
 */
import { isGitFolder } from '../../../domain/changes/plain-path.ts';
import type { LastingGit, Reading } from './lasting-git.ts';
import type { ObjectReader, TreeEntry } from './object-reader.ts';

export interface NewEntry {
  readonly path: string;
  readonly mode: string;
  readonly object: string;
}

interface TreeChange {
  /** A commit or tree; null for the empty one. */
  readonly base: string | null;
  /** These go before anything is added. */
  readonly removed: readonly string[];
  readonly added: readonly NewEntry[];
}

/** All files of a tree, as `ls-tree -r -z` prints them. */
type ListTree = (treeish: string) => Promise<string | null>;

type Leaf = Pick<TreeEntry, 'mode' | 'object'>;
interface Folder {
  readonly entries: Map<string, Leaf | Folder>;
  hasChanged: boolean;
  /** Of the tree as it was; null for a new one. */
  readonly object: string | null;
}
const isFolder = (entry: Leaf | Folder | undefined): entry is Folder =>
  entry !== undefined && 'entries' in entry;

const folderMode = '040000';
const mostFolders = 500;
const fileModes: ReadonlySet<string> = new Set(['100644', '100755', '120000', '160000']);

/**
 * Names that no rule of git forbids, on no disk. Git itself decides about the others: about its own folder under any of its
 * names, about `..`, about what is not ASCII.
 */
function isPlainName(name: string, mode: string): boolean {
  const isAscii = /^[ -~]+$/u.test(name) && !/[\\:~/]/u.test(name);
  const isOwnOfGit = /^\.git[. ]*$/iu.test(name) || (mode === '120000' && /^\.git/iu.test(name));
  return isAscii && !isOwnOfGit && !/^\.{1,2}$/u.test(name);
}

function isPlain({ path, mode, object }: NewEntry): boolean {
  const names = path.split('/');
  const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(object);
  return isId && fileModes.has(mode) && names.every((name) => isPlainName(name, mode));
}

/** Whether git would read a tree with this file into an index: it refuses names that are its own or lead elsewhere. */
function isOrdinary(line: string): boolean {
  const path = line.slice(line.indexOf('\t') + 1);
  const isLink = line.startsWith('120000');
  return path.split('/').every((name) => {
    if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(name)) return true;
    const isOwnOfGit = isGitFolder(name) || (isLink && /^\.git/iu.test(name));
    return !isOwnOfGit && !['', '.', '..'].includes(name) && !name.includes('\\');
  });
}

/** One line with an id. */
function readId(output: Buffer): Reading<string> {
  const end = output.indexOf(10);
  if (end < 0) return output.length > 100 ? null : { needed: output.length + 1 };
  const value = output.toString('latin1', 0, end);
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(value) ? { value, length: end + 1 } : null;
}

export class TreeWriter {
  readonly #reader: ObjectReader;
  readonly #list: ListTree;
  readonly #git: () => LastingGit;

  /** @param git one that runs `mktree -z --batch` */
  constructor(reader: ObjectReader, list: ListTree, git: () => LastingGit) {
    this.#reader = reader;
    this.#list = list;
    this.#git = git;
  }

  async write({ base, removed, added }: TreeChange): Promise<string | null> {
    if (!added.every(isPlain)) return null;
    const files = base === null ? '' : await this.#list(base);
    const isOrdinaryTree = files?.split('\0').slice(0, -1).every(isOrdinary) ?? false;
    const root = base === null ? makeEmptyFolder() : isOrdinaryTree ? await this.#read(base) : null;
    if (root === null) return null;
    const editor = new TreeEditor(root, (object) => this.#read(object));
    for (const path of removed) if (!(await editor.remove(path))) return null;
    for (const entry of added) if (!(await editor.add(entry))) return null;
    return this.#writeFolder(root);
  }

  async #read(treeish: string): Promise<Folder | null> {
    const entries = await this.#reader.readTree(treeish);
    return entries === null ? null : makeFolder(entries, treeish);
  }

  async #writeFolder(folder: Folder): Promise<string | null> {
    const below = [...folder.entries].filter(([, entry]) => isFolder(entry)) as [string, Folder][];
    const lines: string[] = [];
    for (const [name, entry] of below) {
      // Git keeps no empty folders.
      if (entry.hasChanged && isEmpty(entry)) continue;
      const object = entry.hasChanged ? await this.#writeFolder(entry) : entry.object;
      if (object === null) return null;
      lines.push(`${folderMode} tree ${object}\t${name}\0`);
    }
    for (const [name, entry] of folder.entries)
      if (!isFolder(entry)) lines.push(`${entry.mode} ${kindOf(entry.mode)} ${entry.object}\t${name}\0`);
    return this.#git().ask(Buffer.from(`${lines.join('')}\0`, 'latin1'), readId);
  }
}

function kindOf(mode: string): string {
  return mode === folderMode ? 'tree' : mode === '160000' ? 'commit' : 'blob';
}

/** Null when two entries have the same name: git knows what that means. */
function makeFolder(entries: readonly TreeEntry[], object: string): Folder | null {
  const named = new Map(entries.map(({ name, ...leaf }): [string, Leaf] => [name, leaf]));
  return named.size < entries.length ? null : { entries: named, hasChanged: false, object };
}

const makeEmptyFolder = (): Folder => ({ entries: new Map(), hasChanged: true, object: null });

function isEmpty(folder: Folder): boolean {
  return [...folder.entries.values()].every((entry) => isFolder(entry) && entry.hasChanged && isEmpty(entry));
}

/** Changes folders as an index does: what is in the way of a new file goes. */
class TreeEditor {
  readonly #root: Folder;
  readonly #read: (object: string) => Promise<Folder | null>;
  #left = mostFolders;

  constructor(root: Folder, read: (object: string) => Promise<Folder | null>) {
    this.#root = root;
    this.#read = read;
  }

  /** False if git has to do it. */
  async remove(path: string): Promise<boolean> {
    const names = toBytes(path).split('/');
    const last = names.pop() ?? '';
    const folders = [this.#root];
    for (const name of names) {
      const below = await this.#open(folders.at(-1) as Folder, name);
      if (below === null) return false;
      if (below === undefined) return true;
      folders.push(below);
    }
    const entries = (folders.at(-1) as Folder).entries;
    const entry = entries.get(last);
    // A folder is no file: what is below it has paths of its own.
    if (entry === undefined || isFolder(entry) || entry.mode === folderMode) return true;
    entries.delete(last);
    for (const folder of folders) folder.hasChanged = true;
    return true;
  }

  async add({ path, mode, object }: NewEntry): Promise<boolean> {
    const names = toBytes(path).split('/');
    const last = names.pop() ?? '';
    let folder = this.#root;
    folder.hasChanged = true;
    for (const name of names) {
      const found = await this.#open(folder, name);
      if (found === null) return false;
      const below = found ?? makeEmptyFolder();
      folder.entries.set(name, below);
      below.hasChanged = true;
      folder = below;
    }
    folder.entries.set(last, { mode, object });
    return true;
  }

  /** Undefined when there is no such folder, null when it cannot be read. */
  async #open(folder: Folder, name: string): Promise<Folder | null | undefined> {
    const entry = folder.entries.get(name);
    if (entry === undefined || isFolder(entry)) return entry;
    if (entry.mode !== folderMode) return undefined;
    this.#left -= 1;
    const found = this.#left < 0 ? null : await this.#read(entry.object);
    if (found !== null) folder.entries.set(name, found);
    return found;
  }
}

function toBytes(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1');
}
