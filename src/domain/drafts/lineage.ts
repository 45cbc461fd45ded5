/**
 * Lineage: the numbered files that show how an artefact came about. Numbers are read from what is on disk each time,
 * so that a file a person adds is respected and no number is used twice.
 */

export type LineageSuffix =
  | 'brief.md'
  | 'draft.md'
  | 'verdict.md'
  | 'feedback.txt'
  | 'filed.json'
  | 'approved.json';

const lineageActive = 'docs/lineage/active';
export const lineageDone = 'docs/lineage/done';

export function activeFolder(slug: string): string {
  return `${lineageActive}/${slug}`;
}

/** Where the files of a cancelled run are, once a new run has its short name. */
export function cancelledFolder(run: string, slug: string): string {
  return `docs/lineage/cancelled/${slug}-${run}`;
}

export function doneFolder(issue: number, slug: string): string {
  return `${lineageDone}/${issue}-${slug}`;
}

/** The number after the highest `NNN-` prefix in the folder. Longer ones are dates and the like, not ours. */
export function nextLineageNumber(fileNames: readonly string[]): number {
  let highest = 0;
  for (const name of fileNames) {
    const match = /^(\d{3,6})-/u.exec(name);
    if (match?.[1] !== undefined) highest = Math.max(highest, Number.parseInt(match[1], 10));
  }
  return highest + 1;
}

export function lineageFileName(number: number, suffix: LineageSuffix): string {
  return `${String(number).padStart(3, '0')}-${suffix}`;
}

/** `name`, `name-2`, `name-3` and so on. */
export function* numberedSlugs(name: string): Generator<string> {
  yield name;
  for (let number = 2; number < 10_000; number += 1) yield `${name}-${number}`;
}
