/** Makes the place that a recording is replayed or forked in: a real repository with nothing in it but the brief. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recording } from '../../domain/recordings/recording.ts';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import type { Environment } from '../git/git-environment.ts';
import { makeScratchRepository } from '../git/scratch-repository.ts';

interface ScratchFolder {
  readonly folder: string;
  readonly repository: string;
  readonly database: string;
  /** The brief, as a run there names it. */
  readonly brief: string;
  remove(): void;
}

/** A file where a folder has to be, or a name that the disk does not take. */
const unusablePaths = ['ENOTDIR', 'EEXIST', 'EISDIR', 'ENAMETOOLONG'];

function makeFolder(into: string | null): string {
  if (into === null) return realpathSync(mkdtempSync(join(tmpdir(), 'gatewright-replay-')));
  try {
    mkdirSync(into, { recursive: true });
    if (readdirSync(into).length === 0) return realpathSync(into);
  } catch (cause) {
    throw new GatewrightError('cannot-write', `${into} cannot be made (${systemErrorCode(cause)}).`, {
      cause,
    });
  }
  throw new GatewrightError('usage', `${into} is not empty.`, {
    hint: 'Name a folder that is new or empty.',
  });
}

export async function makeScratchFolder(
  recording: Recording,
  into: string | null,
  environment: Environment,
): Promise<ScratchFolder> {
  const folder = makeFolder(into);
  const repository = join(folder, 'repository');
  const { path, text, isOutside } = recording.brief;
  const { existing } = recording;
  const isIssue = recording.issue !== undefined;
  const outside = join(folder, 'brief');
  try {
    if (isOutside) {
      mkdirSync(outside);
      writeFileSync(join(outside, path), text);
    }
    await makeScratchRepository(
      {
        folder: repository,
        files: {
          'README.md': '# Replay\n\nMade by Gatewright to play a recorded run in.\n',
          ...Object.fromEntries(existing.map((one) => [one, 'What was here is not recorded.\n'])),
          ...(isOutside || isIssue ? {} : { [path]: text }),
        },
        identity: { name: 'Gatewright Replay', email: 'replay@gatewright.invalid' },
        message: 'Start',
      },
      environment,
    );
  } catch (error) {
    if (into === null) rmSync(folder, { recursive: true, force: true });
    if (!unusablePaths.includes(systemErrorCode(error))) throw error;
    throw new GatewrightError('cassette-invalid', 'The recording names files that cannot be made.', {
      cause: error,
    });
  }
  return {
    folder,
    repository,
    database: join(folder, 'gatewright.db'),
    brief: isOutside ? join(outside, path) : path,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
