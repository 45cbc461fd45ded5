/** Reads objects of a repository by their ids, from one git process for many of them. Null is no answer: git is asked anew. */
import { areIds } from '../known-answers.ts';
import type { LastingGit, Reading } from './lasting-git.ts';

interface ObjectFacts {
  readonly id: string;
  readonly kind: string;
  readonly size: number;
}

interface FoundObject extends ObjectFacts {
  readonly content: Buffer;
}

export interface TreeEntry {
  readonly mode: string;
  /** A character for each byte: a name need not be UTF-8. */
  readonly name: string;
  readonly object: string;
}

/** Longer ones are read by a process of their own. */
const longestContent = 16 * 1024 * 1024;
const longestHeader = 65_536;
/** A tree with more folders is listed by git itself, which is quicker then. */
const mostFolders = 200;
const mostFiles = 2000;

const header = /^(?<id>[0-9a-f]{40}|[0-9a-f]{64}) (?<kind>commit|tree|blob|tag) (?<size>\d{1,15})$/u;

/** The first line; of one that is no answer (`… missing`) the facts are null. */
function readHeader(output: Buffer): Reading<ObjectFacts | null> {
  const end = output.indexOf(10);
  if (end < 0) return output.length > longestHeader ? null : { needed: output.length + 1 };
  const { id = '', kind = '', size = '' } = header.exec(output.toString('latin1', 0, end))?.groups ?? {};
  return { value: id === '' ? null : { id, kind, size: Number(size) }, length: end + 1 };
}

function readContent(output: Buffer): Reading<FoundObject | null> {
  const first = readHeader(output);
  if (first === null || 'needed' in first) return first;
  if (first.value === null) return { value: null, length: first.length };
  const end = first.length + first.value.size;
  // A line break follows the content.
  if (output.length < end + 1) return { needed: end + 1 };
  const content = Buffer.from(output.subarray(first.length, end));
  return { value: { ...first.value, content }, length: end + 1 };
}

const folderMode = '040000';
const repositoryMode = '160000';
/** What git writes; it understands other modes of old programs as well, and then it is asked itself. */
const modes: ReadonlySet<string> = new Set([folderMode, '100644', '100755', '120000', repositoryMode]);

/** The entries of a tree object; null if it is damaged or not as git would write it. */
function readEntries(content: Buffer, idLength: number): TreeEntry[] | null {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const [space, end] = [content.indexOf(32, at), content.indexOf(0, at)];
    const next = end + 1 + idLength / 2;
    if (space < 0 || end < space || next > content.length) return null;
    const mode = content.toString('latin1', at, space).padStart(6, '0');
    const name = content.toString('latin1', space + 1, end);
    if (!modes.has(mode) || name === '' || name.includes('/')) return null;
    entries.push({ mode, name, object: content.toString('hex', end + 1, next) });
    at = next;
  }
  return entries;
}

/** A name of one line; a longer one would be two questions. */
const isOneLine = (name: string): boolean => name.length < 8192 && !/[\n\r\0]/u.test(name);

const mostKnownTrees = 1000;
const longestKnownTree = 100;

/** Trees by the id that was asked for, their own or that of a commit: it stands for the same tree for ever. */
export class KnownTrees {
  readonly #trees = new Map<string, readonly TreeEntry[]>();

  get(id: string): readonly TreeEntry[] | undefined {
    return this.#trees.get(id);
  }

  keep(id: string, entries: readonly TreeEntry[]): void {
    if (!areIds([id]) || entries.length > longestKnownTree) return;
    if (this.#trees.size >= mostKnownTrees) this.#trees.clear();
    this.#trees.set(id, entries);
  }
}

export class ObjectReader {
  readonly #git: () => LastingGit;
  readonly #known: KnownTrees;

  /**
   * @param git one that runs `cat-file --batch-command`
   * @param known of the same repository
   */
  constructor(git: () => LastingGit, known: KnownTrees) {
    this.#git = git;
    this.#known = known;
  }

  /** @param name an id, or what git understands behind one: `ID^{tree}`, `ID:path` */
  async look(name: string): Promise<ObjectFacts | null> {
    return isOneLine(name) ? this.#git().ask(`info ${name}\n`, readHeader) : null;
  }

  /** Text without what is not text; null also where it is too long. */
  async readText(name: string): Promise<string | null> {
    const facts = await this.look(name);
    if (facts?.kind !== 'blob' || facts.size > longestContent) return null;
    return (await this.#read(facts.id))?.content.toString('utf8') ?? null;
  }

  async #read(name: string): Promise<FoundObject | null> {
    return isOneLine(name) ? this.#git().ask(`contents ${name}\n`, readContent) : null;
  }

  async readCommit(id: string): Promise<Buffer | null> {
    const found = await this.#read(id);
    return found?.kind === 'commit' && found.id === id ? found.content : null;
  }

  /** Whether a tree or commit surely has nothing at a path. */
  async hasSurelyNot(treeish: string, path: string): Promise<boolean> {
    let at: string | undefined = treeish;
    for (const name of Buffer.from(path, 'utf8').toString('latin1').split('/')) {
      if (['', '.', '..'].includes(name)) return false;
      const entries: readonly TreeEntry[] | null = await this.readTree(at);
      if (entries === null) return false;
      const entry = entries.find((one) => one.name === name);
      if (entry === undefined) return true;
      if (entry.mode !== folderMode) return false;
      at = entry.object;
    }
    return false;
  }

  async readTree(treeish: string): Promise<readonly TreeEntry[] | null> {
    const known = this.#known.get(treeish);
    if (known !== undefined) return known;
    const found = await this.#read(`${treeish}^{tree}`);
    const entries = found?.kind === 'tree' ? readEntries(found.content, found.id.length) : null;
    if (entries !== null) this.#known.keep(treeish, entries);
    return entries;
  }

  /** All files below a commit or tree, as `ls-tree -r -z` prints them, with `-l` if their sizes are wanted. */
  async list(treeish: string, withSizes: boolean): Promise<string | null> {
    if (!areIds([treeish])) return null;
    const left = { folders: mostFolders, files: mostFiles };
    const lines = await this.#listBelow(treeish, '', withSizes, left);
    return lines === null ? null : Buffer.from(lines.join(''), 'latin1').toString('utf8');
  }

  async #listBelow(
    treeish: string,
    before: string,
    withSizes: boolean,
    left: { folders: number; files: number },
  ): Promise<string[] | null> {
    left.folders -= 1;
    const entries = left.folders < 0 ? null : await this.readTree(treeish);
    left.files -= entries?.length ?? 0;
    if (entries === null || left.files < 0) return null;
    const listed = await Promise.all(
      entries.map(({ mode, name, object }) =>
        mode === folderMode
          ? this.#listBelow(object, `${before}${name}/`, withSizes, left)
          : this.#showFile({ mode, name: before + name, object }, withSizes),
      ),
    );
    return listed.some((lines) => lines === null) ? null : listed.flatMap((lines) => lines ?? []);
  }

  async #showFile({ mode, name, object }: TreeEntry, withSizes: boolean): Promise<string[] | null> {
    const kind = mode === repositoryMode ? 'commit' : 'blob';
    if (!withSizes) return [`${mode} ${kind} ${object}\t${name}\0`];
    if (kind === 'commit') return [`${mode} ${kind} ${object}       -\t${name}\0`];
    const facts = await this.look(object);
    return facts === null ? null : [`${mode} ${kind} ${object} ${String(facts.size).padStart(7)}\t${name}\0`];
  }
}
