/** Workspaces over the repository's real git. */
import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ChangedPath, isSteeringPath } from '../../domain/change-risk.ts';
import type { TreeFile } from '../../domain/tree-file.ts';
import { GatewrightError } from '../../errors.ts';
import type { NewCommit, Snapshot, Workspace, Workspaces } from '../../ports/workspace.ts';
import { BareGit } from './bare-git.ts';
import { canCopyInMotion, copyInMotion } from './copy-in-motion.ts';
import { switchFiltersOff } from './filters-off.ts';
import type { Environment } from './git-environment.ts';
import { makeAccessible } from './make-accessible.ts';
import { countChanges } from './read-changes.ts';
import { replaceSteering } from './replace-steering.ts';
import { type GitResult, tryGit } from './run-git.ts';
import { findUnsafe, listTree, modes } from './tree-files.ts';

interface GitWorkspacesOptions {
  /** The repository that everything is taken from and brought back to. */
  readonly root: string;
  readonly environment: Environment;
  /** Where copies are made; outside the repository. */
  readonly folder: string;
}

/** How much of the history an agent can look at. */
const depth = 200;
const longestDiff = 64 * 1024 * 1024;

interface Place {
  readonly own: string;
  readonly tree: string;
}

export class GitWorkspaces implements Workspaces {
  readonly #options: GitWorkspacesOptions;
  #gitFolder: Promise<string> | null = null;

  constructor(options: GitWorkspacesOptions) {
    this.#options = options;
  }

  /** In the repository itself. */
  async #git(
    args: readonly string[],
    input?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    return this.#in(this.#options.root, args, input, more);
  }

  async #in(
    folder: string,
    args: readonly string[],
    input?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const result = await this.#try(folder, args, input, more);
    if (result.code === 0) return result.output;
    const said = (result.errors.trim() || result.output.trim()).slice(0, 500);
    throw new GatewrightError('git-failed', `git ${args[0] ?? ''} failed: ${said}`);
  }

  #try(
    folder: string,
    args: readonly string[],
    input = '',
    more: Readonly<Record<string, string>> = {},
  ): Promise<GitResult> {
    return tryGit(folder, this.#options.environment, args, { input, variables: more });
  }

  #findGitFolder(): Promise<string> {
    this.#gitFolder ??= this.#git(['rev-parse', '--absolute-git-dir']).then((output) => output.trim());
    return this.#gitFolder;
  }

  #place(name: string): Place {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u.test(name))
      throw new GatewrightError('path-outside-root', 'That is not a name for a workspace.');
    const own = join(this.#options.folder, name);
    return { own, tree: join(own, 'tree') };
  }

  async open(name: string, at: string, steeringFrom: string): Promise<Workspace> {
    const base = await this.#commitOf(at);
    const place = this.#place(name);
    const status = lstatSync(place.tree, { throwIfNoEntry: false });
    // Something that an agent put in its place, such as a link to elsewhere, is not a copy of ours.
    if (status !== undefined && !status.isDirectory()) rmSync(place.tree, { force: true });
    if (!existsSync(place.tree)) await this.#make(place, base, await this.#commitOf(steeringFrom));
    return { folder: realpathSync(place.tree), base };
  }

  async #commitOf(name: string): Promise<string> {
    const found = await this.#try(this.#options.root, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${name}^{commit}`,
    ]);
    if (found.code === 0) return found.output.trim();
    throw new GatewrightError('git-failed', `There is no commit ${name.slice(0, 80)} in this repository.`);
  }

  /** Made aside and put in place at the end, so that a copy that is there is a whole one. */
  async #make(place: Place, base: string, steeringFrom: string): Promise<void> {
    const draft = `${place.tree}.partial`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    await this.#in(draft, ['init', '--quiet', '--initial-branch=work']);
    // By path and number of commits: the agent gets history to read, and no remote to push to.
    await this.#in(draft, [
      ...['-c', 'uploadpack.allowAnySHA1InWant=true', '-c', 'protocol.file.allow=always'],
      ...['fetch', '--quiet', '--no-tags', `--depth=${depth}`, await this.#findGitFolder(), base],
    ]);
    const plain = await switchFiltersOff(draft, this.#options.environment);
    await this.#in(draft, ['checkout', '--quiet', '-B', 'work', base], '', plain);
    await this.#steerFrom(draft, base, steeringFrom);
    renameSync(draft, place.tree);
  }

  #listTree(treeish: string): Promise<TreeFile[]> {
    return listTree((args) => this.#git(args), treeish);
  }

  /** A pull request may bring its own instructions for agents and builds: those of its base are put in their place. */
  async #steerFrom(folder: string, base: string, steeringFrom: string): Promise<void> {
    if (base === steeringFrom) return;
    const read = async (object: string): Promise<string> => this.#git(['cat-file', 'blob', object]);
    await replaceSteering(folder, await this.#listTree(base), await this.#listTree(steeringFrom), read);
  }

  async takeSnapshot(workspace: Workspace): Promise<Snapshot> {
    const gitFolder = await this.#findGitFolder();
    makeAccessible(workspace.folder);
    const index = join(dirname(workspace.folder), 'index');
    rmSync(index, { force: true });
    // Our own git folder and index: whatever the agent did to the copy's git is not even looked at.
    const ours = await switchFiltersOff(workspace.folder, this.#options.environment, {
      ...{ GIT_DIR: gitFolder, GIT_WORK_TREE: workspace.folder, GIT_INDEX_FILE: index },
    });
    const run = (args: readonly string[], input?: string): Promise<string> =>
      this.#in(workspace.folder, args, input, ours);
    await run(['read-tree', workspace.base]);
    await this.#passOver(run, workspace);
    await run([
      ...['-c', 'core.autocrlf=false', '-c', 'core.fileMode=true', '-c', 'core.sparseCheckout=false'],
      ...['add', '--all', '.'],
    ]);
    const changed = await run(['diff-index', '--cached', '--name-only', '-z', workspace.base]);
    const leftOut = changed.split('\0').filter((path) => path !== '' && isSteeringPath(path));
    if (leftOut.length > 0) await this.#restore(run, workspace.base, leftOut);
    const tree = (await run(['write-tree'])).trim();
    const problems = (await findUnsafe((args) => this.#git(args), tree, workspace.base)).map(
      ({ why }) => why,
    );
    return { tree, files: await this.#listChanges(workspace.base, tree), leftOut, problems };
  }

  async takeEarlySnapshot(workspace: Workspace): Promise<Snapshot | null> {
    if (!canCopyInMotion) return null;
    const own = join(dirname(workspace.folder), 'early');
    await this.#clear(own);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    try {
      const ignored = await this.#listIgnored(workspace, join(own, 'ignored-index'));
      const folder = join(own, 'tree');
      const isLeftOut = (path: string): boolean => path === '.git' || path === '.git/' || ignored.has(path);
      await copyInMotion(workspace.folder, folder, isLeftOut);
      return await this.takeSnapshot({ folder, base: workspace.base });
    } finally {
      await this.#clear(own);
    }
  }

  /** What git ignores, such as everything that was installed: too much to copy. It only reads names, whoever is at work. */
  async #listIgnored({ folder, base }: Workspace, index: string): Promise<ReadonlySet<string>> {
    const ours = { GIT_DIR: await this.#findGitFolder(), GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
    await this.#in(folder, ['read-tree', base], '', ours);
    const words = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
    return new Set((await this.#in(folder, words, '', ours)).split('\0').filter((path) => path !== ''));
  }

  async #clear(folder: string): Promise<void> {
    if (!existsSync(folder)) return;
    makeAccessible(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /**
   * Whether a submodule has changed is asked of a git of its own, with the settings in its folder: an agent could name
   * programs there. So git is told not to look; the submodule stays at its commit.
   */
  async #passOver(
    run: (args: readonly string[], input?: string) => Promise<string>,
    { folder, base }: Workspace,
  ): Promise<void> {
    const isFolder = (path: string): boolean =>
      lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory() === true;
    const paths = (await this.#listTree(base))
      .filter(({ kind, path }) => kind === 'repository' && isFolder(path))
      .map(({ path }) => `${path}\0`);
    if (paths.length > 0) await run(['update-index', '--skip-worktree', '-z', '--stdin'], paths.join(''));
  }

  /** Puts paths of the index back to what they are in a commit. */
  async #restore(
    run: (args: readonly string[], input?: string) => Promise<string>,
    base: string,
    paths: readonly string[],
  ): Promise<void> {
    const entries = (await this.#listTree(base)).filter((entry) => paths.includes(entry.path));
    const lines = [
      ...paths.map((path) => `0 ${'0'.repeat(40)}\t${path}`),
      ...entries.map(({ kind, object, path }) => `${modes[kind]} ${object}\t${path}`),
    ];
    await run(['update-index', '-z', '--index-info'], `${lines.join('\0')}\0`);
  }

  async listChanges(base: string, commit: string): Promise<ChangedPath[]> {
    const parted = await this.#try(this.#options.root, ['merge-base', '--end-of-options', base, commit]);
    // Two histories that have nothing in common are compared as they are.
    return this.#listChanges(parted.code === 0 ? parted.output.trim() : base, commit);
  }

  async #listChanges(from: string, to: string): Promise<ChangedPath[]> {
    const files = await countChanges(new BareGit(this.#options.root, this.#options.environment), from, to);
    return files.map(({ path, previousPath, change, additions, deletions, isBinary }) => {
      return { path, previousPath, change, additions, deletions, isBinary };
    });
  }

  async diff(from: string, to: string, longest: number): Promise<string> {
    const output = await this.#git([
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      '-M',
      '--end-of-options',
      from,
      to,
    ]);
    const most = Math.min(longest, longestDiff);
    return output.length <= most
      ? output
      : `${output.slice(0, most)}\n… and ${output.length - most} characters more\n`;
  }

  async readFile(treeish: string, path: string): Promise<string | null> {
    const found = await this.#try(this.#options.root, ['cat-file', 'blob', `${treeish}:${path}`]);
    return found.code === 0 && !found.output.includes('\0') ? found.output : null;
  }

  mergeTrees(into: string, commit: string): Promise<string | null> {
    return new BareGit(this.#options.root, this.#options.environment).mergeTrees(into, commit);
  }

  async commit(commit: NewCommit): Promise<string> {
    const { name, email } = commit.author;
    const identity = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: commit.at,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: commit.at,
    };
    const args = ['commit-tree', '--no-gpg-sign', '-p', commit.parent, '-F', '-', commit.tree];
    return (await this.#git(args, commit.message, identity)).trim();
  }

  async remove(name: string): Promise<boolean> {
    const { own } = this.#place(name);
    const wasThere = existsSync(own);
    if (wasThere) makeAccessible(own);
    rmSync(own, { recursive: true, force: true, maxRetries: 3 });
    return wasThere;
  }
}
