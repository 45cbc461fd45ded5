/**
 * The lines that a unified diff of git adds. Their number is taken from the heads of the hunks, so that a line of a file
 * that looks like a head of a diff is a line of a file.
 */

export interface AddedLine {
  readonly path: string;
  /** Counted from 1, in the new file. */
  readonly line: number;
  readonly text: string;
}

export interface AddedLines {
  readonly lines: readonly AddedLine[];
  /** Whether all of the diff could be read: it may be cut, or be no diff at all. */
  readonly isWhole: boolean;
}

const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u;

/** What git writes between two files besides the names. */
const betweenFiles =
  /^(?:$|diff --git |index |old mode |new mode |deleted file mode |new file mode |similarity index |dissimilarity index |rename from |rename to |copy from |copy to |--- |Binary files )/u;

const escapes: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 },
};

/** A name as git writes it: in quotes, with every byte that is not plain as an escape, or as it is. */
function readName(written: string): string {
  const name = written.replace(/\t$/u, '');
  if (!/^".*"$/u.test(name)) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, octal, letter] of name.slice(1, -1).matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else bytes.push(...encoder.encode(part));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

class DiffReader {
  readonly lines: AddedLine[] = [];
  #path = '';
  /** How many lines of the old and the new file the hunk still has. */
  #left = 0;
  #right = 0;
  #number = 0;
  #isStrange = false;

  get isWhole(): boolean {
    return !this.#isStrange && this.#left === 0 && this.#right === 0;
  }

  read(line: string): void {
    if (this.#left > 0 || this.#right > 0) this.#readInHunk(line);
    else this.#readBetween(line);
  }

  #readInHunk(line: string): void {
    const mark = line.charAt(0);
    if (mark === '\\') return;
    if (mark === '+') {
      const text = line.slice(1).replace(/\r$/u, '');
      this.lines.push({ path: this.#path, line: this.#number, text });
    }
    if (mark === '+' || mark === ' ') {
      this.#number += 1;
      this.#right -= 1;
    }
    if (mark === '-' || mark === ' ') this.#left -= 1;
    if (!['+', '-', ' '].includes(mark) || this.#left < 0 || this.#right < 0) this.#isStrange = true;
  }

  #readBetween(line: string): void {
    const [head, left = '1', start = '0', right = '1'] = hunk.exec(line) ?? [];
    if (head !== undefined) {
      this.#left = Number(left);
      this.#right = Number(right);
      this.#number = Number(start);
    } else if (line.startsWith('+++ ')) this.#path = readName(line.slice(4)).replace(/^b\//u, '');
    else if (!betweenFiles.test(line) && !line.startsWith('\\ ')) this.#isStrange = true;
  }
}

export function readAddedLines(diff: string): AddedLines {
  const reader = new DiffReader();
  for (const line of diff.split('\n')) reader.read(line);
  return { lines: reader.lines, isWhole: reader.isWhole };
}
