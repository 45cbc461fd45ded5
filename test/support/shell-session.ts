/** A shell on a pseudo-terminal, as a person has it: commands are typed, programs ask, and the screen is kept as text. */
import { spawn } from '@lydell/node-pty';

interface ShellOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
}

const prompt = '$ ';
/** Colours, cursor and erasing; hyperlinks and titles; single letters. */
const token =
  /\u001B\[(?<codes>[0-9;?]*)(?<letter>[A-Za-z])|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[A-Za-z=>]|\r|\n|[^\u001B\r\n]+|\u001B/gu;

/** What is left on a screen that keeps everything that scrolled away. */
function renderScreen(output: string): string {
  const rows: string[][] = [[]];
  let [line, column] = [0, 0];
  const row = (): string[] => {
    while (rows.length <= line) rows.push([]);
    return rows[line] ?? [];
  };
  for (const match of output.matchAll(token)) {
    const [whole] = match;
    const { codes = '', letter } = match.groups ?? {};
    if (whole === '\r') column = 0;
    else if (whole === '\n') line += 1;
    else if (letter === 'A') line = Math.max(0, line - Number(codes || 1));
    else if (letter === 'G') column = Math.max(0, Number(codes || 1) - 1);
    else if (letter === 'K') row().length = codes === '2' ? 0 : Math.min(row().length, column);
    else if (letter === 'J') {
      row().length = Math.min(row().length, column);
      rows.length = line + 1;
    } else if (!whole.startsWith('\u001B'))
      for (const sign of whole) {
        row()[column] = sign;
        column += 1;
      }
  }
  return rows
    .map((cells) =>
      Array.from(cells, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

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
