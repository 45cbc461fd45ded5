/**
 * The commits and branches of a repository, past its work trees. Git is run without a work tree, inside the git folder,
 * so that attributes in the files (which may name merge drivers and converters, and hide what changed) are not read: a
 * pull request can neither choose a program to run nor what is seen of it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GatewrightError } from '../../errors.ts';
import type { ConflictedMerge } from '../../ports/workspace.ts';
import {
  listBranchFiles,
  readBranchFile,
  readHeadFile,
  readOriginHeadFile,
  unknown,
} from './branch-files.ts';
import type { Environment } from './git-environment.ts';
import { findGitFolders, type GitFolders } from './git-folders.ts';
import { areIds, isSettled, knownAnswersOf } from './known-answers.ts';
import { RepositoryObjects } from './objects/repository-objects.ts';
import { readConflictedMerge } from './reading/conflicted-merge.ts';
import { type GitResult, tryGit } from './run-git.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface CommitFacts {
  readonly sha: string;
  readonly message: string;
  readonly author: Identity;
  readonly committedAt: string;
  readonly parents: readonly string[];
}

/** Where git finds no attributes; newer versions look into the commit that is checked out if nothing else is said. */
const noTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const branchPrefix = 'refs/heads/';

export class BareGit {
  readonly folder: string;
  readonly environment: Environment;

  constructor(folder: string, environment: Environment) {
    this.folder = folder;
    this.environment = environment;
  }

  /** The one that all work trees share. */
  async findGitFolder(): Promise<string> {
    return (await this.#findFolders()).shared;
  }

  /** The one of this work tree. */
  async findOwnGitFolder(): Promise<string> {
    return (await this.#findFolders()).own;
  }

  #findFolders(): Promise<GitFolders> {
    return findGitFolders(this.folder, this.environment);
  }

  async try(
    args: readonly string[],
    more: {
      readonly input?: string;
      readonly environment?: Environment;
      /** In milliseconds. */
      readonly timeout?: number;
      readonly variables?: Readonly<Record<string, string>>;
      readonly isBinary?: boolean;
    } = {},
  ): Promise<GitResult> {
    const gitFolder = await this.findGitFolder();
    return tryGit(
      gitFolder,
      { ...this.environment, ...more.environment },
      // Renormalising would read attributes from the commits.
      [
        '--git-dir',
        gitFolder,
        ...['-c', 'merge.renormalize=false'],
        ...['-c', `attr.tree=${noTree}`],
        ...args,
      ],
      {
        input: more.input,
        isBinary: more.isBinary === true,
        ...(more.timeout === undefined ? {} : { timeout: more.timeout }),
        // Without a work tree git looks for attributes in the index.
        variables: {
          GIT_IMPLICIT_WORK_TREE: '0',
          GIT_INDEX_FILE: join(gitFolder, 'gatewright-no-index'),
          ...more.variables,
        },
      },
    );
  }

  async run(
    args: readonly string[],
    more: {
      readonly input?: string;
      readonly environment?: Environment;
      readonly variables?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<string> {
    const result = await this.try(args, more);
    if (result.code === 0) return result.output;
    throw new GatewrightError(
      'git-failed',
      `git ${args[0] ?? ''} failed: ${(result.errors.trim() || result.output.trim()).slice(0, 1000)}`,
    );
  }

  /** The same, from memory if git was asked before and its answer can be no other. */
  async look(args: readonly string[]): Promise<string> {
    const run = () => this.run(args);
    return isSettled(args) ? knownAnswersOf(await this.findGitFolder()).ask(args, run) : run();
  }

  /** Its objects, from processes that answer many questions. */
  async objects(): Promise<RepositoryObjects> {
    return new RepositoryObjects(await this.findGitFolder(), this.environment);
  }

  /** All files of a tree or commit, as `ls-tree -r -z` prints them, with `-l` if their sizes are wanted. */
  async listTree(treeish: string, withSizes = false): Promise<string> {
    const sizes = withSizes ? ['-l'] : [];
    const words = ['ls-tree', '-r', ...sizes, '-z', '--full-tree', '--end-of-options', treeish];
    const run = () => this.run(words);
    if (!isSettled(words)) return run();
    const list = async () => (await (await this.objects()).reader.list(treeish, withSizes)) ?? run();
    return knownAnswersOf(await this.findGitFolder()).ask(words, list);
  }

  /** The bytes of a blob as text. */
  async readBlob(object: string): Promise<string> {
    return (await (await this.objects()).reader.readText(object)) ?? this.run(['cat-file', 'blob', object]);
  }

  /**
   * The same for questions about where commits part. In a repository without its whole history that is not settled: more
   * of it can be fetched.
   */
  async #lookAtHistory(args: readonly string[], ids: readonly string[], run: () => Promise<string>) {
    const folder = await this.findGitFolder();
    const isSettledNow = areIds(ids) && !existsSync(join(folder, 'shallow'));
    return isSettledNow ? knownAnswersOf(folder).ask(args, run) : run();
  }

  async listBranches(): Promise<Map<string, string>> {
    const inFiles = listBranchFiles(await this.findGitFolder());
    if (inFiles !== unknown) return inFiles;
    const output = await this.run(['for-each-ref', '--format=%(objectname) %(refname)', branchPrefix]);
    const lines = output.split('\n').filter((line) => line !== '');
    return new Map(
      lines.map((line): [string, string] => {
        const space = line.indexOf(' ');
        return [line.slice(space + 1 + branchPrefix.length), line.slice(0, space)];
      }),
    );
  }

  async readBranch(name: string): Promise<string | null> {
    const inFile = readBranchFile(await this.findGitFolder(), name);
    if (inFile !== unknown) return inFile;
    const found = await this.try([
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      branchPrefix + name,
    ]);
    return found.code === 0 ? found.output.trim() : null;
  }

  /** The branch that `HEAD` of the main work tree stands on, also before its first commit; null when on none. */
  async readHead(): Promise<string | null> {
    const inFile = readHeadFile(await this.findGitFolder());
    if (inFile !== unknown) return inFile;
    const found = await this.try(['symbolic-ref', '--quiet', 'HEAD']);
    const ref = found.output.trim();
    return found.code === 0 && ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : null;
  }

  /** The default branch of `origin` as it was when it was cloned; null when that is not known. */
  async readOriginHead(): Promise<string | null> {
    const inFile = readOriginHeadFile(await this.findGitFolder());
    if (inFile !== unknown) return inFile;
    const prefix = 'refs/remotes/origin/';
    const found = await this.try(['symbolic-ref', '--quiet', `${prefix}HEAD`]);
    const ref = found.output.trim();
    return found.code === 0 && ref.startsWith(prefix) ? ref.slice(prefix.length) : null;
  }

  async hasCommit(sha: string): Promise<boolean> {
    if ((await (await this.objects()).reader.look(sha))?.kind === 'commit') return true;
    // Of a partial clone git would fetch what is missing, from where and with what the settings say.
    const found = await this.try(['cat-file', '-t', sha], { variables: { GIT_ALLOW_PROTOCOL: 'none' } });
    return found.code === 0 && found.output.trim() === 'commit';
  }

  /** Moves, makes (`from` null) or deletes (`to` null) a branch; false when it is not at `from`. */
  async setBranch(name: string, from: string | null, to: string | null, reason: string): Promise<boolean> {
    const none = '0'.repeat((from ?? to ?? '').length);
    const words =
      to === null ? ['-d', branchPrefix + name, from ?? none] : [branchPrefix + name, to, from ?? none];
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.try(['update-ref', '-m', `gatewright: ${reason}`, ...words]);
      if (result.code === 0) return true;
      if ((await this.readBranch(name)) !== from) return false;
      // The branch is at the expected commit, and git still refused: another process held its lock, or the name
      // collides with another branch.
      if (attempt === 5 || !/\.lock/u.test(result.errors))
        throw new GatewrightError(
          'git-failed',
          `git update-ref failed: ${result.errors.trim().slice(0, 1000)}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 40 * attempt));
    }
  }

  async #isSurelyAncestor(older: string, newer: string): Promise<boolean> {
    return (await this.objects()).history.isSurelyAncestor(older, newer);
  }

  async findMergeBase(one: string, other: string): Promise<string | null> {
    if (await this.#isSurelyAncestor(one, other)) return one;
    const words = ['merge-base', one, other];
    const base = await this.#lookAtHistory(words, [one, other], async () => {
      const found = await this.try(words);
      if (found.code > 1)
        throw new GatewrightError('git-failed', `git merge-base failed: ${found.errors.trim()}`);
      return found.code === 0 ? found.output.trim() : '';
    });
    return base === '' ? null : base;
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    if (await this.#isSurelyAncestor(older, newer)) return true;
    return (await this.try(['merge-base', '--is-ancestor', older, newer])).code === 0;
  }

  /** The commit that brought an older one into a branch: a merge, or the older one itself. */
  async findFirstWith(older: string, tip: string): Promise<string> {
    const since = await this.run(['rev-list', '--first-parent', '--ancestry-path', `${older}..${tip}`]);
    const merges = since
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    const first = merges.at(-1);
    // After a fast-forward the branch's own commits follow the older one directly.
    const isMerge = first !== undefined && (await this.run(['rev-parse', `${first}^1`])).trim() !== older;
    return isMerge ? first : older;
  }

  /** The tree of a real merge; null when it has conflicts. */
  async mergeTrees(ours: string, theirs: string): Promise<string | null> {
    // Nothing to merge: theirs follow from ours.
    if (await this.#isSurelyAncestor(ours, theirs)) return this.readTree(theirs);
    const words = ['merge-tree', '--write-tree', '--no-messages', ours, theirs];
    const tree = await this.#lookAtHistory(words, [ours, theirs], () => this.#mergeTrees(words));
    return tree === '' ? null : tree;
  }

  /** The same with the conflicts in it; null when there are none. */
  async mergeWithMarkers(ours: string, theirs: string): Promise<ConflictedMerge | null> {
    if (await this.#isSurelyAncestor(ours, theirs)) return null;
    const style = ['-c', 'merge.conflictStyle=diff3'];
    const output = await this.#tryMerge(
      [...style, 'merge-tree', '--write-tree', '-z', '--messages', ours, theirs],
      (printed, hasConflicts) => (hasConflicts ? printed : ''),
    );
    return output === '' ? null : readConflictedMerge(output);
  }

  /** Empty when it has conflicts. */
  #mergeTrees(words: readonly string[]): Promise<string> {
    return this.#tryMerge(words, (printed, hasConflicts) => (hasConflicts ? '' : printed.trim()));
  }

  async #tryMerge(
    words: readonly string[],
    take: (printed: string, hasConflicts: boolean) => string,
  ): Promise<string> {
    const merged = await this.try(words);
    if (merged.code === 0 || merged.code === 1) return take(merged.output, merged.code === 1);
    const isTooOld = /usage:|unknown rev|not a valid object name --write-tree/iu.test(merged.errors);
    throw new GatewrightError(
      'git-failed',
      `git merge-tree failed: ${merged.errors.trim().slice(0, 500)}`,
      isTooOld ? { hint: 'Merging needs git 2.38 or newer: update git and try again.' } : {},
    );
  }

  async commitTree(commit: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
    readonly author: Identity | null;
    /** Used when git does not know who the person is. */
    readonly fallback: Identity;
  }): Promise<string> {
    const knows = (await this.try(['var', 'GIT_COMMITTER_IDENT'])).code === 0;
    const author = commit.author ?? (knows ? null : commit.fallback);
    const made = await this.run(
      ['commit-tree', '--no-gpg-sign', ...commit.parents.flatMap((parent) => ['-p', parent]), commit.tree],
      {
        input: commit.message,
        environment: {
          ...(knows
            ? {}
            : { GIT_COMMITTER_NAME: commit.fallback.name, GIT_COMMITTER_EMAIL: commit.fallback.email }),
          ...(author === null ? {} : { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email }),
        },
      },
    );
    return made.trim();
  }

  async readTree(commit: string): Promise<string> {
    const found = areIds([commit]) ? await (await this.objects()).reader.look(`${commit}^{tree}`) : null;
    if (found?.kind === 'tree') return found.id;
    return (await this.run(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])).trim();
  }

  /** Newest first. */
  async listCommits(
    from: string,
    filter: { readonly since?: string; readonly limit?: number } = {},
  ): Promise<CommitFacts[]> {
    const output = await this.run([
      'log',
      '-z',
      '--no-show-signature',
      '--format=tformat:%H%n%P%n%cI%n%an%n%ae%n%B',
      ...(filter.since === undefined ? [] : [`--since-as-filter=${filter.since}`]),
      ...(filter.limit === undefined ? [] : [`--max-count=${filter.limit}`]),
      '--end-of-options',
      from,
      '--',
    ]);
    return output
      .split('\0')
      .filter((record) => record !== '')
      .map((record) => {
        const [sha = '', parents = '', committedAt = '', name = '', email = '', ...message] =
          record.split('\n');
        return {
          sha,
          parents: parents.split(' ').filter((parent) => parent !== ''),
          committedAt,
          author: { name, email },
          message: message.join('\n').replace(/\n+$/u, ''),
        };
      });
  }
}
