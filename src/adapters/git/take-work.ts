/**
 * What of a coding agent's folder becomes part of a tree. It is read by us, byte by byte: git, its attributes and its filters
 * have no say, and nothing gets into the objects of the repository before it was looked at. What must not come in is left
 * out and named, and the rest is kept.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { type FoundSecret, findNewSecrets, findSecretKind } from '../../domain/changes/find-secrets.ts';
import { hideTokens } from '../../domain/changes/hide-tokens.ts';
import {
  type JudgedFile,
  judgeTree,
  nameForPeople,
  type UnsafeFile,
} from '../../domain/changes/judge-tree.ts';
import { isSteeringPath } from '../../domain/changes/path-class.ts';
import type { TreeFile } from '../../domain/changes/tree-file.ts';
import { systemErrorCode } from '../../errors.ts';
import type { BaseTree, SizedTreeFile } from './base-tree.ts';
import { changeLimits, fitChange } from './fit-change.ts';
import { type FolderReader, hasChanged } from './folder-reader.ts';
import type { ListedWork, WorkEntry } from './list-work.ts';
import { stateOf } from './tree-files.ts';

/** A file that becomes part of the tree, and the file of ours that its content was copied to. */
export interface TakenFile extends Pick<TreeFile, 'path' | 'kind'> {
  readonly copy: string;
}

export interface TakenWork {
  readonly taken: readonly TakenFile[];
  readonly removed: readonly string[];
  readonly leftOut: readonly string[];
  readonly problems: readonly UnsafeFile[];
  readonly secrets: readonly FoundSecret[];
}

interface Candidate extends WorkEntry {
  readonly state: 'changed' | 'new';
}

/** People do not read more problems than this. */
const mostProblems = 200;

export class WorkTaker {
  readonly #reader: FolderReader;
  readonly #base: BaseTree;
  readonly #copies: string;
  readonly #readOld: (object: string) => Promise<string>;
  /** The files of another commit that were put into the copy; null where those of its base steer it. */
  readonly #steering: ReadonlyMap<string, SizedTreeFile> | null;
  readonly #problems = new Map<string, UnsafeFile>();
  readonly #secrets: FoundSecret[] = [];
  readonly #taken = new Map<string, TakenFile & { readonly state: Candidate['state'] }>();
  readonly #targets = new Map<string, string>();
  /** Whose content is that of the base. */
  readonly #unchanged = new Set<string>();
  #copied = 0;

  constructor(
    reader: FolderReader,
    base: BaseTree,
    copies: string,
    readOld: (object: string) => Promise<string>,
    steering: ReadonlyMap<string, SizedTreeFile> | null = null,
  ) {
    this.#reader = reader;
    this.#base = base;
    this.#copies = copies;
    this.#readOld = readOld;
    this.#steering = steering;
  }

  async take(work: ListedWork): Promise<TakenWork> {
    mkdirSync(this.#copies, { recursive: true, mode: 0o700 });
    for (const problem of work.problems) this.#refuse(problem);
    const changed = await this.#findChanged(work.entries);
    const removed = this.#findRemoved(work);
    const leftOut = this.#findLeftOut(work, [...changed.map(({ path }) => path), ...removed]);
    const candidates = changed.filter(({ path }) => !isSteeringPath(path));
    this.#refuseSecondNames(work.entries, candidates);
    const sized = candidates.filter(({ path }) => !this.#problems.has(path));
    for (const unsafe of fitChange(
      sized.map(({ path, size, state }) => ({ path, size, isNew: state === 'new' })),
      this.#base.folders,
    ))
      this.#refuse(unsafe);
    for (const candidate of sized) {
      if (this.#problems.has(candidate.path)) continue;
      await breathe();
      await this.#copy(candidate);
    }
    const gone = removed.filter((path) => !isSteeringPath(path));
    this.#judge(gone);
    return {
      taken: [...this.#taken.values()].map(({ path, kind, copy }) => ({ path, kind, copy })),
      removed: gone,
      leftOut,
      problems: [...new Map([...this.#problems.values()].map((one) => [one.why, one])).values()].slice(
        0,
        mostProblems,
      ),
      secrets: this.#secrets,
    };
  }

  /**
   * What was done to files that steer agents and builds. Where those of another commit were put into the copy, the copy
   * differs from its base by them, and no agent did that.
   */
  #findLeftOut({ entries }: ListedWork, differing: readonly string[]): string[] {
    const steering = this.#steering;
    if (steering === null) return differing.filter(isSteeringPath).sort();
    const there = new Set(entries.map(({ path }) => path));
    const changed = entries
      .filter(({ path }) => isSteeringPath(path))
      .filter((entry) => {
        const put = steering.get(entry.path);
        return put === undefined || !this.#isSame(entry, put);
      });
    const gone = [...steering.keys()].filter((path) => !there.has(path));
    return [...changed.map(({ path }) => path), ...gone].sort();
  }

  #refuse(unsafe: UnsafeFile): void {
    if (!this.#problems.has(unsafe.path)) this.#problems.set(unsafe.path, unsafe);
    this.#taken.delete(unsafe.path);
  }

  /** Gone in the meantime, or not to be read. */
  #attempt<T>(path: string, work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (hasChanged(error)) return null;
      if (systemErrorCode(error) !== 'EACCES') throw error;
      this.#refuse({ path, why: `${nameForPeople(path)} cannot be read.` });
      return null;
    }
  }

  async #findChanged(entries: readonly WorkEntry[]): Promise<Candidate[]> {
    const changed: Candidate[] = [];
    for (const [index, entry] of entries.entries()) {
      if (index % 64 === 0) await breathe();
      const old = this.#base.get(entry.path);
      if (entry.kind === 'link') this.#readTarget(entry.path);
      if (old !== undefined && this.#isSame(entry, old)) {
        this.#unchanged.add(entry.path);
        continue;
      }
      const state = stateOf({ kind: entry.kind, object: '' }, old);
      if (state !== 'same') changed.push({ ...entry, state });
    }
    return changed;
  }

  #readTarget(path: string): void {
    const target = this.#attempt(path, () => this.#reader.readLink(path));
    // What is no text is as good as a name that is none.
    if (target !== null) this.#targets.set(path, target.toString('utf8'));
  }

  #isSame({ path, kind, size }: WorkEntry, old: SizedTreeFile): boolean {
    if (kind !== old.kind || size !== old.size) return false;
    const hash = createHash(old.object.length === 64 ? 'sha256' : 'sha1').update(`blob ${old.size}\0`);
    const isRead = this.#attempt(path, () => {
      if (kind !== 'link') return this.#reader.readPieces(path, (piece) => hash.update(piece));
      hash.update(this.#reader.readLink(path));
      return true;
    });
    return isRead === true && hash.digest('hex') === old.object;
  }

  #findRemoved({ entries, keptFolders, problems }: ListedWork): string[] {
    const there = new Set(entries.map(({ path }) => path));
    // A path with a problem still exists in the folder, so it does not count as removed: it stays as in the base.
    const kept = new Set([...keptFolders, ...problems.map(({ path }) => path)]);
    const isKept = (path: string): boolean => {
      if (kept.has(path)) return true;
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
        if (kept.has(path.slice(0, at))) return true;
      return false;
    };
    return [...this.#base.files.keys()].filter((path) => !there.has(path) && !isKept(path));
  }

  /** A file with another name outside the work (a hard link) may belong to another owner, so it is refused. */
  #refuseSecondNames(entries: readonly WorkEntry[], candidates: readonly Candidate[]): void {
    const seen = new Map<string, number>();
    for (const { id } of entries) seen.set(id, (seen.get(id) ?? 0) + 1);
    for (const { path, kind, names, id } of candidates)
      if (kind !== 'link' && names > (seen.get(id) ?? 0))
        this.#refuse({
          path,
          why: `${nameForPeople(path)} is a hard link to a file that is not part of the work.`,
        });
  }

  async #copy({ path, kind, state }: Candidate): Promise<void> {
    const content = this.#attempt(path, () =>
      kind === 'link' ? this.#reader.readLink(path) : this.#reader.read(path, changeLimits.file),
    );
    if (content === null) return;
    if (await this.#hasSecret(path, kind, content)) return;
    this.#copied += 1;
    const copy = String(this.#copied);
    writeFileSync(join(this.#copies, copy), content, { flag: 'wx', mode: 0o600 });
    this.#taken.set(path, { path, kind, copy, state });
  }

  async #hasSecret(path: string, kind: Candidate['kind'], content: Buffer): Promise<boolean> {
    const old = this.#base.get(path);
    const text = content.toString('latin1');
    const before = this.#secrets.length;
    const inName = old === undefined ? findSecretKind(path) : null;
    if (inName !== null) this.#secrets.push({ path: hideTokens(path), line: null, kind: inName });
    const isNew = findNewSecrets(path, text, null).length > 0;
    if (isNew) {
      const was = old === undefined || old.kind === 'repository' ? null : await this.#readOld(old.object);
      this.#secrets.push(
        ...findNewSecrets(path, text, was).map((one) => (kind === 'link' ? { ...one, line: null } : one)),
      );
    }
    return this.#secrets.length > before;
  }

  /** What is left of the change on top of what was there, as it would be checked out. */
  #judge(removed: readonly string[]): void {
    const gone = new Set(removed);
    const files: JudgedFile[] = [];
    const add = (file: Omit<JudgedFile, 'target'>): void => {
      const isThere = file.state !== 'same' || this.#unchanged.has(file.path);
      const target = file.kind === 'link' && isThere ? this.#targets.get(file.path) : undefined;
      files.push({ ...file, ...(target === undefined ? {} : { target }) });
    };
    for (const { path, kind } of this.#base.files.values())
      if (!gone.has(path) && !this.#taken.has(path)) add({ path, kind, state: 'same' });
    for (const { path, kind, state } of this.#taken.values()) add({ path, kind, state });
    for (const unsafe of judgeTree(files)) this.#refuse(unsafe);
  }
}
