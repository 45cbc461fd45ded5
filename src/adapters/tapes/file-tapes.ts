/**
 * Tapes as files in the data folder, a line for each call, in the order in which calls ended. Only the newest are kept. A
 * disk that refuses ends the tape and nothing else.
 */
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { TapeLine } from '../../domain/recordings/tape.ts';
import type { Tapes, TapeWriter } from '../../ports/tapes.ts';

interface Limits {
  readonly mostTapes: number;
  readonly mostBytes: number;
}

const usual: Limits = { mostTapes: 300, mostBytes: 32 * 1024 * 1024 };
const named = /^[0-9A-Z]{26}-\d{13}\.jsonl$/u;

class FileTape implements TapeWriter {
  readonly #stream: WriteStream;
  readonly #mostBytes: number;
  #bytes = 0;
  #isEnded = false;

  constructor(path: string, mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.#stream.on('error', () => {
      this.#isEnded = true;
    });
  }

  write(line: TapeLine): void {
    if (this.#isEnded) return;
    const text = `${JSON.stringify(line)}\n`;
    this.#bytes += text.length;
    this.#isEnded = this.#bytes > this.#mostBytes;
    this.#stream.write(this.#isEnded ? '"cut"\n' : text);
  }

  close(): Promise<void> {
    this.#isEnded = true;
    return new Promise((resolve) => {
      if (this.#stream.destroyed) resolve();
      else this.#stream.once('close', () => resolve()).end();
    });
  }
}

const noTape: TapeWriter = { write: () => undefined, close: async () => undefined };

export class FileTapes implements Tapes {
  readonly version: string;
  readonly #folder: string;
  readonly #limits: Limits;

  constructor(folder: string, version: string, limits: Limits = usual) {
    this.version = version;
    this.#folder = folder;
    this.#limits = limits;
  }

  /** By the time at which each was begun: a session of a workflow may be days younger than its run. */
  #list(): string[] {
    const begunAt = (name: string): string => name.slice(name.indexOf('-') + 1);
    return readdirSync(this.#folder)
      .filter((name) => named.test(name))
      .sort((one, other) => (begunAt(one) < begunAt(other) ? -1 : 1));
  }

  begin(run: string): TapeWriter {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const names = this.#list();
      const surplus = Math.max(0, names.length + 1 - this.#limits.mostTapes);
      for (const name of names.slice(0, surplus)) rmSync(join(this.#folder, name), { force: true });
      const path = join(this.#folder, `${run}-${String(Date.now()).padStart(13, '0')}.jsonl`);
      return new FileTape(path, this.#limits.mostBytes);
    } catch {
      return noTape;
    }
  }

  async read(run: string): Promise<readonly (readonly TapeLine[])[]> {
    let names: string[];
    try {
      names = this.#list();
    } catch {
      return [];
    }
    return names.filter((one) => one.startsWith(`${run}-`)).map((name) => this.#readLines(name));
  }

  #readLines(name: string): TapeLine[] {
    const lines: TapeLine[] = [];
    for (const text of readFileSync(join(this.#folder, name), 'utf8').split('\n')) {
      try {
        lines.push(JSON.parse(text) as TapeLine);
      } catch {
        // The last line of a run that was cut off may be there in part.
        break;
      }
    }
    return lines;
  }
}
