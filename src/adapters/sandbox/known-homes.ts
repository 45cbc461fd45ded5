/**
 * Where people's homes are on this machine. The variable for the home is not enough: a service has none or that of its own
 * account, while its search path leads into the home of the person who set it up.
 */
import { userInfo } from 'node:os';
import { join, sep } from 'node:path';
import { listNames, realPathOf } from './inspect-program.ts';
import { isBelow, isWithin } from './system-paths.ts';

export interface HomePlaces {
  readonly homes: readonly string[];
  /** Folders in which every folder is a home. */
  readonly homeParents: readonly string[];
}

/** Of the account that we run as, whatever the variables say; an account without a name has none. */
function ownHome(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    return [];
  }
}

export function usualHomePlaces(): HomePlaces {
  return { homes: ['/root', ...ownHome()], homeParents: ['/home', '/Users'] };
}

function realOnes(paths: readonly string[]): string[] {
  const real = paths.flatMap((path) => realPathOf(path) ?? []);
  return [...new Set(real)].filter((path) => path !== '/');
}

export class KnownHomes {
  readonly #homes: readonly string[];
  readonly #parents: readonly string[];

  /** @param named paths that may lead through a home which is a link, where the homes cannot be listed */
  constructor({ homes, homeParents }: HomePlaces, named: readonly string[]) {
    this.#parents = [...new Set([...homeParents, ...realOnes(homeParents)])];
    const listed = this.#parents.flatMap((parent) => listNames(parent).map((name) => join(parent, name)));
    this.#homes = realOnes([...homes, ...listed, ...named.flatMap((path) => this.#inParents(path))]);
  }

  #inParents(path: string): string[] {
    return this.#parents
      .filter((parent) => isBelow(path, parent))
      .map((parent) => join(parent, path.slice(parent.length + 1).split(sep)[0] ?? ''));
  }

  /** The homes that a real path is in; the innermost first. */
  around(path: string): string[] {
    const known = this.#homes.filter((home) => isWithin(path, home));
    return [...new Set([...known, ...this.#inParents(path)])].sort((a, b) => b.length - a.length);
  }

  /** Whether a folder is a home, or holds some. */
  areIn(path: string): boolean {
    return (
      [...this.#homes, ...this.#parents].some((place) => isWithin(place, path)) ||
      this.#inParents(path).includes(path)
    );
  }
}
