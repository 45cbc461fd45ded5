/** Turns what a program showed on a terminal into an animated SVG: the lines that stayed, in the order in which they came. */

/** A piece of output with the milliseconds since the beginning. */
export interface Piece {
  readonly at: number;
  readonly text: string;
}

interface Cell {
  readonly sign: string;
  readonly style: string;
}

interface Row {
  cells: Cell[];
  /** When it was written for the first time since it was last erased. */
  at: number;
}

const colours: Readonly<Record<string, string>> = {
  31: '#e06c75',
  32: '#98c379',
  33: '#e5c07b',
  36: '#56b6c2',
};

const token = /\u001B\[([0-9;?]*)([A-Za-z])|\r\n|\n|\r|[^\u001B\r\n]+/gu;

/** As much of a terminal as the program uses: colours, a cursor that goes up, and erasing below it. */
class Screen {
  readonly rows: Row[] = [];
  #line = 0;
  #column = 0;
  #styles = new Set<string>();

  write({ at, text }: Piece): void {
    for (const [whole, codes = '', letter] of text.matchAll(token)) {
      if (letter !== undefined) this.#obey(letter, codes);
      else if (whole === '\r') this.#column = 0;
      else if (whole.endsWith('\n')) {
        this.#rowAt(at);
        this.#line += 1;
        this.#column = 0;
      } else this.#print(whole, at);
    }
  }

  #rowAt(at: number): Row {
    while (this.rows.length <= this.#line) this.rows.push({ cells: [], at });
    return this.rows[this.#line] ?? { cells: [], at };
  }

  #print(text: string, at: number): void {
    const row = this.#rowAt(at);
    if (row.cells.length === 0) row.at = at;
    const style = [...this.#styles].toSorted().join(' ');
    for (const sign of text) {
      row.cells[this.#column] = { sign, style };
      this.#column += 1;
    }
  }

  #obey(letter: string, codes: string): void {
    if (letter === 'A') this.#line = Math.max(0, this.#line - Number(codes || 1));
    else if (letter === 'J') this.rows.length = Math.min(this.rows.length, this.#line);
    else if (letter === 'm') for (const code of (codes || '0').split(';')) this.#restyle(code);
  }

  #restyle(code: string): void {
    const keep = (isKept: (style: string) => boolean): void => {
      this.#styles = new Set([...this.#styles].filter(isKept));
    };
    if (code === '0') keep(() => false);
    else if (code === '22') keep((style) => style !== 'b' && style !== 'd');
    else if (code === '39') keep((style) => !(style in colours));
    else if (code === '1') this.#styles.add('b');
    else if (code === '2') this.#styles.add('d');
    else if (code in colours) this.#styles.add(code);
  }
}

function replay(pieces: readonly Piece[]): Row[] {
  const screen = new Screen();
  for (const piece of pieces) screen.write(piece);
  return screen.rows;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function styleAttributes(style: string): string {
  const parts = style.split(' ');
  const colour = parts.map((part) => colours[part]).find((one) => one !== undefined);
  return [
    ...(parts.includes('b') ? [' font-weight="bold"'] : []),
    ...(parts.includes('d') ? [' opacity="0.6"'] : []),
    ...(colour === undefined ? [] : [` fill="${colour}"`]),
  ].join('');
}

/** Runs of signs of one style. Blanks keep their width, so that columns stay columns. */
function renderRow(row: Row, y: number): string {
  let rest = [...row.cells].map((cell) => cell ?? { sign: ' ', style: '' });
  const spans: string[] = [];
  while (rest.length > 0) {
    const style = rest[0]?.style ?? '';
    const end = rest.findIndex((cell) => cell.style !== style);
    const taken = end === -1 ? rest : rest.slice(0, end);
    rest = rest.slice(taken.length);
    const text = escapeXml(taken.map(({ sign }) => sign).join(''));
    const attributes = styleAttributes(style);
    spans.push(attributes === '' ? text : `<tspan${attributes}>${text}</tspan>`);
  }
  return spans.length === 0 ? '' : `<text x="16" y="${y}">${spans.join('')}</text>`;
}

const lineHeight = 18;
const letterWidth = 8.1;
/** A reader needs a moment for a line, and no more than that for a pause. */
const leastPause = 90;
const mostPause = 1_400;
const lastPause = 6_000;

/** The window shows the newest lines at its lower end, as a terminal does. It begins again when it has ended. */
export function renderRecording(
  pieces: readonly Piece[],
  size: { columns: number; rows: number },
  title: string,
): string {
  const rows = replay(pieces);
  const times: number[] = [];
  for (const [index, row] of rows.entries()) {
    const pause = row.at - (rows[index - 1]?.at ?? row.at);
    times.push((times[index - 1] ?? 0) + Math.min(Math.max(pause, leastPause), mostPause));
  }
  const total = (times.at(-1) ?? 0) + lastPause;
  const height = size.rows * lineHeight;
  const steps = rows.map((_, index) => {
    const share = ((times[index] ?? 0) / total) * 100;
    return `${share.toFixed(2)}%{transform:translateY(${height - (index + 1) * lineHeight}px)}`;
  });
  const width = Math.ceil(size.columns * letterWidth) + 32;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 56}" width="${width}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>@keyframes scroll{${steps.join('')}to{transform:translateY(${height - rows.length * lineHeight}px)}}`,
    `.lines{animation:scroll ${(total / 1000).toFixed(1)}s step-end infinite;font:13.5px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d7dae0;white-space:pre}`,
    // Who asked for less motion sees how it ended.
    `@media (prefers-reduced-motion:reduce){.lines{animation:none;transform:translateY(${height - rows.length * lineHeight}px)}}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="#1e2127"/>`,
    ...['#e06c75', '#e5c07b', '#98c379'].map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="18" r="5" fill="${fill}"/>`,
    ),
    `<clipPath id="window"><rect x="0" y="36" width="${width}" height="${height + 8}"/></clipPath>`,
    '<g clip-path="url(#window)"><g transform="translate(0 36)"><g class="lines">',
    ...rows.map((row, index) => renderRow(row, (index + 1) * lineHeight - 4)).filter((text) => text !== ''),
    '</g></g></g></svg>',
    '',
  ].join('\n');
}
