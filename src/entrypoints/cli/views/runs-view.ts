/** The list of runs: a table, where the screen is wide enough for all of it; else a few lines for each run. */
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { Terminal } from './terminal.ts';
import { layOutTable } from './wrap-line.ts';

/** In a narrower one the words of title and reason would stand one below the other. */
const widthOfTable = 150;
/** Id, status, age and cost are short; what is behind them is text. */
const shortCells = 4;

/** The rows, with their heading first: four short cells, then subject, title and reason. */
export function layOutRuns(rows: readonly (readonly string[])[], columns: number | undefined): string {
  const cells = rows.map((row) => row.map((cell) => escapeForLine(cell, 1_000)));
  if (columns === undefined || columns >= widthOfTable)
    return layOutTable(cells, columns ?? Number.POSITIVE_INFINITY);
  const heads = layOutTable(
    cells.map((row) => row.slice(0, shortCells)),
    Number.POSITIVE_INFINITY,
  ).split('\n');
  return cells
    .flatMap((row, at) => {
      const [subject = '', title = '', why = ''] = row.slice(shortCells);
      return [heads[at] ?? '', `    ${subject}  ${title}`, ...(why === '' ? [] : [`    ${why}`])];
    })
    .join('\n');
}

export function printRuns(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  terminal.print(layOutRuns(rows, terminal.columns || undefined));
}
