/** Lines at the end of the screen that are drawn again and again, below what is said meanwhile. */
import { writeTo } from './output-stream.ts';
import { isTerminal, type Terminal } from './terminal.ts';

export class LiveBlock {
  readonly #terminal: Terminal;
  #drawn = 0;
  #isVisible = true;
  #isClosed = false;

  private constructor(terminal: Terminal) {
    this.#terminal = terminal;
    // Two parts that draw their lines again would erase each other's.
    terminal.waits.pause();
  }

  /** Null where lines cannot be drawn again. */
  static open(terminal: Terminal): LiveBlock | null {
    return isTerminal(2) && terminal.canErase ? new LiveBlock(terminal) : null;
  }

  erase(): void {
    if (this.#drawn > 0) writeTo(2, `\u001B[${this.#drawn}A\u001B[0J`);
    this.#drawn = 0;
  }

  /** Not visible, it leaves the screen to a question. */
  setVisible(isVisible: boolean): void {
    if (!isVisible) this.erase();
    this.#isVisible = isVisible && !this.#isClosed;
  }

  draw(render: (width: number) => readonly string[]): void {
    if (!this.#isVisible) return;
    const width = process.stderr.columns || 80;
    const lines = render(width);
    // In one write: a screen that is erased and drawn in two flickers.
    const erase = this.#drawn > 0 ? `\u001B[${this.#drawn}A\u001B[0J` : '';
    writeTo(2, erase + lines.map((line) => `${line}\n`).join(''));
    this.#drawn = lines.length;
  }

  /** What was drawn last is erased. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.erase();
    this.#isVisible = false;
    this.#terminal.waits.resume();
  }
}
