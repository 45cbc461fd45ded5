/**
 * Shows what is waited for, and for how long: as one line that moves, on a screen; as a plain line now and then, where the
 * output goes to a file. A short wait shows nothing.
 */
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

interface Output {
  readonly columns?: number;
  write(text: string): unknown;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const quietMilliseconds = 1_000;
const frameMilliseconds = 120;
const plainMilliseconds = 30_000;

/** 75 seconds as "1 min 15 s". */
export function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export class WaitLine {
  readonly #output: Output;
  readonly #isLive: boolean;
  readonly #now: () => number;
  #timer: ReturnType<typeof setInterval> | null = null;
  #text = '';
  #since = 0;
  #told = 0;
  #frame = 0;
  #isDrawn = false;

  constructor(output: Output, isLive: boolean, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#isLive = isLive;
    this.#now = now;
  }

  begin(text: string): void {
    this.end();
    this.#text = escapeForLine(text);
    this.#since = this.#now();
    this.#told = this.#since;
    // It keeps no process alive: what is waited for does.
    this.#timer = setInterval(() => this.tick(), this.#isLive ? frameMilliseconds : 1_000).unref();
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
    const now = this.#now();
    const waited = now - this.#since;
    if (!this.#isLive) {
      if (now - this.#told < plainMilliseconds) return;
      this.#told = now;
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
