/** Cuts a stream of bytes into lines. However much comes, no more than one line is kept, and of that no more than a limit. */

export class LineReader {
  readonly #onLine: (line: string) => void;
  readonly #longest: number;
  #parts: Buffer[] = [];
  #length = 0;
  #isTooLong = false;

  /** Lines longer than the limit (in bytes) are left out. */
  constructor(onLine: (line: string) => void, longest = 16 * 1024 * 1024) {
    this.#onLine = onLine;
    this.#longest = longest;
  }

  take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** The last line may lack its end. */
  end(): void {
    this.#finishLine();
  }

  #keep(part: Buffer): void {
    if (this.#isTooLong || part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#longest) {
      this.#isTooLong = true;
      this.#parts = [];
    } else this.#parts.push(part);
  }

  #finishLine(): void {
    const line = this.#isTooLong ? '' : Buffer.concat(this.#parts).toString('utf8').trim();
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (line !== '') this.#onLine(line);
  }
}
