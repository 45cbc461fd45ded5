/** What the repository contract needs of an adapter to try it. */
import { readdirSync } from 'node:fs';
import type { Repository } from '../../src/ports/repository.ts';
import type { Playground } from '../support/playground.ts';

export interface RepositoryWorld {
  readonly repository: Repository;
  /** The work tree itself, to look at it and to disturb it behind the adapter's back. */
  readonly playground: Playground;
  /** Another adapter on the same work tree, whose git sees more settings. */
  withEnvironment(environment: Readonly<Record<string, string | undefined>>): Repository;
}

/** Every name below a folder, except git's own. */
export function listTree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.split('/').includes('.git'))
    .sort();
}
