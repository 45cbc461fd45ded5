/**
 * Moves a branch from one commit to another, with the work tree that has it checked out, as a push with
 * `receive.denyCurrentBranch=updateInstead` does: only when nothing in that work tree is uncommitted.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GatewrightError } from '../../errors.ts';
import type { BareGit } from './bare-git.ts';
import { readHeadFile } from './branch-files.ts';
import { type GitResult, tryGit } from './run-git.ts';

/** Whether there is one work tree only, and it stands on another branch; false when that takes git to tell. */
async function isSurelyFree(git: BareGit, branch: string): Promise<boolean> {
  const folder = await git.findGitFolder();
  if (existsSync(join(folder, 'worktrees'))) return false;
  const head = readHeadFile(folder);
  return typeof head === 'string' && head !== branch;
}

/** Folders of the work trees that have the branch checked out. */
export async function listCheckouts(git: BareGit, branch: string): Promise<string[]> {
  if (await isSurelyFree(git, branch)) return [];
  // Asked without pretending to be bare: the main work tree is one of them.
  const words = ['worktree', 'list', '--porcelain', '-z'];
  const { code, output, errors } = await tryGit(git.folder, git.environment, words);
  // Without this list we must not go on: the files of a person could be in the way.
  if (code !== 0)
    throw new GatewrightError('git-failed', `git worktree failed: ${errors.trim().slice(0, 500)}`);
  return output.split('\0\0').flatMap((record) => {
    const lines = record.split('\0');
    const path = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? '';
    const isIt = lines.includes(`branch refs/heads/${branch}`) && !lines.includes('bare');
    return isIt && existsSync(path) ? [path] : [];
  });
}

const mostNamed = 10;
const longestName = 200;

/** The message names the files: the ledger keeps no more than the message. */
function refuse(folder: string, branch: string, why: string, files: readonly string[]): never {
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : '';
  const named =
    files.length === 0
      ? ''
      : `: ${files
          .slice(0, mostNamed)
          .map((file) => file.slice(0, longestName))
          .join(', ')}${more}`;
  throw new GatewrightError(
    'checkout-in-the-way',
    `The branch ${branch} is checked out in ${folder} with ${why}${named}.`,
    {
      hint: `Commit or stash your changes in ${folder} (git stash --include-untracked), or switch to another branch there, and try again.`,
    },
  );
}

/** The paths of `status --porcelain -z`; a renamed file has a second one, its old name. */
function readPaths(status: string): string[] {
  const records = status.split('\0');
  const paths: string[] = [];
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? '';
    if (record.length < 4) continue;
    paths.push(record.slice(3));
    if (/^[RC]/u.test(record)) at += 1;
  }
  return paths;
}

/** The file that git names when it would have to overwrite it. */
function readBlocked(errors: string): string[] {
  return [...errors.matchAll(/'([^'\n]+)' (?:not uptodate|would be overwritten)/gu)].map(
    ([, path = '']) => path,
  );
}

function isLocked(result: GitResult): boolean {
  return result.code !== 0 && /index\.lock/u.test(result.errors);
}

class Checkout {
  readonly #git: BareGit;
  readonly folder: string;
  readonly #branch: string;

  constructor(git: BareGit, folder: string, branch: string) {
    this.#git = git;
    this.folder = folder;
    this.#branch = branch;
  }

  async #try(...args: string[]): Promise<GitResult> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await tryGit(this.folder, this.#git.environment, args);
      if (!isLocked(result)) return result;
      // Another git process, most likely the person's, holds the lock and will end soon.
      if (attempt === 8)
        throw new GatewrightError('git-busy', `Another git process holds the index of ${this.folder}.`);
      await new Promise((resolve) => setTimeout(resolve, 30 * attempt));
    }
  }

  /** Whether index and files are exactly those of a commit; files that git does not track do not count. */
  async isAt(commit: string): Promise<boolean> {
    await this.#try('update-index', '-q', '--ignore-submodules', '--refresh');
    const files = await this.#try('diff-files', '--quiet', '--ignore-submodules', '--');
    const index = await this.#try('diff-index', '--quiet', '--cached', '--ignore-submodules', commit, '--');
    return files.code === 0 && index.code === 0;
  }

  /** Refuses over uncommitted work, and over files in the way that git does not track. */
  async checkFree(from: string, to: string): Promise<void> {
    if (!(await this.isAt(from))) {
      const { output } = await this.#try('status', '--porcelain', '-z', '--untracked-files=no');
      refuse(this.folder, this.#branch, 'uncommitted changes', readPaths(output));
    }
    const trial = await this.#try('read-tree', '-n', '-m', '-u', from, to);
    if (trial.code !== 0)
      refuse(this.folder, this.#branch, 'a file in the way', await this.#namesInTheWay(from, to, trial));
  }

  async move(from: string, to: string): Promise<void> {
    const moved = await this.#try('read-tree', '-m', '-u', from, to);
    if (moved.code !== 0)
      refuse(this.folder, this.#branch, 'a file in the way', await this.#namesInTheWay(from, to, moved));
  }

  /** Files that git does not track and that the move would write; what git itself says where none is found. */
  async #namesInTheWay(from: string, to: string, { errors }: GitResult): Promise<string[]> {
    const brought = await this.#try('diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to);
    const untracked = await this.#try('ls-files', '-z', '--others');
    const others = new Set(untracked.output.split('\0'));
    const found = brought.output.split('\0').filter((path) => path !== '' && others.has(path));
    if (found.length > 0) return found;
    const named = readBlocked(errors);
    return named.length > 0 ? named : [errors.trim().replace(/\s+/gu, ' ').slice(0, 300)];
  }
}

/**
 * False when the branch is not at `from`. Files come first and the branch last: killed in between, the work tree shows
 * the change as staged, and the next attempt with the same commits finds it so and finishes.
 */
export async function moveBranch(
  git: BareGit,
  branch: string,
  from: string,
  to: string,
  reason: string,
): Promise<boolean> {
  const checkouts = (await listCheckouts(git, branch)).map((folder) => new Checkout(git, folder, branch));
  const behind: Checkout[] = [];
  for (const checkout of checkouts) {
    if (await checkout.isAt(to)) continue;
    if ((await git.readBranch(branch)) !== from) return false;
    await checkout.checkFree(from, to);
    behind.push(checkout);
  }
  const moved: Checkout[] = [];
  try {
    for (const checkout of behind) {
      await checkout.move(from, to);
      moved.push(checkout);
    }
    if (await git.setBranch(branch, from, to, reason)) return true;
  } catch (error) {
    await moveBack(moved, from, to);
    throw error;
  }
  // Another process may have found the files in this state and finished the move: then the goal is reached.
  if ((await git.readBranch(branch)) === to) return true;
  await moveBack(moved, from, to);
  return false;
}

async function moveBack(checkouts: readonly Checkout[], from: string, to: string): Promise<void> {
  for (const checkout of checkouts) await checkout.move(to, from);
}
