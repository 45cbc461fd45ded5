/** Reads cassette files. */
import { readFileSync, statSync } from 'node:fs';
import { type Cassette, largestCassette, parseCassette } from '../../domain/recordings/cassette.ts';
import { GatewrightError, systemErrorCode } from '../../errors.ts';

/** The text of the file; one that is too large to be a cassette is not even read. */
export function readCassetteText(path: string): string {
  try {
    const status = statSync(path);
    const isReadable = status.isFile() || status.isDirectory();
    if (isReadable && status.size <= largestCassette) return readFileSync(path, 'utf8');
  } catch (cause) {
    const why = systemErrorCode(cause) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new GatewrightError('cassette-invalid', `The cassette ${path} ${why}.`, { cause });
  }
  throw new GatewrightError(
    'cassette-invalid',
    `The cassette ${path} is not a file of at most ${largestCassette / 1024 / 1024} MiB.`,
  );
}

interface OpenedCassette {
  readonly cassette: Cassette;
  /** Who answered in that role when it was recorded. */
  readonly recorded: Cassette['models'][string];
}

/** Opens the cassette to replay the model of one role. */
export function openCassette(path: string, role: string): OpenedCassette {
  const cassette = parseCassette(readCassetteText(path), path);
  const recorded = Object.hasOwn(cassette.models, role) ? cassette.models[role] : undefined;
  if (recorded !== undefined) return { cassette, recorded };
  throw new GatewrightError('cassette-invalid', `The cassette ${path} has no model for the role "${role}".`);
}
