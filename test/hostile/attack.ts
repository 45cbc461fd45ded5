/** One thing that an agent which obeys an attacker tries. */
import type { CommandResult } from '../../src/ports/command-runner.ts';
import type { NetworkPolicy } from '../../src/ports/sandbox.ts';
import type { HostileWorld } from './hostile-world.ts';

export interface Attack {
  readonly name: string;
  /** For a POSIX shell in the workspace. */
  readonly script: (world: HostileWorld) => string;
  /** Without a sandbox it would get at a secret; shown by doing it. */
  readonly wouldFind?: true;
  /** What it was told, where that shows that it was stopped and not merely clumsy. */
  readonly told?: RegExp;
  readonly network?: (world: HostileWorld) => NetworkPolicy;
  readonly limitMilliseconds?: number;
  readonly result?: Partial<CommandResult>;
  /** What is taken over of what it left; nothing unless said otherwise. */
  readonly taken?: Partial<Record<'files' | 'leftOut' | 'problems', readonly string[]>>;
  readonly check?: (world: HostileWorld) => void;
}

/** A few lines of Node as one word of a shell. */
export function node(script: string): string {
  return `node -e '${script.replaceAll("'", `'\\''`)}'`;
}
