/** What differs between two texts, line by line, as people know it from diffs. */

/** Longer texts would take too long to compare for what it is worth. */
const mostLines = 2_000;

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
}

/** Lines that are only in the old text begin with "- ", those only in the new one with "+ "; common ones are left out. */
export function lineDifference(before: string, after: string): string[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  if (old.length > mostLines || now.length > mostLines) return ['(too long to compare)'];
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
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      row += 1;
      column += 1;
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(`- ${old[row]}`);
      row += 1;
    } else {
      lines.push(`+ ${now[column]}`);
      column += 1;
    }
  }
  return lines;
}
