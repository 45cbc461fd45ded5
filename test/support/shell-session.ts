/** A shell on a pseudo-terminal, as a person has it: commands are typed, programs ask, and the screen is kept as text. */
import { spawn } from '@lydell/node-pty';
import { renderScreen } from './render-screen.ts';

interface ShellOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
}

const prompt = '$ ';
export class ShellSession {
  #output = '';
  #seen = 0;
  readonly #waiting = new Set<() => void>();
  readonly #terminal: ReturnType<typeof spawn>;

  constructor({ folder, environment, columns }: ShellOptions) {
    this.#terminal = spawn('sh', ['-i'], {
      cwd: folder,
      env: { ...environment, PS1: prompt, ENV: '' },
      ...{ cols: columns, rows: 50 },
    });
    this.#terminal.onData((text) => {
      this.#output += text;
      for (const look of this.#waiting) look();
    });
  }

  get screen(): string {
    return renderScreen(this.#output);
  }

  async #until(what: string, isThere: () => boolean, milliseconds = 90_000): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`Waited for ${what}. The terminal shows:\n${this.screen.slice(-4000)}`));
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

  /** Waits until it is shown after what was waited for before. */
  async see(text: string): Promise<void> {
    await this.#until(`"${text}"`, () => this.#output.includes(text, this.#seen));
    this.#seen = this.#output.indexOf(text, this.#seen) + text.length;
  }

  /** Types a command and answers its questions, in order; resolves when the shell is ready again. */
  async run(
    command: string,
    ...answers: readonly (readonly [question: string, line: string])[]
  ): Promise<void> {
    await this.#ready();
    this.#seen = this.#output.length;
    this.#terminal.write(`${command}\r`);
    // The terminal shows what is typed; what a program asks comes behind it.
    await this.see('\n');
    for (const [question, line] of answers) {
      await this.see(question);
      this.#terminal.write(`${line}\r`);
    }
    await this.#ready();
  }

  /** The prompt at the beginning of a line, with nothing behind it. */
  #ready(): Promise<void> {
    return this.#until('the prompt of the shell', () =>
      `\n${this.#output.slice(this.#seen)}`.endsWith(`\n${prompt}`),
    );
  }

  kill(): void {
    this.#terminal.kill('SIGKILL');
  }
}
