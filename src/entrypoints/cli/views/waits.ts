/**
 * Everything that is waited for at a time. One of it is shown: what a command named itself, else what began last. Steps
 * that follow each other at once and have the same text are one wait: a command that asks GitHub thirty times waits for
 * GitHub.
 */
import { plainMilliseconds, quietMilliseconds, type WaitLine, type WaitSpan } from './wait-line.ts';

/** Where no line can be drawn again, an unannounced wait is told of after this long. */
const firstPlainMilliseconds = 3_000;
/** A longer pause between two steps makes two waits of them. */
const longestPause = 1_000;

export class Waits {
  readonly #line: Pick<WaitLine, 'begin' | 'end' | 'erase'>;
  readonly #now: () => number;
  #named: WaitSpan | null = null;
  readonly #open = new Map<object, WaitSpan>();
  #last: { readonly span: WaitSpan; readonly endedAt: number } | null = null;
  #shown: WaitSpan | null = null;
  #pauses = 0;

  constructor(line: Pick<WaitLine, 'begin' | 'end' | 'erase'>, now: () => number = () => performance.now()) {
    this.#line = line;
    this.#now = now;
  }

  /** The wait that a command names, with a line of its own before it or something to come after it. */
  name(text: string): void {
    const now = this.#now();
    this.#named = { text, since: now, dueAt: now + plainMilliseconds };
    this.#update();
  }

  endNamed(): void {
    this.#named = null;
    this.#update();
  }

  begin(key: object, text: string): void {
    const now = this.#now();
    const isNext =
      this.#last !== null && this.#last.span.text === text && now - this.#last.endedAt <= longestPause;
    const span =
      isNext && this.#last !== null
        ? this.#last.span
        : { text, since: now, dueAt: now + firstPlainMilliseconds };
    this.#open.set(key, span);
    this.#update();
  }

  end(key: object): void {
    const span = this.#open.get(key);
    if (span === undefined) return;
    this.#open.delete(key);
    this.#last = { span, endedAt: this.#now() };
    this.#update();
  }

  /** Until `resume` another part of the screen is written to: a question, an editor, the lines of agents at work. */
  pause(): void {
    this.#pauses += 1;
    this.#update();
  }

  resume(): void {
    this.#pauses = Math.max(0, this.#pauses - 1);
    this.#update();
  }

  /** Makes room for another line. */
  erase(): void {
    this.#line.erase();
  }

  /** What has been waited for longer than a moment, for a screen that shows it itself. */
  list(): readonly { readonly text: string; readonly milliseconds: number }[] {
    const now = this.#now();
    return [...new Set(this.#open.values())]
      .map(({ text, since }) => ({ text, milliseconds: now - since }))
      .filter(({ milliseconds }) => milliseconds >= quietMilliseconds);
  }

  #update(): void {
    const current = this.#pauses > 0 ? null : (this.#named ?? [...this.#open.values()].at(-1) ?? null);
    if (current === this.#shown) return;
    this.#shown = current;
    if (current === null) this.#line.end();
    else this.#line.begin(current);
  }
}
