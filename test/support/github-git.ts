/** What real git says about the pull requests of the small GitHub: differences, conflicts, merges. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GitStore } from './git-store.ts';
import type { StoredPull, StoredRepository } from './github-state.ts';

export interface DiffFile {
  readonly path: string;
  readonly previous: string | null;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
  readonly patch: string | null;
}

/** Asked for with every request: git itself is started only where the file of the branch does not tell. */
export function branchTip(git: GitStore, name: string): string | null {
  const file = join(git.folder, 'refs', 'heads', name);
  const isPlain = !name.includes('..') && existsSync(file) && statSync(file).isFile();
  const text = isPlain ? readFileSync(file, 'utf8').trim() : '';
  return /^[0-9a-f]{40}$/u.test(text) ? text : git.resolve(`refs/heads/${name}`);
}

/** A commit's hash: of that commit itself, and not of a branch or an abbreviation. */
export function findCommit(git: GitStore, sha: string): string | null {
  return /^[0-9a-f]{40}$/u.test(sha) ? git.resolve(sha) : null;
}

/** What the branch did since it left its base; for a closed one, since it left the base of then. */
function rangeOf({ git }: StoredRepository, pull: StoredPull, isOpen: boolean): [string, string] {
  const base = (isOpen ? branchTip(git, pull.base) : null) ?? pull.baseSha;
  return [git.recall('merge-base', base, pull.headSha), pull.headSha];
}

const statuses: Readonly<Record<string, DiffFile['status']>> = { A: 'added', D: 'removed', R: 'renamed' };

function patchOf(git: GitStore, range: readonly string[], paths: readonly string[]): string | null {
  const text = git.recall('--literal-pathspecs', 'diff', '-M', ...range, '--', ...paths);
  const start = text.search(/^@@/mu);
  return start === -1 ? null : text.slice(start);
}

export function diffFiles(repository: StoredRepository, pull: StoredPull, isOpen: boolean): DiffFile[] {
  const { git } = repository;
  const range = rangeOf(repository, pull, isOpen);
  const counts = new Map<string, readonly [number, number]>();
  const fields = git.recall('diff', '-M', '--numstat', '-z', ...range).split('\0');
  for (let index = 0; index < fields.length - 1; ) {
    const [added = '', removed = '', path = ''] = (fields[index] ?? '').split('\t');
    // A path may hold tabs; that of a renamed file comes in fields of its own.
    const whole =
      path === '' ? (fields[index + 2] ?? '') : (fields[index] ?? '').split('\t').slice(2).join('\t');
    counts.set(whole, [Number(added) || 0, Number(removed) || 0]);
    index += path === '' ? 3 : 1;
  }
  const names = git.recall('diff', '-M', '--name-status', '-z', ...range).split('\0');
  const files: DiffFile[] = [];
  for (let index = 0; index < names.length - 1; ) {
    const letter = (names[index] ?? '').slice(0, 1);
    const isRename = letter === 'R';
    const previous = isRename ? (names[index + 1] ?? '') : null;
    const path = names[index + (isRename ? 2 : 1)] ?? '';
    const [additions, deletions] = counts.get(path) ?? [0, 0];
    const paths = previous === null ? [path] : [previous, path];
    files.push({
      path,
      previous,
      status: statuses[letter] ?? 'modified',
      additions,
      deletions,
      // Worked out for those who look at it.
      get patch() {
        return patchOf(git, range, paths);
      },
    });
    index += isRename ? 3 : 2;
  }
  return files;
}

interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

function hunksOf(patch: string): Hunk[] {
  return [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gmu)].map((found) => ({
    oldStart: Number(found[1]),
    oldCount: Number(found[2] ?? 1),
    newStart: Number(found[3]),
    newCount: Number(found[4] ?? 1),
  }));
}

/** Whether a line of the new side is shown in a patch. */
export function isLineInPatch(patch: string | null, line: number): boolean {
  return hunksOf(patch ?? '').some(
    ({ newStart, newCount }) => line >= newStart && line < newStart + newCount && newCount > 0,
  );
}

/** Where a line of a commit is now; null when it was changed. */
export function followLine(
  git: GitStore,
  from: string,
  to: string,
  path: string,
  line: number,
): number | null {
  const patch = git.recall('--literal-pathspecs', 'diff', '-U0', from, to, '--', path);
  let now = line;
  for (const { oldStart, oldCount, newCount } of hunksOf(patch)) {
    if (oldCount > 0 && line >= oldStart && line < oldStart + oldCount) return null;
    if (line >= oldStart + Math.max(oldCount, 1)) now += newCount - oldCount;
  }
  return now;
}

/** The tree of a merge; null when there is a conflict. */
function mergeTree(git: GitStore, ours: string, theirs: string): string | null {
  try {
    return git.recall('merge-tree', '--write-tree', ours, theirs);
  } catch {
    return null;
  }
}

function commitTree(git: GitStore, tree: string, parents: readonly string[], message: string): string {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
  const identity = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'GitHub'],
      [`GIT_${who}_EMAIL`, 'noreply@github.com'],
    ]),
  );
  return execFileSync('git', args, {
    cwd: git.folder,
    input: message,
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...identity },
  })
    .toString()
    .trim();
}

export function canMerge({ git }: StoredRepository, pull: StoredPull): boolean {
  const base = branchTip(git, pull.base);
  return base !== null && mergeTree(git, base, pull.headSha) !== null;
}

/** Puts the change on its base as one commit; null when it does not fit. */
export function squash({ git }: StoredRepository, pull: StoredPull, message: string): string | null {
  const base = branchTip(git, pull.base);
  const tree = base === null ? null : mergeTree(git, base, pull.headSha);
  if (base === null || tree === null) return null;
  const commit = commitTree(git, tree, [base], message);
  git.run('update-ref', `refs/heads/${pull.base}`, commit, base);
  return commit;
}

/** Puts the change on its base with a commit that has both as parents; null when it does not fit. */
export function mergeWith({ git }: StoredRepository, pull: StoredPull, message: string): string | null {
  const base = branchTip(git, pull.base);
  const tree = base === null ? null : mergeTree(git, base, pull.headSha);
  if (base === null || tree === null) return null;
  const commit = commitTree(git, tree, [base, pull.headSha], message);
  git.run('update-ref', `refs/heads/${pull.base}`, commit, base);
  return commit;
}

/** A commit that brings the base into the branch, not yet on it; null when it does not fit. */
export function makeUpdate({ git }: StoredRepository, pull: StoredPull): string | null {
  const base = branchTip(git, pull.base) ?? '';
  const tree = mergeTree(git, pull.headSha, base);
  if (tree === null) return null;
  return commitTree(git, tree, [pull.headSha, base], `Merge branch '${pull.base}' into ${pull.head}`);
}

export function countCommits(git: GitStore, from: string, to: string): number {
  return Number(git.run('rev-list', '--count', `${from}..${to}`));
}
