/**
 * How much of a change a reviewer is shown. Code decides it and names what was left out: a part that no reviewer looked
 * at must not pass as reviewed.
 */

import { readPatchLines } from '../../../domain/forge/patch-lines.ts';
import { countOf } from '../../../domain/text/count-of.ts';

interface ReviewableFile {
  readonly path: string;
  readonly previousPath: string | null;
  readonly change: 'added' | 'modified' | 'removed' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
  /** Null when it is binary or too large to be shown. */
  readonly patch: string | null;
}

interface ShownFile extends ReviewableFile {
  /** As much of the patch as is shown; empty when nothing is. */
  readonly shown: string;
}

interface ReviewMaterial {
  readonly files: readonly ShownFile[];
  /** One sentence for each part that is not shown. */
  readonly unseen: readonly string[];
}

/** In characters. Beyond this, a reviewer, model or person, reads less carefully. */
const longestPatch = 40_000;
const longestDiff = 160_000;
const mostFiles = 300;

/** The beginning of a text that fits, cut where a line ends. */
function beginningOf(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return text.slice(0, Math.max(0, text.lastIndexOf('\n', longest)));
}

/** Whether its name and its counts are all that there is to see. */
function isSeenWithoutPatch(file: ReviewableFile): boolean {
  return file.change === 'removed' || (file.change === 'renamed' && file.additions + file.deletions === 0);
}

/** @param last paths that come after all others: what only keeps how a change came about must not take its room */
export function selectForReview(
  given: readonly ReviewableFile[],
  last: readonly string[] = [],
): ReviewMaterial {
  const isLast = ({ path }: ReviewableFile): boolean => last.includes(path);
  const files = [...given.filter((file) => !isLast(file)), ...given.filter(isLast)];
  const shown: ShownFile[] = [];
  const unseen: string[] = [];
  let room = longestDiff;
  for (const file of files.slice(0, mostFiles)) {
    const { path, patch } = file;
    if (patch === null) {
      if (!isSeenWithoutPatch(file)) unseen.push(`${path}: it is binary, empty or too large to be shown`);
      shown.push({ ...file, shown: '' });
      continue;
    }
    const part = beginningOf(patch, Math.min(longestPatch, room));
    room -= part.length;
    if (part.length < patch.length) {
      const [all, seen] = [patch.split('\n').length, part === '' ? 0 : part.split('\n').length];
      unseen.push(`${path}: ${all - seen} of ${countOf(all, 'line')} of its diff, which is too long`);
    }
    shown.push({ ...file, shown: part });
  }
  if (files.length > mostFiles) unseen.push(countOf(files.length - mostFiles, 'more file'));
  return { files: shown, unseen };
}

/** The text of a line of the new version; null when it is not in what was shown. */
export function makeLineReader(files: readonly ShownFile[]): (path: string, line: number) => string | null {
  const lines = new Map(files.map((file) => [file.path, readPatchLines(file.shown)]));
  return (path, line) => lines.get(path)?.get(line) ?? null;
}
