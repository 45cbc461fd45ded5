/** The machine that the program runs on. */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withoutSecrets } from '../../domain/machine/secret-variables.ts';
import type { FileFacts, Machine } from '../../ports/machine.ts';
import { findProgram } from './find-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Ended {
  readonly isDone: boolean;
  readonly output: string;
  readonly errors: string;
}

export class LocalMachine implements Machine {
  readonly nodeVersion = process.versions.node;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  findProgram(name: string): string | null {
    return findProgram(this.#environment, name, ['.exe', '.cmd']);
  }

  #run(program: string, args: readonly string[], signal: AbortSignal): Promise<Ended> {
    return new Promise((resolve) => {
      const options = {
        env: { ...withoutSecrets(this.#environment), LC_ALL: 'C' },
        signal,
        killSignal: 'SIGKILL' as const,
        maxBuffer: 1024 * 1024,
      };
      const child = execFile(program, [...args], options, (error, output, errors) =>
        resolve({ isDone: error === null, output, errors }),
      );
      child.stdin?.end();
    });
  }

  async ask(program: string, args: readonly string[], signal: AbortSignal): Promise<string | null> {
    const { isDone, output } = await this.#run(program, args, signal);
    return isDone ? output.trim() : null;
  }

  async freeBytes(path: string): Promise<number> {
    const { bavail, bsize } = await statfs(this.nearestFolder(path));
    return bavail * bsize;
  }

  inspectFile(path: string): FileFacts | null {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return null;
    let isWritable = true;
    try {
      accessSync(path, constants.W_OK);
    } catch {
      isWritable = false;
    }
    return { mode: facts.mode & 0o777, isWritable, isFolder: facts.isDirectory() };
  }

  nearestFolder(path: string): string {
    let folder = path;
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
    return statSync(folder).isDirectory() ? folder : dirname(folder);
  }
}
