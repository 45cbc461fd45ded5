/**
 * What is in a folder that a coding agent worked in, level by level, without what git ignores there. Which names are ignored
 * is asked of git in a folder of our own that has the files `.gitignore` and nothing else.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  describeName,
  longestPath,
  nameForPeople,
  type UnsafeFile,
} from '../../domain/changes/judge-tree.ts';
import { isGitFolder } from '../../domain/changes/plain-path.ts';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import type { BaseTree } from './base-tree.ts';
import { type FolderEntry, type FolderReader, hasChanged } from './folder-reader.ts';
import type { GitResult } from './run-git.ts';

export interface WorkEntry extends Omit<FolderEntry, 'kind' | 'name' | 'isText'> {
  readonly path: string;
  readonly kind: 'file' | 'program' | 'link';
}

export interface ListedWork {
  readonly entries: readonly WorkEntry[];
  readonly problems: readonly UnsafeFile[];
  /** Below these nothing is taken over: what was there before stays. */
  readonly keptFolders: readonly string[];
}

/** More in a folder that was not there before is not even counted. */
const mostNew = 50_000;
const longestIgnore = 1024 * 1024;
/**
 * Folders that a language writes beside the sources whenever they run, also where no rule leaves them out. An agent that
 * runs the tests makes them; no person wants them committed, and no reviewer could read them.
 */
const compiled: ReadonlySet<string> = new Set(['__pycache__']);

interface Seen {
  readonly path: string;
  readonly entry: FolderEntry;
}

/** Git with the settings of the repository, over the folder that is given as its work tree. */
export type AskGit = (workTree: string, args: readonly string[], input: string) => Promise<GitResult>;

class WorkList {
  readonly #reader: FolderReader;
  readonly #base: BaseTree;
  readonly #git: AskGit;
  readonly #scratch: string;
  readonly #entries: WorkEntry[] = [];
  readonly #problems: UnsafeFile[] = [];
  readonly #keptFolders: string[] = [];
  #countNew = 0;

  constructor(reader: FolderReader, base: BaseTree, git: AskGit, scratch: string) {
    this.#reader = reader;
    this.#base = base;
    this.#git = git;
    this.#scratch = scratch;
  }

  async list(): Promise<ListedWork> {
    let level = [''];
    while (level.length > 0) {
      const seen: Seen[] = [];
      for (const [index, folder] of level.entries()) {
        if (index % 64 === 0) await breathe();
        seen.push(...this.#look(folder));
      }
      const ignored = await this.#askIgnored(seen);
      level = seen.flatMap((one) => (ignored.has(one.path) ? [] : this.#take(one)));
    }
    return { entries: this.#entries, problems: this.#problems, keptFolders: this.#keptFolders };
  }

  #refuse(path: string, why: string, isFolder: boolean): [] {
    this.#problems.push({ path, why });
    if (isFolder) this.#keptFolders.push(path);
    return [];
  }

  #look(folder: string): Seen[] {
    const shown = nameForPeople(folder);
    let found: FolderEntry[];
    try {
      found = this.#reader.list(folder);
    } catch (error) {
      if (hasChanged(error)) return [];
      if (systemErrorCode(error) === 'EACCES') return this.#refuse(folder, `${shown} cannot be read.`, true);
      throw error;
    }
    const isOwn = ({ name }: FolderEntry): boolean => folder === '' && name === '.git';
    // Git keeps no such name in a tree, so that without this the rest of a repository would be taken over.
    if (folder !== '' && found.some(({ name }) => isGitFolder(name)))
      return this.#refuse(folder, `${shown} is a repository in the repository.`, true);
    const named = found.filter((entry) => entry.isText || isOwn(entry));
    for (const { name } of found.filter(({ isText }) => !isText))
      this.#refuse(
        join(folder, name),
        `${JSON.stringify(nameForPeople(join(folder, name)))} is no name for a file: it is not UTF-8.`,
        false,
      );
    return named
      .filter((entry) => !isOwn(entry))
      .map((entry) => ({ path: folder === '' ? entry.name : `${folder}/${entry.name}`, entry }));
  }

  /** What is on the branch is not ignored, whatever is said about it. */
  async #askIgnored(seen: readonly Seen[]): Promise<ReadonlySet<string>> {
    for (const { path, entry } of seen) {
      if (path.length > longestPath) continue;
      if (entry.kind === 'folder') mkdirSync(join(this.#scratch, path), { recursive: true });
      const isRule = entry.name === '.gitignore' && (entry.kind === 'file' || entry.kind === 'program');
      const rules = isRule ? this.#readRules(path) : null;
      if (rules !== null) writeFileSync(join(this.#scratch, path), rules);
    }
    const fresh = seen.filter(({ path }) => path.length <= longestPath && !this.#base.has(path));
    const isMade = ({ entry: { name, kind } }: Seen): boolean => kind === 'folder' && compiled.has(name);
    const made = fresh.filter(isMade).map(({ path }) => path);
    const asked = fresh.filter((one) => !isMade(one));
    if (asked.length === 0) return new Set(made);
    const { code, output, errors } = await this.#git(
      this.#scratch,
      ['check-ignore', '--no-index', '-z', '--stdin'],
      // With a dot before it, a colon at the beginning means nothing to git.
      asked.map(({ path }) => `./${path}\0`).join(''),
    );
    if (code > 1)
      throw new GatewrightError('git-failed', `git check-ignore failed: ${errors.trim().slice(0, 500)}`);
    return new Set([...made, ...output.split('\0').map((path) => path.slice(2))]);
  }

  #readRules(path: string): Buffer | null {
    try {
      return this.#reader.read(path, longestIgnore);
    } catch (error) {
      if (hasChanged(error) || systemErrorCode(error) === 'EACCES') return null;
      throw error;
    }
  }

  /** Returns the folder if it has to be looked into. */
  #take({ path, entry }: Seen): string[] {
    const { kind, size, names, id } = entry;
    const shown = nameForPeople(path);
    const isKnown = this.#base.has(path);
    if (kind === 'other')
      return this.#refuse(path, `${shown} is no file but a pipe, a socket or a device.`, false);
    if (!isKnown) this.#countNew += 1;
    if (kind !== 'folder') {
      this.#entries.push({ path, kind, size, names, id });
      return [];
    }
    // Submodules stay at their commit; a git of their own, with settings of their own, would have to be asked about them.
    if (this.#base.get(path)?.kind === 'repository') {
      this.#keptFolders.push(path);
      return [];
    }
    if (isKnown) return [path];
    const why = describeName(path);
    if (why !== null) return this.#refuse(path, why, true);
    // The same words for each, so that they are said once.
    return this.#countNew > mostNew
      ? this.#refuse(path, `There are more than ${mostNew} new files and folders.`, true)
      : [path];
  }
}

/** @param scratch an empty folder */
export function listWork(
  reader: FolderReader,
  base: BaseTree,
  git: AskGit,
  scratch: string,
): Promise<ListedWork> {
  return new WorkList(reader, base, git, scratch).list();
}
