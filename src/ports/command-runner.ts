/** Runs a command in a workspace, such as the tests of a project, and returns its result. */
import type { NetworkPolicy, ReadGrant, SandboxKind } from './sandbox.ts';

export interface CommandRequest {
  /** The workspace, an absolute path: where it starts, and all that it may change. */
  readonly folder: string;
  /** Its words; never a line for a shell. */
  readonly argv: readonly string[];
  readonly limitMilliseconds: number;
  readonly network: NetworkPolicy;
  /** What it may read beside the folder and the system. */
  readonly readable?: readonly ReadGrant[];
  readonly signal?: AbortSignal;
  /** Called when it has ended, before anything is tidied up after it. */
  readonly onEnd?: () => void;
}

export interface CommandResult {
  /** Null when it was stopped; 127 when there is no such program. */
  readonly exitCode: number | null;
  /** The end of what it wrote to both outputs, 64 KiB at most. Untrusted text. */
  readonly output: string;
  /** Of everything that it wrote, also of what is not kept. */
  readonly outputBytes: number;
  readonly outputSha256: string;
  readonly milliseconds: number;
  readonly timedOut: boolean;
  readonly sandbox: SandboxKind;
  /** Hosts that it wanted to reach and could not; only known where a list of hosts was given. Untrusted text. */
  readonly refusedHosts: readonly string[];
}

export interface CommandRunner {
  /** Nothing that it started is left when this resolves. Fails with `sandbox-missing` where one is required. */
  run(request: CommandRequest): Promise<CommandResult>;
}
