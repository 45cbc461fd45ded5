/**
 * Output and prompts. Results go to standard output, everything else to standard error. The caller escapes text of
 * other authors; if a caller forgets it, the text can still contain colours, and nothing worse.
 */
import { styleText } from 'node:util';
import { breakCommandsInJson } from '../../../domain/text/break-commands.ts';
import {
  escapeAroundColours,
  escapeForJson,
  escapeForLine,
  escapeForTerminal,
} from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { Hyperlinks } from './hyperlinks.ts';
import { errorStream, writeCommand, writeTo } from './output-stream.ts';
import { WaitLine } from './wait-line.ts';
import { Waits } from './waits.ts';
import { layOutTable, wrapText } from './wrap-line.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/**
 * Whether a descriptor (0 input, 1 output, 2 errors) is a terminal. Loaded late, because loading it would make `status`
 * slow.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}

function fitTo(columns: number | undefined, text: string): string {
  // A pseudo-terminal without a size says 0.
  return columns === undefined || columns === 0 ? text : wrapText(text, columns);
}

/** What `style` puts around a text. */
const colourCodes = /\u001B\[[0-9;]*m/gu;

export class Terminal {
  readonly #mayAsk: boolean;
  readonly #isPlain: boolean;
  readonly #links: Hyperlinks | null;
  /** A line that is drawn again needs a terminal that can erase. */
  readonly #canErase: boolean;
  #made: Waits | null = null;

  constructor(options: {
    readonly mayAsk: boolean;
    readonly isPlain: boolean;
    readonly hasLinks?: boolean;
    readonly isDumb?: boolean;
  }) {
    this.#canErase = options.isDumb !== true;
    this.#mayAsk = options.mayAsk;
    this.#isPlain = options.isPlain;
    this.#links = options.hasLinks === true ? new Hyperlinks() : null;
  }

  /** An address that the forge gave us: shown as a link, where the terminal knows links. */
  link(url: string): string {
    return this.#links?.add(url) ?? url;
  }

  /** The same, and its bare number ("#7") as well: on a screen that is about one repository. */
  linkNumber(url: string): void {
    this.#links?.add(url);
    this.#links?.addNumber(url);
  }

  #show(text: string, descriptor: 1 | 2): string {
    // Colours are chosen by the screen that messages go to; results may go to a file beside it.
    const escaped = escapeAroundColours(isTerminal(descriptor) ? text : text.replace(colourCodes, ''));
    return this.#links === null || !isTerminal(descriptor) ? escaped : this.#links.apply(escaped);
  }

  /** What is waited for now. A wait is one line that moves on a screen, and a plain line now and then elsewhere. */
  get waits(): Waits {
    this.#made ??= new Waits(new WaitLine(errorStream, isTerminal(2) && this.#canErase));
    return this.#made;
  }

  /** Shows what is waited for, until `endWait` or the next question. Lines that are said meanwhile stand above it. */
  wait(text: string): void {
    this.waits.name(text);
  }

  endWait(): void {
    this.#made?.endNamed();
  }

  /** Wipes what the terminal itself shows on the line, such as "^C". */
  clearLine(): void {
    if (isTerminal(2) && this.#canErase) writeTo(2, '\r\u001B[2K');
  }

  /** Whether lines can be drawn again. */
  get canErase(): boolean {
    return this.#canErase;
  }

  /** Whether a person can be asked. */
  get isInteractive(): boolean {
    return this.#mayAsk && isTerminal(0) && isTerminal(2);
  }

  /** How many columns the screen has on which results are shown; undefined where they go elsewhere. */
  get columns(): number | undefined {
    return isTerminal(1) ? process.stdout.columns : undefined;
  }

  /** A result: what a script would read. On a screen its lines are broken between words. */
  print(text = ''): void {
    this.printExactly(fitTo(this.columns, text));
  }

  /** A result whose lines count as they are: data, programs, changes. */
  printExactly(text: string): void {
    this.#made?.erase();
    writeTo(1, `${this.#show(text, 1)}\n`);
  }

  /** One line that the runner of GitHub Actions obeys, such as an annotation. */
  printCommand(line: string): void {
    this.#made?.erase();
    writeCommand(escapeForTerminal(line));
  }

  /** Rows as columns. Cells are escaped. */
  printTable(rows: readonly (readonly string[])[]): void {
    const cells = rows.map((row) => row.map((cell) => escapeForLine(cell)));
    this.print(layOutTable(cells, this.columns || Number.POSITIVE_INFINITY));
  }

  printJson(value: unknown): void {
    this.printExactly(breakCommandsInJson(escapeForJson(JSON.stringify(value, null, 2))));
  }

  /** The same on one line. */
  printJsonLine(value: unknown): void {
    this.printExactly(breakCommandsInJson(escapeForJson(JSON.stringify(value))));
  }

  /** Progress, warnings, explanations. */
  say(text = ''): void {
    const columns = isTerminal(2) ? process.stderr.columns : undefined;
    this.#made?.erase();
    writeTo(2, `${this.#show(fitTo(columns, text), 2)}\n`);
  }

  style(style: Style | readonly Style[], text: string): string {
    if (this.#isPlain || !isTerminal(2)) return text;
    return styleText([style].flat() as Style[], text, { validateStream: false });
  }

  /**
   * Reads lines until one ends it. One reader for all of them: what is pasted comes in at once, and a reader that is
   * closed after its first line takes the others with it.
   */
  async #read(
    prompt: string,
    isLast: (line: string, lines: readonly string[]) => boolean,
    signal?: AbortSignal,
  ): Promise<string[] | null> {
    if (!this.isInteractive) throw new GatewrightError('usage', 'This needs a terminal to ask on.');
    this.endWait();
    this.waits.pause();
    const { createInterface } = await import('node:readline');
    return new Promise<string[] | null>((resolve, reject) => {
      const reader = createInterface({
        input: process.stdin,
        output: process.stderr,
        historySize: 0,
        prompt,
      });
      const lines: string[] = [];
      let isSettled = false;
      const settle = (finish: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        signal?.removeEventListener('abort', onAbort);
        reader.close();
        finish();
      };
      const cancel = (): void =>
        settle(() => {
          // The question stays on its line; what is said next begins on a line of its own.
          writeTo(2, '\n');
          reject(new GatewrightError('cancelled', 'Stopped by you.'));
        });
      const onAbort = (): void => settle(() => resolve(null));
      reader.once('SIGINT', cancel);
      reader.once('close', cancel);
      signal?.addEventListener('abort', onAbort);
      reader.on('line', (line) => {
        if (isSettled) return;
        lines.push(line);
        if (isLast(line, lines)) settle(() => resolve(lines));
        else reader.prompt();
      });
      reader.prompt();
      if (signal?.aborted === true) onAbort();
    }).finally(() => this.waits.resume());
  }

  /** Asks one line. Rejects with `cancelled` on Ctrl-C or end of input; resolves with null when the signal fires. */
  async ask(question: string, signal?: AbortSignal): Promise<string | null> {
    return (await this.#read(question, () => true, signal))?.[0] ?? null;
  }

  /** Asks until one of the keys is given. */
  async choose(question: string, keys: readonly string[], signal?: AbortSignal): Promise<string | null> {
    for (;;) {
      const answer = await this.ask(`${question} [${keys.join('/')}]: `, signal);
      if (answer === null) return null;
      const key = keys.find((one) => one.toLowerCase() === answer.trim().toLowerCase());
      if (key !== undefined) return key;
      this.say(`Please answer with one of: ${keys.join(', ')}.`);
    }
  }

  /** Asks for several lines; an empty line ends it. */
  async askLines(question: string, signal?: AbortSignal): Promise<string | null> {
    this.say(`${question} (an empty line ends it)`);
    const lines = await this.#read('> ', (line) => line.trim() === '', signal);
    return lines === null ? null : lines.slice(0, -1).join('\n');
  }
}

export const rule = '='.repeat(60);
