/** Finds the repository that a command is about. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findRepositoryRoot, readRemote, readRemotes } from '../adapters/git/git-repository.ts';
import type { BaseConfig } from '../config/read-config.ts';
import { isRepositoryName } from '../domain/ledger/subject.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { GitRemotes } from './compose-github-place.ts';

export interface Place {
  readonly root: string;
  /** Named explicitly; null means the one that belongs to the folder. */
  readonly name: string | null;
}

/** `--repo` is a folder if there is one, else the name of a repository on the forge. */
export async function findPlace(config: BaseConfig, typed: string | null): Promise<Place> {
  const here = process.cwd();
  if (typed === null) return { root: await findRepositoryRoot(here, config.environment), name: null };
  const folder = resolve(typed);
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    return { root: await findRepositoryRoot(folder, config.environment), name: null };
  }
  if (!isRepositoryName(typed)) {
    throw new GatewrightError(
      'usage',
      `--repo "${typed}" is neither a folder nor a name such as owner/name.`,
    );
  }
  return { root: await findRepositoryRoot(here, config.environment), name: typed };
}

/** Null when the current folder is in no repository and none was named. */
export async function findPlaceIfAny(config: BaseConfig, repository: string | null): Promise<Place | null> {
  try {
    return await findPlace(config, repository);
  } catch (error) {
    if (repository === null && isGatewrightError(error, 'not-a-repository')) return null;
    throw error;
  }
}

export function remotesOf({ environment }: BaseConfig, root: string): GitRemotes {
  return {
    readOrigin: () => readRemote(root, environment, 'origin'),
    readRemotes: () => readRemotes(root, environment),
  };
}
