/** What differs between two texts, line by line, as people know it from diffs. */

/** Longer texts would take too long to compare for what it is worth. */
const mostLines = 2_000;

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
}

interface Line {
  /** Whether only the old text has it, only the new one, or both. */
  readonly mark: '-' | '+' | ' ';
  readonly text: string;
}

/** Null for texts that are too long. */
function compare(before: string, after: string): Line[] | null {
  const [old, now] = [splitLines(before), splitLines(after)];
  if (old.length > mostLines || now.length > mostLines) return null;
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const here = common[row];
      if (here === undefined) continue;
      here[column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ mark: ' ', text: old[row] ?? '' });
      row += 1;
      column += 1;
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: old[row] ?? '' });
      row += 1;
    } else {
      lines.push({ mark: '+', text: now[column] ?? '' });
      column += 1;
    }
  }
  return lines;
}

const tooLong = '(too long to compare)';

/** Lines that are only in the old text begin with "- ", those only in the new one with "+ "; common ones are left out. */
export function lineDifference(before: string, after: string): string[] {
  const lines = compare(before, after);
  if (lines === null) return [tooLong];
  return lines.filter(({ mark }) => mark !== ' ').map(({ mark, text }) => `${mark} ${text}`);
}

/** So many common lines are shown around a change. */
const around = 3;

/** As `diff -u` writes it, without the lines that name the files; empty where nothing differs. */
export function unifiedDifference(before: string, after: string): string[] {
  const lines = compare(before, after);
  if (lines === null) return [tooLong];
  const changed = lines.flatMap(({ mark }, at) => (mark === ' ' ? [] : [at]));
  const isShown = (at: number): boolean => changed.some((one) => Math.abs(one - at) <= around);
  const hunks: string[] = [];
  let [oldLine, newLine] = [0, 0];
  for (let at = 0; at < lines.length; at += 1) {
    if (isShown(at) && (at === 0 || !isShown(at - 1))) {
      let end = at;
      while (end < lines.length && isShown(end)) end += 1;
      const hunk = lines.slice(at, end);
      const range = (from: number, other: Line['mark']): string => {
        const count = hunk.filter(({ mark }) => mark !== other).length;
        return `${count === 0 ? from : from + 1},${count}`;
      };
      hunks.push(`@@ -${range(oldLine, '+')} +${range(newLine, '-')} @@`);
      hunks.push(...hunk.map(({ mark, text }) => `${mark}${text}`));
    }
    if (lines[at]?.mark !== '+') oldLine += 1;
    if (lines[at]?.mark !== '-') newLine += 1;
  }
  return hunks;
}
