/**
 * Shows what is waited for, and for how long: as one line that moves, on a screen; as a plain line now and then, where the
 * output goes to a file. A short wait shows nothing.
 */
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

interface Output {
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
export const quietMilliseconds = 1_000;
const frameMilliseconds = 120;
/** Where no line can be drawn again: how long until the first line and the next, so that a log stays readable. */
export const plainMilliseconds = 30_000;

/** 75 seconds as "1 min 15 s". */
export function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** One wait, however many short steps it has. */
export interface WaitSpan {
  readonly text: string;
  readonly since: number;
  /** Where only plain lines are shown: when the next one is due. */
  dueAt: number;
}

export class WaitLine {
  readonly #output: Output;
  readonly #isLive: boolean;
  readonly #now: () => number;
  #timer: ReturnType<typeof setInterval> | null = null;
  #span: WaitSpan = { text: '', since: 0, dueAt: 0 };
  #text = '';
  #frame = 0;
  #isDrawn = false;

  constructor(output: Output, isLive: boolean, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#isLive = isLive;
    this.#now = now;
  }

  begin(span: WaitSpan): void {
    this.end();
    this.#text = escapeForLine(span.text, 200);
    this.#span = span;
    // It keeps no process alive: what is waited for does.
    this.#timer = setInterval(() => this.tick(), this.#isLive ? frameMilliseconds : 1_000).unref();
    // The next step of a wait that is shown already.
    this.tick();
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.erase();
  }

  /** Makes room for another line; the next tick draws it again. */
  erase(): void {
    if (this.#isDrawn) this.#output.write('\r\u001B[2K');
    this.#isDrawn = false;
  }

  tick(): void {
    if (this.#timer === null) return;
    const now = this.#now();
    const waited = now - this.#span.since;
    if (!this.#isLive) {
      if (now < this.#span.dueAt) return;
      this.#span.dueAt = now + plainMilliseconds;
      this.#output.write(`… ${this.#text}: ${elapsed(waited)} so far\n`);
      return;
    }
    if (waited < quietMilliseconds) return;
    this.#frame = (this.#frame + 1) % frames.length;
    const line = `${frames[this.#frame]} ${this.#text} · ${elapsed(waited)}`;
    // A line that breaks could not be erased. A pseudo-terminal without a size says 0.
    const width = (this.#output.columns || 80) - 1;
    this.#output.write(`\r\u001B[2K${[...line].slice(0, width).join('')}`);
    this.#isDrawn = true;
  }
}
