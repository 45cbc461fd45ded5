/** As much of a terminal as the program uses, to see what a person sees. */

/** Colours, cursor and erasing; hyperlinks and titles; single letters. */
const token =
  /\u001B\[(?<codes>[0-9;?]*)(?<letter>[A-Za-z])|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[A-Za-z=>]|\r|\n|[^\u001B\r\n]+|\u001B/gu;

/** What is left on a screen that keeps everything that scrolled away. */
export function renderScreen(output: string): string {
  const rows: string[][] = [[]];
  let [line, column] = [0, 0];
  const row = (): string[] => {
    while (rows.length <= line) rows.push([]);
    return rows[line] ?? [];
  };
  for (const match of output.matchAll(token)) {
    const [whole] = match;
    const { codes = '', letter } = match.groups ?? {};
    if (whole === '\r') column = 0;
    else if (whole === '\n') line += 1;
    else if (letter === 'A') line = Math.max(0, line - Number(codes || 1));
    else if (letter === 'G') column = Math.max(0, Number(codes || 1) - 1);
    else if (letter === 'K') row().length = codes === '2' ? 0 : Math.min(row().length, column);
    else if (letter === 'J') {
      row().length = Math.min(row().length, column);
      rows.length = line + 1;
    } else if (!whole.startsWith('\u001B'))
      for (const sign of whole) {
        row()[column] = sign;
        column += 1;
      }
  }
  return rows
    .map((cells) =>
      Array.from(cells, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
