/** What changed between two commits, file by file, as git's plumbing counts it; no program of the repository's is asked. */

import type { TreeFile } from '../../../domain/changes/tree-file.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { ChangedFile } from '../../../ports/forge/forge.ts';
import type { BareGit } from '../bare-git.ts';
import { kindOfMode } from '../tree-files.ts';

/** Longer diffs of one file, and of all together, are counted but not shown. */
const longestPatch = 20_000;
const longestDiff = 200_000;

interface Counted extends Omit<ChangedFile, 'patch'> {
  readonly isTypeChange: boolean;
  readonly isBinary: boolean;
  readonly was: TreeFile['kind'] | null;
  readonly is: TreeFile['kind'] | null;
}

const diffOptions = ['diff-tree', '-r', '-M', '--no-ext-diff', '--no-textconv', '--no-color'];

const changes: Readonly<Record<string, ChangedFile['change']>> = {
  A: 'added',
  D: 'removed',
  R: 'renamed',
};

function count(text: string | undefined): number {
  return text === undefined || text === '-' ? 0 : Number(text);
}

/** Null for the mode of what is not there. */
function kindAt(mode: string): TreeFile['kind'] | null {
  return /^0+$/u.test(mode) ? null : kindOfMode(mode);
}

/** Reads `--raw --numstat -z`: first all files with their status, then all with their counts, in the same order. */
function parseCounts(output: string): Counted[] {
  const words = output.split('\0');
  const files: Pick<Counted, 'path' | 'previousPath' | 'was' | 'is'>[] = [];
  const statuses: string[] = [];
  const counts: [string | undefined, string | undefined][] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word.startsWith(':')) {
      const [before = '', after = '', , , letters = 'M'] = word.slice(1).split(' ');
      const status = letters[0] ?? 'M';
      const isRename = status === 'R' || status === 'C';
      const [first = '', second = ''] = [words[index + 1], words[index + 2]];
      statuses.push(status);
      files.push({
        path: isRename ? second : first,
        previousPath: isRename ? first : null,
        was: kindAt(before),
        is: kindAt(after),
      });
      index += isRename ? 2 : 1;
    } else if (word !== '') {
      const [added, removed, path] = word.split('\t');
      counts.push([added, removed]);
      // A renamed file has its two names after it.
      if (path === '') index += 2;
    }
  }
  if (files.length !== counts.length)
    throw new GatewrightError('git-failed', 'git diff-tree counted other files than it listed.');
  return files.map((file, index) => ({
    ...file,
    change: changes[statuses[index] ?? 'M'] ?? 'modified',
    additions: count(counts[index]?.[0]),
    deletions: count(counts[index]?.[1]),
    isTypeChange: statuses[index] === 'T',
    isBinary: counts[index]?.[0] === '-',
  }));
}

/**
 * The hunks of each file, in git's order; null where there are none. Lines of content never begin with "diff" or "@@".
 * Only a line feed begins a line here: a carriage return inside a file must not look like a new line.
 */
function parsePatches(output: string): (string | null)[] {
  return `\n${output}`
    .split('\ndiff --git ')
    .slice(1)
    .map((section) => {
      const start = section.indexOf('\n@@ ');
      return start === -1 ? null : section.slice(start + 1).replace(/\n$/u, '');
    });
}

async function readPatches(git: BareGit, from: string, to: string): Promise<(string | null)[]> {
  try {
    return parsePatches(await git.look([...diffOptions, '-p', '-U3', from, to]));
  } catch (error) {
    // More than fits: too large to be shown.
    if (isGatewrightError(error, 'git-failed')) return [];
    throw error;
  }
}

/** Counts only: what a list or a size check needs. */
export async function countChanges(git: BareGit, from: string, to: string): Promise<Counted[]> {
  return parseCounts(await git.look([...diffOptions, '--raw', '--numstat', '-z', from, to]));
}

export async function readChanges(git: BareGit, from: string, to: string): Promise<ChangedFile[]> {
  const counted = await countChanges(git, from, to);
  const lines = counted.reduce((sum, file) => sum + file.additions + file.deletions, 0);
  const found = lines > longestDiff ? [] : await readPatches(git, from, to);
  // A patch that stood beside another file's name would be worse than none.
  const sections = counted.reduce((sum, file) => sum + (file.isTypeChange ? 2 : 1), 0);
  const patches = found.length === sections ? found : [];
  let position = 0;
  return counted.map(({ isTypeChange, isBinary: _, was: _was, is: _is, ...file }) => {
    // A file that became a link is shown as removed and added.
    const own = patches.slice(position, position + (isTypeChange ? 2 : 1)).filter((patch) => patch !== null);
    position += isTypeChange ? 2 : 1;
    const isShown = own.length > 0 && file.additions + file.deletions <= longestPatch;
    return { ...file, patch: isShown ? own.join('\n') : null };
  });
}

/** Where a line of the old side of a patch without context is on the new side; null when it was changed. */
export function followLine(patch: string, line: number): number | null {
  let shift = 0;
  for (const match of `\n${patch}`.matchAll(/\n@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/gu)) {
    const [start, removed, added] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
    // A hunk that only adds names the line before it.
    const first = removed === 0 ? start + 1 : start;
    if (line < first) break;
    if (line < first + removed) return null;
    shift += added - removed;
  }
  return line + shift;
}

/** Where a line of a file in one commit is in a later one; null when it is gone. */
export async function followLineBetween(
  git: BareGit,
  from: string,
  to: string,
  path: string,
  line: number,
): Promise<number | null> {
  if (from === to) return line;
  const output = await git.run(['--literal-pathspecs', ...diffOptions, '-p', '-U0', from, to, '--', path]);
  if (/\n(?:deleted file|Binary files)/u.test(output)) return null;
  return followLine(output, line);
}
