/**
 * Commands of the built program, one after another in one process of their own. Starting Node and loading the program
 * takes most of the time of a short command, and the end-to-end tests run more than a thousand of them. `npm test` uses
 * this; `npm run test:long` runs the same tests with a new process for each command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly all: string;
}

/** What the child is told to run. */
export interface WarmCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to both streams, followed by the exit code and a line break, when the command has ended. */
  readonly end: string;
}

const streams = ['stdout', 'stderr'] as const;

/** Node and the C library read these once, when a process starts. */
const readAtStart = /^(?:NODE_|LANG$|LC_|TZ$|LD_|MALLOC_|UV_|SSL_|OPENSSL_)/u;

class WarmProgram {
  readonly #child: ChildProcess;
  /** What the process was started with, of the variables that count only then. */
  readonly #start: string;
  #isBusy = false;
  #isGone = false;
  #commands = 0;

  constructor(packageFolder: string, env: Readonly<Record<string, string>>) {
    this.#start = startOf(env);
    this.#child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'warm-program-child.ts'), packageFolder],
      { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    this.#child.once('close', () => {
      this.#isGone = true;
    });
    // It ends when this process does, and does not keep it.
    this.#child.unref();
    this.#child.channel?.unref();
    for (const stream of streams) this.#child[stream]?.setEncoding('utf8');
  }

  isFree(env: Readonly<Record<string, string>>): boolean {
    return !this.#isBusy && !this.#isGone && this.#start === startOf(env);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  run(command: Omit<WarmCommand, 'end'>): Promise<Ended> {
    this.#isBusy = true;
    this.#commands += 1;
    const end = `\u0000end-of-command-${this.#commands} `;
    const output = { stdout: '', stderr: '', all: '' };
    return new Promise((resolve) => {
      let open: number = streams.length;
      let code: number | null = null;
      const listeners = streams.map((stream) => {
        const listener = (text: string): void => {
          output[stream] += text;
          output.all += text;
          const found = output[stream].lastIndexOf(end);
          if (found === -1 || !output[stream].endsWith('\n')) return;
          code = Number(output[stream].slice(found + end.length));
          output[stream] = output[stream].slice(0, found);
          open -= 1;
          if (open === 0) finish({ code, signal: null });
        };
        this.#child[stream]?.on('data', listener);
        return { stream, listener };
      });
      const onClose = (ended: number | null, signal: string | null) => finish({ code: ended, signal });
      const finish = (how: { readonly code: number | null; readonly signal: string | null }): void => {
        for (const { stream, listener } of listeners) this.#child[stream]?.off('data', listener);
        this.#child.off('close', onClose);
        this.#isBusy = false;
        resolve({ ...how, ...output, all: output.all.replaceAll(`${end}${code}\n`, '') });
      };
      this.#child.once('close', onClose);
      this.#child.send({ ...command, end } satisfies WarmCommand);
    });
  }
}

function startOf(env: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.entries(env)
      .filter(([name]) => readAtStart.test(name))
      .sort(),
  );
}

let warm: WarmProgram | null = null;

/** Runs a command where another one ran before; null when that process is busy, or would have to be started otherwise. */
export function runWarm(packageFolder: string, command: Omit<WarmCommand, 'end'>): Promise<Ended> | null {
  if (warm === null || warm.isGone) warm = new WarmProgram(packageFolder, command.env);
  return warm.isFree(command.env) ? warm.run(command) : null;
}
