/**
 * Tells the thread that handles events what was written. Of many writes in a short time it tells the last one only: a file
 * that is written to its end says all that was said of it before.
 */
import type { Written } from '../adapters/inbox/inbox-writer.ts';

const quietMilliseconds = 20;

export class WrittenNotices {
  readonly #tell: (written: Written, count: number) => void;
  #waiting: { readonly written: Written; readonly count: number } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: (written: Written, count: number) => void) {
    this.#tell = tell;
  }

  /** Told at once, unless something was told just before. */
  add(written: Written, count: number): void {
    const last = this.#waiting;
    // Another file: the end of the one before has to be told too.
    if (last !== null && last.written.file !== written.file) this.#flush();
    this.#waiting = { written, count: count + (this.#waiting?.count ?? 0) };
    if (this.#timer === null) this.#flush();
  }

  close(): void {
    this.#flush();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    const last = this.#waiting;
    this.#waiting = null;
    if (last === null) return;
    this.#tell(last.written, last.count);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, quietMilliseconds);
  }
}
