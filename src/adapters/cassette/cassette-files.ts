/** Recordings as files that a person names. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseCassette } from '../../domain/recordings/cassette.ts';
import { isTape, parseTape, runOfTape } from '../../domain/recordings/tape.ts';
import { GatewrightError, isGatewrightError, systemErrorCode } from '../../errors.ts';
import type { Cassettes } from '../../ports/cassettes.ts';
import { readCassetteText } from './cassette.ts';

/** Shorter ones are no keys but words that stand anywhere. */
const shortestSecret = 8;

export class CassetteFiles implements Cassettes {
  readonly #readSecrets: () => readonly string[];

  /** Keys of this machine: no recording may hold one. */
  constructor(readSecrets: () => readonly string[]) {
    this.#readSecrets = readSecrets;
  }

  async readText(file: string): Promise<string> {
    return readCassetteText(file);
  }

  async whyNotWritable(file: string, run: string | null): Promise<string | null> {
    const folder = dirname(file);
    if (!existsSync(folder) || !statSync(folder).isDirectory()) return `there is no folder ${folder}`;
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      return `you may not write to ${folder}`;
    }
    if (!existsSync(file)) return null;
    return this.#isRecordingOf(file, run) ? null : 'something else is there already';
  }

  #isRecordingOf(file: string, run: string | null): boolean {
    try {
      const text = readCassetteText(file);
      const of = isTape(text) ? runOfTape(parseTape(text, file)) : parseCassette(text, file).run?.id;
      return run !== null && of === run;
    } catch (error) {
      if (isGatewrightError(error, 'cassette-invalid')) return false;
      throw error;
    }
  }

  async writeText(file: string, text: string, run: string): Promise<void> {
    const isSecret = (one: string): boolean =>
      one.length >= shortestSecret && text.includes(JSON.stringify(one).slice(1, -1));
    if (this.#readSecrets().some(isSecret))
      throw new GatewrightError('cassette-secret', `${file} would hold one of your keys.`);
    const why = await this.whyNotWritable(file, run);
    if (why !== null)
      throw new GatewrightError('cannot-write', `${file} cannot be written: ${why}.`, {
        hint: 'Name another file. Only an earlier recording of the same run is replaced.',
      });
    const partial = join(
      dirname(file),
      `.${basename(file)}.${process.pid}-${randomBytes(4).toString('hex')}.partial`,
    );
    try {
      writeFileSync(partial, text, { flag: 'wx', flush: true });
      renameSync(partial, file);
    } catch (cause) {
      const code = systemErrorCode(cause);
      throw new GatewrightError(
        code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'cannot-write',
        `${file} cannot be written (${code}).`,
        { cause },
      );
    } finally {
      rmSync(partial, { force: true });
    }
  }
}
