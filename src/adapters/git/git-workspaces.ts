/** Workspaces over the repository's real git. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ChangedPath } from '../../domain/changes/change-risk.ts';
import type { TreeFile } from '../../domain/changes/tree-file.ts';
import { GatewrightError } from '../../errors.ts';
import type { ConflictedMerge, NewCommit, Snapshot, Workspace, Workspaces } from '../../ports/workspace.ts';
import { BareGit } from './bare-git.ts';
import { BaseTree, type SizedTreeFile } from './base-tree.ts';
import { HistoryCopier } from './copying/copy-history.ts';
import { listSteering, replaceSteering } from './copying/replace-steering.ts';
import { asTheyAre, switchFiltersOff } from './filters-off.ts';
import { canReadInMotion, FolderReader } from './folder-reader.ts';
import type { Environment } from './git-environment.ts';
import { areIds, knownAnswersOf } from './known-answers.ts';
import { type AskGit, listWork } from './list-work.ts';
import { writeCommit } from './objects/write-commit.ts';
import { writeFiles, writeTree } from './objects/write-tree.ts';
import { countChanges } from './reading/read-changes.ts';
import { removeFolder } from './remove-folder.ts';
import { type GitResult, tryGit } from './run-git.ts';
import { type TakenWork, WorkTaker } from './take-work.ts';
import { listTree, modes } from './tree-files.ts';

interface GitWorkspacesOptions {
  /** The repository that everything is taken from and brought back to. */
  readonly root: string;
  readonly environment: Environment;
  /** Where copies are made; outside the repository. */
  readonly folder: string;
}

/** How many commits of the history an agent can look at. */
const depth = 200;
const longestDiff = 64 * 1024 * 1024;

interface Place {
  readonly own: string;
  readonly tree: string;
}

export class GitWorkspaces implements Workspaces {
  readonly #options: GitWorkspacesOptions;
  /** The commits of the repository. */
  readonly #commits: BareGit;
  readonly #history: HistoryCopier;
  #withoutFilters: Promise<Readonly<Record<string, string>>> | null = null;

  constructor(options: GitWorkspacesOptions) {
    this.#options = options;
    this.#commits = new BareGit(options.root, options.environment);
    const findParents = async (commit: string) => (await this.#commits.objects()).history.findParents(commit);
    this.#history = new HistoryCopier((...call) => this.#in(...call), depth, findParents);
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

  #place(name: string): Place {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u.test(name))
      throw new GatewrightError('path-outside-root', 'That is not a name for a workspace.');
    const own = join(this.#options.folder, name);
    return { own, tree: join(own, 'tree') };
  }

  async open(name: string, at: string, steeringFrom: string): Promise<Workspace> {
    const [base = '', steering = ''] = await this.#commitsOf(at, steeringFrom);
    const place = this.#place(name);
    const status = lstatSync(place.tree, { throwIfNoEntry: false });
    // Something that an agent put in its place, such as a link to elsewhere, is not a copy of ours.
    if (status !== undefined && !status.isDirectory()) rmSync(place.tree, { force: true });
    if (!existsSync(place.tree)) await this.#make(place, base, steering);
    return { folder: realpathSync(place.tree), base, steeringFrom: steering };
  }

  /** Whole ids for the names of commits, asked of git in one go. */
  async #commitsOf(...names: readonly string[]): Promise<string[]> {
    if (names.some((name) => name === '' || /[\n\0]/u.test(name)))
      throw new GatewrightError('git-failed', 'A commit has to have a name in one line.');
    if (areIds(names)) {
      const { reader } = await this.#commits.objects();
      const found = await Promise.all(names.map((name) => reader.look(`${name}^{commit}`)));
      if (found.every((facts) => facts?.kind === 'commit')) return found.map((facts) => facts?.id ?? '');
    }
    const asked = names.map((name) => `${name}^{commit}\n`).join('');
    const lines = (await this.#git(['cat-file', '--batch-check'], asked)).split('\n');
    return names.map((name, index) => {
      const found = /^(?<id>[0-9a-f]{40,64}) commit \d+$/u.exec(lines[index] ?? '')?.groups?.id;
      if (found !== undefined) return found;
      throw new GatewrightError('git-failed', `There is no commit ${name.slice(0, 80)} in this repository.`);
    });
  }

  /** Made aside and put in place at the end, so that a copy that is there is a whole one. */
  async #make(place: Place, base: string, steeringFrom: string): Promise<void> {
    const draft = `${place.tree}.partial`;
    await removeFolder(draft);
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    // The agent gets history to read, and no remote to push to.
    const original = { root: this.#options.root, gitFolder: await this.#commits.findOwnGitFolder() };
    await this.#history.copy(original, base, draft);
    // Nor do attributes change a byte: an agent sees what is in the commit, and what it writes is what is taken over.
    writeFileSync(join(draft, '.git', 'info', 'attributes'), asTheyAre);
    // One look at the person's settings is enough: the attributes above leave no file to a filter that is new.
    this.#withoutFilters ??= switchFiltersOff(draft, this.#options.environment);
    await this.#in(draft, ['checkout', '--quiet', '-B', 'work', base], '', await this.#withoutFilters);
    await this.#steerFrom(draft, base, steeringFrom);
    renameSync(draft, place.tree);
  }

  #listTree(treeish: string): Promise<TreeFile[]> {
    return listTree(this.#commits, treeish);
  }

  /** A pull request may bring its own instructions for agents and builds: those of its base are put in their place. */
  async #steerFrom(folder: string, base: string, steeringFrom: string): Promise<void> {
    if (base === steeringFrom) return;
    const read = (object: string): Promise<string> => this.#commits.readBlob(object);
    await replaceSteering(folder, await this.#listTree(base), await this.#listTree(steeringFrom), read);
  }

  /** The files that were put into a copy to steer it. */
  async #readSteering(
    treeish: string,
    read: (object: string) => Promise<string>,
  ): Promise<ReadonlyMap<string, SizedTreeFile>> {
    const wanted = new BaseTree(await this.#commits.listTree(treeish, true));
    return listSteering([...wanted.files.values()], read);
  }

  takeSnapshot(workspace: Workspace): Promise<Snapshot> {
    return this.#take(workspace, true);
  }

  takeEarlySnapshot(workspace: Workspace): Promise<Snapshot | null> {
    return canReadInMotion ? this.#take(workspace, false) : Promise.resolve(null);
  }

  /** Git sees our copies of what was looked at, and our own index; never the folder that the agent worked in. */
  async #take({ folder, base, steeringFrom = base }: Workspace, isAlone: boolean): Promise<Snapshot> {
    const gitFolder = await this.#commits.findOwnGitFolder();
    const own = mkdtempSync(join(dirname(folder), 'taking-'));
    const variables = { GIT_DIR: gitFolder, GIT_INDEX_FILE: join(own, 'index') };
    const readOld = (object: string): Promise<string> => this.#commits.readBlob(object);
    try {
      const before = new BaseTree(await this.#commits.listTree(base, true));
      const rules = join(own, 'rules');
      mkdirSync(rules);
      const reader = new FolderReader(folder, isAlone);
      const askGit: AskGit = (workTree, args, input) =>
        this.#try(workTree, args, input, { ...variables, GIT_WORK_TREE: workTree });
      const listed = await listWork(reader, before, askGit, rules);
      const copies = join(own, 'copies');
      const steering = steeringFrom === base ? null : await this.#readSteering(steeringFrom, readOld);
      const work = await new WorkTaker(reader, before, copies, readOld, steering).take(listed);
      const tree = await this.#writeTree(own, base, work);
      return {
        tree,
        files: await this.#listChanges(base, tree),
        leftOut: work.leftOut,
        problems: work.problems.map(({ why }) => why),
        secrets: work.secrets,
      };
    } finally {
      await removeFolder(own);
    }
  }

  /** @param folder the one that the copies are in: names of ours, so that nothing in a path of the agent's has a meaning */
  async #writeTree(folder: string, base: string, { taken, removed }: TakenWork): Promise<string> {
    const files = taken.map(({ copy }) => join(folder, 'copies', String(copy)));
    const objects = await writeFiles(this.#commits, files);
    const added = taken.map(({ kind, path }, index) => ({
      ...{ path, mode: modes[kind], object: objects[index] ?? '' },
    }));
    return writeTree(this.#commits, { base, removed, added });
  }

  async listChanges(base: string, commit: string): Promise<ChangedPath[]> {
    // Two histories that have nothing in common are compared as they are.
    return this.#listChanges((await this.#commits.findMergeBase(base, commit)) ?? base, commit);
  }

  async #listChanges(from: string, to: string): Promise<ChangedPath[]> {
    const files = await countChanges(this.#commits, from, to);
    return files.map(({ isTypeChange: _, ...file }) => file);
  }

  async diff(from: string, to: string, longest: number): Promise<string> {
    const output = await this.#commits.look([
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
    const words = ['cat-file', 'blob', `${treeish}:${path}`];
    const read = async (): Promise<string | null> => {
      const { reader } = await this.#commits.objects();
      const text = areIds([treeish]) ? await reader.readText(`${treeish}:${path}`) : null;
      if (text !== null) return text.includes('\0') ? null : text;
      if (areIds([treeish]) && (await reader.hasSurelyNot(treeish, path))) return null;
      const found = await this.#try(this.#options.root, words);
      return found.code === 0 && !found.output.includes('\0') ? found.output : null;
    };
    return areIds([treeish]) ? knownAnswersOf(await this.#commits.findGitFolder()).ask(words, read) : read();
  }

  mergeTrees(into: string, commit: string): Promise<string | null> {
    return this.#commits.mergeTrees(into, commit);
  }

  mergeWithMarkers(into: string, commit: string): Promise<ConflictedMerge | null> {
    return this.#commits.mergeWithMarkers(into, commit);
  }

  async commit(commit: NewCommit): Promise<string> {
    const written = await writeCommit(await this.#commits.objects(), commit);
    if (written !== null) return written;
    const { name, email } = commit.author;
    const identity = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: commit.at,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: commit.at,
    };
    const parents = [commit.parent, ...(commit.merged === undefined ? [] : [commit.merged])];
    const args = [
      ...['commit-tree', '--no-gpg-sign', ...parents.flatMap((parent) => ['-p', parent])],
      ...['-F', '-', commit.tree],
    ];
    return (await this.#git(args, commit.message, identity)).trim();
  }

  remove(name: string): Promise<boolean> {
    return removeFolder(this.#place(name).own);
  }
}
