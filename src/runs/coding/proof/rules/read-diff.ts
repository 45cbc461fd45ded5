/**
 * A unified diff as git prints it, file by file and line by line. The numbers of a hunk say how many lines belong to
 * it, so that no line of a file can pass for a line of the diff.
 */

/** More of a line is not read: such lines are not written by hand. */
const longestLine = 4000;

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
  /** In the new file; for a removed line, where it was. */
  readonly line: number;
}

export interface DiffHunk {
  /** What git prints behind the numbers: usually the line that the hunk stands below. */
  readonly below: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  /** What it was called before; the same as `path` unless it was renamed. */
  readonly previousPath: string;
  readonly change: 'added' | 'modified' | 'removed' | 'renamed';
  readonly hunks: readonly DiffHunk[];
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** Git quotes names with other characters than plain ones, byte by byte. */
function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(plain ?? escapes[letter ?? ''] ?? letter ?? ''));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function readHunk(
  lines: readonly string[],
  at: number,
): { readonly hunk: DiffHunk; readonly next: number } | null {
  const [, olds = '1', start, news = '1', below = ''] =
    /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/u.exec(lines[at] ?? '') ?? [];
  if (start === undefined) return null;
  let [old, fresh, line, next] = [Number(olds), Number(news), Number(start), at + 1];
  const found: DiffLine[] = [];
  while (old > 0 || fresh > 0) {
    const text = lines[next];
    if (text === undefined) break;
    const sign = text[0] ?? ' ';
    next += 1;
    // "\ No newline at end of file"
    if (sign !== '+' && sign !== '-' && sign !== ' ') continue;
    found.push({ sign, text: text.slice(1, longestLine), line: Math.max(1, line) });
    if (sign !== '+') old -= 1;
    if (sign !== '-') {
      fresh -= 1;
      line += 1;
    }
  }
  return { hunk: { below, lines: found }, next };
}

const after = (line: string | undefined, start: string): string | null =>
  line?.startsWith(start) === true ? unquote(line.slice(start.length)) : null;

/** `a/one b/one`: without a rename both halves are equal. */
function nameInHeader(header: string): string {
  const names = header.slice('diff --git '.length);
  if (names.startsWith('"')) return unquote(names.slice(0, names.indexOf('" ') + 1)).slice(2);
  return names.slice(2, (names.length - 1) / 2);
}

function changeOf(head: readonly string[]): DiffFile['change'] {
  if (head.some((line) => line.startsWith('new file mode '))) return 'added';
  if (head.some((line) => line.startsWith('deleted file mode '))) return 'removed';
  return head.some((line) => line.startsWith('rename to ')) ? 'renamed' : 'modified';
}

export function readDiff(diff: string): DiffFile[] {
  const lines = diff.split('\n');
  const files: DiffFile[] = [];
  let at = 0;
  while (at < lines.length) {
    const header = lines[at] ?? '';
    at += 1;
    if (!header.startsWith('diff --git ')) continue;
    const start = at;
    while (at < lines.length && !/^(?:@@ |diff --git )/u.test(lines[at] ?? '')) at += 1;
    const head = lines.slice(start, at);
    const hunks: DiffHunk[] = [];
    for (let read = readHunk(lines, at); read !== null; read = readHunk(lines, at)) {
      hunks.push(read.hunk);
      at = read.next;
      // The mark that the file has no line end may follow the last line.
      while (lines[at]?.startsWith('\\') === true) at += 1;
    }
    const find = (word: string): string | null =>
      head.map((line) => after(line, word)).find((name) => name !== null) ?? null;
    const path = find('rename to ') ?? nameInHeader(header);
    files.push({ path, previousPath: find('rename from ') ?? path, change: changeOf(head), hunks });
  }
  return files;
}

/** The lines of one side of a hunk. */
export function sideOf({ lines }: DiffHunk, side: 'old' | 'new'): DiffLine[] {
  return lines.filter(({ sign }) => sign !== (side === 'old' ? '+' : '-'));
}

/** Lines that were changed together: runs without an unchanged line between them. */
export function blocksOf(file: DiffFile): { readonly removed: DiffLine[]; readonly added: DiffLine[] }[] {
  const blocks: { removed: DiffLine[]; added: DiffLine[] }[] = [];
  for (const { lines } of file.hunks) {
    let isOpen = false;
    for (const line of lines) {
      if (line.sign === ' ') isOpen = false;
      else {
        if (!isOpen) blocks.push({ removed: [], added: [] });
        isOpen = true;
        blocks.at(-1)?.[line.sign === '-' ? 'removed' : 'added'].push(line);
      }
    }
  }
  return blocks;
}
