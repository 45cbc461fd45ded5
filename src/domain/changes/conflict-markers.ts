/**
 * Which lines of a settled file look like git's conflict markers and were there in neither side. Pure. Labels do not
 * count: an agent that rewrites them has settled nothing.
 */

/** Seven or more of one of git's four characters at the beginning of a line, then a blank or the end of the line. */
const marker = /^(?:<{7,}|>{7,}|\|{7,}|={7,})(?=[ \t]|$)/u;

function countMarkers(text: string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const full of (text ?? '').split('\n')) {
    const line = full.replace(/\r+$/u, '');
    if (marker.test(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

interface Sides {
  readonly ours: string | null;
  readonly theirs: string | null;
  /** The file as git left it, with its markers; null when git merged no such file. */
  readonly marked: string | null;
}

/**
 * A side may have such lines itself, such as the underline of a title. They may stay, as often as both sides have them;
 * not more often than in git's own result without its markers, so that a marker does not pass for an underline.
 */
export function hasMarkersLeft(settled: string, { ours, theirs, marked }: Sides): boolean {
  const [mine, other, found] = [countMarkers(ours), countMarkers(theirs), countMarkers(marked)];
  // Git opens a conflict with exactly seven; longer ones are those of a merge within the history.
  const opened = (counts: ReadonlyMap<string, number>): number =>
    [...counts].filter(([line]) => /^<{7}(?!<)/u.test(line)).reduce((sum, [, count]) => sum + count, 0);
  const hunks = Math.max(0, opened(found) - opened(mine) - opened(other));
  return [...countMarkers(settled)].some(([line, count]) => {
    const both = (mine.get(line) ?? 0) + (other.get(line) ?? 0);
    // Each conflict that git marked has one separator without a label.
    const inResult = (found.get(line) ?? 0) - (line === '=======' ? hunks : 0);
    return count > (marked === null ? both : Math.min(both, inResult));
  });
}
