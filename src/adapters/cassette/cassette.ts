/** Reads cassette files. */
import { readFileSync, statSync } from 'node:fs';
import { type Cassette, largestCassette, parseCassette } from '../../domain/cassette.ts';
import { GatewrightError } from '../../errors.ts';

/** The text of the file; one that is too large to be a cassette is not even read. */
export function readCassetteText(path: string): string {
  try {
    const status = statSync(path);
    const isReadable = status.isFile() || status.isDirectory();
    if (isReadable && status.size <= largestCassette) return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new GatewrightError('cassette-invalid', `The cassette ${path} cannot be read as JSON.`, { cause });
  }
  throw new GatewrightError(
    'cassette-invalid',
    `The cassette ${path} is not a file of at most ${largestCassette / 1024 / 1024} MiB.`,
  );
}

export function readCassette(path: string): Cassette {
  return parseCassette(readCassetteText(path), path);
}
