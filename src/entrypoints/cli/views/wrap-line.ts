/** Breaks what is wider than the screen between words. Below its beginning, so that columns and lists stay readable. */

/** Colours take no room on the screen. */
const colour = /\u001B\[[0-9;]*m/gu;
/** What a terminal shows twice as wide as a Latin letter. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u;
const narrow = /^[\u0020-\u007E]*$/u;

/** How many columns a text takes. */
export function textWidth(text: string): number {
  const shown = text.replace(colour, '');
  if (narrow.test(shown)) return shown.length;
  let width = 0;
  for (const sign of shown) width += wide.test(sign) ? 2 : /\p{Mark}|\u200D|\uFE0F/u.test(sign) ? 0 : 1;
  return width;
}

/**
 * A command that a person may copy, to the end of its line: a line break in it would be copied as well. What a command
 * printed is none, though npm puts its name before each line.
 */
const command =
  /(?:^|(?<!printed last): | {2,})((?:\u001B\[[0-9;]*m)*(?:gatewright|npx|npm|git|gh|cd|export|claude) (?=\S)(?<!npm (?=(?:error|ERR!|warn|WARN|notice) )).*)$/u;

/** The same in brackets or as code, which end it. */
const aside =
  /(?<=^| )(?:(?:\(|(?<=\([^()]*: ))(?:gatewright|npx|npm|git|gh|claude) [^()]+\)|`(?:gatewright|npx|npm|git|gh|claude) [^`]+`)\S*/u;

function splitWords(text: string): string[] {
  const toEnd = command.exec(text)?.[1];
  const bracketed = aside.exec(text);
  const start = toEnd === undefined ? text.length : text.length - toEnd.length;
  const [kept, from] =
    bracketed !== null && bracketed.index <= start ? [bracketed[0], bracketed.index] : [toEnd, start];
  if (kept === undefined) return text.split(' ');
  const before = text.slice(0, from).replace(/ $/u, '');
  const after = text.slice(from + kept.length).replace(/^ /u, '');
  return [...(before === '' ? [] : before.split(' ')), kept, ...(after === '' ? [] : splitWords(after))];
}

/** A time of day, the sign of a list or of how something ended, or both: what stands before the text of a line. */
const lead =
  /^(?:\u001B\[[0-9;]*m)*(?:\[?\d\d:\d\d:\d\d\]?(?:\u001B\[[0-9;]*m)* +(?=\S))?(?:(?:\u001B\[[0-9;]*m)*(?:[-*•=+!✓✗…>▶●⏸▲⊘]|\d+[.)])(?:\u001B\[[0-9;]*m)* +(?=\S))?/u;

/** Where the lines that follow begin: below the last column or behind the lead of the line, else below the first word. */
function findMargin(line: string, indent: number, width: number): number {
  const sign = textWidth(lead.exec(line.slice(indent))?.[0] ?? '');
  let margin = Math.min(indent + sign, Math.floor(width / 2));
  for (const gap of line.slice(indent).matchAll(/\S( {2,})(?=\S)/gu)) {
    const column = textWidth(line.slice(0, indent + gap.index + gap[0].length));
    if (column <= width * 0.6) margin = column;
  }
  return margin;
}

/** A line, as the lines that it takes on a screen of that width. One word that is wider stays in one piece. */
export function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const indent = line.length - line.trimStart().length;
  const margin = ' '.repeat(findMargin(line, indent, width));
  const lines: string[] = [];
  let current = line.slice(0, indent);
  let isEmpty = true;
  for (const word of splitWords(line.slice(indent))) {
    const joined = isEmpty ? current + word : `${current} ${word}`;
    if (isEmpty || textWidth(joined) <= width) {
      current = joined;
      // Blanks between columns are words of no length: they are kept, and do not count as a beginning.
      if (word !== '') isEmpty = false;
      else if (isEmpty) current += ' ';
      continue;
    }
    lines.push(current.trimEnd());
    // A command that would be too wide there as well begins further to the left.
    current = (textWidth(margin + word) > width ? `${line.slice(0, indent)}    ` : margin) + word;
    isEmpty = word === '';
    if (isEmpty) current = margin;
  }
  if (!isEmpty) lines.push(current.trimEnd());
  return lines;
}

export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n');
}

/** No column is made narrower, if its words are not. */
const narrowest = 12;

/** How wide each column may be, so that all of them fit; null if they cannot. The widest gives way first. */
function fitColumns(cells: readonly (readonly string[])[], width: number): number[] | null {
  const count = Math.max(0, ...cells.map((row) => row.length));
  const widest = (measure: (cell: string) => number): number[] =>
    Array.from({ length: count }, (_, at) => Math.max(0, ...cells.map((row) => measure(row[at] ?? ''))));
  const widths = widest(textWidth);
  const words = widest((cell) => Math.max(...cell.split(' ').map(textWidth)));
  const room = width - 2 * (count - 1);
  for (;;) {
    const excess = widths.reduce((sum, one) => sum + one, 0) - room;
    if (excess <= 0) return widths;
    const least = (at: number): number => Math.max(narrowest, words[at] ?? 0);
    const ranked = widths
      .map((one, at) => [one - least(at) > 0 ? one : 0, at] as const)
      .toSorted((a, b) => b[0] - a[0]);
    const [size, at] = ranked[0] ?? [0, 0];
    if (size === 0) return null;
    widths[at] = Math.max(least(at), Math.max(size - excess, (ranked[1]?.[0] ?? 0) - 1));
  }
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Rows as columns, two blanks apart. What is too wide for the screen is broken within its column. */
export function layOutTable(cells: readonly (readonly string[])[], width: number): string {
  const widths = fitColumns(cells, width) ?? fitColumns(cells, Number.POSITIVE_INFINITY) ?? [];
  return cells
    .flatMap((row) => {
      const columns = row.map((cell, at) => wrapLine(cell, widths[at] ?? 0));
      const height = Math.max(1, ...columns.map((lines) => lines.length));
      return Array.from({ length: height }, (_, line) =>
        columns
          .map((lines, at) => pad(lines[line] ?? '', widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      );
    })
    .join('\n');
}
