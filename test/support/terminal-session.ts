/** The program on a pseudo-terminal, driven as a person drives it: wait for words, type an answer. */
import { spawn } from '@lydell/node-pty';
import { type Playground, programFile } from './playground.ts';

export class TerminalSession {
  #output = '';
  #position = 0;
  #code: number | null = null;
  readonly #waiting = new Set<() => void>();
  readonly #terminal: ReturnType<typeof spawn>;

  constructor(
    playground: Playground,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    columns = 160,
  ) {
    this.#terminal = spawn(process.execPath, [programFile, ...args], {
      cwd: playground.repository,
      env: { ...playground.environment, ...env },
      cols: columns,
      rows: 50,
    });
    this.#terminal.onData((text) => {
      this.#output += text;
      this.#wake();
    });
    this.#terminal.onExit(({ exitCode }) => {
      this.#code = exitCode;
      this.#wake();
    });
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }

  /** Everything shown so far, with plain line ends. */
  get output(): string {
    return this.#output.replace(/\r\n/gu, '\n');
  }

  #until(what: string, isThere: () => boolean, milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(
          new Error(
            `Waited ${milliseconds} ms for ${what}. The terminal shows:\n${this.output.slice(-3000)}`,
          ),
        );
      }, milliseconds);
      const look = (): void => {
        if (!isThere()) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Waits until the text appears after what was waited for before. */
  async see(text: string, milliseconds = 20_000): Promise<void> {
    await this.#until(`"${text}"`, () => this.output.indexOf(text, this.#position) >= 0, milliseconds);
    this.#position = this.output.indexOf(text, this.#position) + text.length;
  }

  /** Types a line. */
  type(line: string): void {
    this.#terminal.write(`${line}\r`);
  }

  press(keys: string): void {
    this.#terminal.write(keys);
  }

  /** Waits for a prompt and answers it. */
  async answer(prompt: string, line: string): Promise<void> {
    await this.see(prompt);
    this.type(line);
  }

  async exit(milliseconds = 20_000): Promise<number> {
    await this.#until('the end', () => this.#code !== null, milliseconds);
    return this.#code ?? -1;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#terminal.kill(signal);
  }
}
