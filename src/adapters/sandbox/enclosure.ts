/** What a way of shutting a command in has to be able to do; bubblewrap and the tools of util-linux each can. */
import type { SandboxKind } from '../../ports/sandbox.ts';
import type { Mount } from './view.ts';

export interface Identity {
  /** User and group inside. Files still belong to the user who runs Gatewright. */
  readonly user: number;
  readonly group: number;
}

export interface EnclosedCommand {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly view: readonly Mount[];
  readonly identity: Identity;
  /** An empty folder to build in. */
  readonly workshop: string;
  /** How many processes there can be, if the enclosure can limit them; null when they are not counted. */
  readonly processes: number | null;
}

export interface Enclosure {
  readonly kind: Exclude<SandboxKind, 'none'>;
  /** The command that makes the sandbox, with the given one inside. */
  wrap(command: EnclosedCommand): readonly [program: string, ...args: string[]];
}

/**
 * Root inside would only have more rights than needed, so root becomes another user; other users keep their ids, so
 * that their files still look like their own.
 */
export function identityInside(): Identity {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return { user: user === 0 ? 1000 : user, group: group === 0 ? 1000 : group };
}
