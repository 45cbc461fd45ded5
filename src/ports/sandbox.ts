/**
 * The place in which programs run that may follow the instructions of an attacker: coding agents, and the commands that
 * check their work. A sandbox wraps the words of a command, so that the caller starts the wrapped command and need not
 * know how it is shut in. What it shows is a list of what may be seen: nothing of a home folder, a database or another
 * process is on it.
 */

export type SandboxKind =
  | 'bubblewrap'
  /** Linux namespaces, made with the tools of util-linux. */
  | 'namespaces'
  /** The command runs as any other. */
  | 'none';

export interface SandboxFacts {
  readonly kind: SandboxKind;
  /** Why nothing better can be had; null when there is a sandbox. */
  readonly reason: string | null;
}

/** What a command can use up at most; or why that is not limited here. */
export type UsageLimits =
  | { readonly memoryBytes: number; readonly processors: number }
  | { readonly reason: string };

/**
 * `host:port` pairs that can be reached, exactly as written; every other connection fails, and `refused` reports it.
 */
export type NetworkPolicy = 'none' | { readonly hosts: readonly string[] };

/**
 * A file or folder that may be read where it is; or a folder that is seen in another place, such as the installed packages
 * of a project in a workspace of it. The second is only there in a sandbox.
 */
export type ReadGrant = string | { readonly from: string; readonly at: string };

export interface SandboxPolicy {
  /** Folders that it may change; absolute paths of what exists. */
  readonly writable: readonly string[];
  /** What it may read beside the programs and libraries of the system; absolute paths. */
  readonly readable?: readonly ReadGrant[];
  readonly network: NetworkPolicy;
}

export interface SandboxCommand {
  /** A full path, or a name that is looked for on the search path inside. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where it starts: one of the folders that it sees. */
  readonly folder: string;
  /** All that it gets to see. Search path, home and folder for temporary files are replaced by those inside. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether something is handed to it on file descriptor 3. */
  readonly hasSecret?: boolean;
}

/** What to start instead. */
export interface PreparedCommand {
  readonly kind: SandboxKind;
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The `host:port` pairs that it was kept from so far, each once. Untrusted text. */
  refused(): readonly string[];
  /** Whether the kernel ended a process of it because it used more memory than it may. */
  ranOutOfMemory(): boolean;
  /** To be called when the command has ended, however it did. */
  close(): Promise<void>;
}

/** A command that runs as any other. */
export function leaveAsItIs({ program, args, folder, environment }: SandboxCommand): PreparedCommand {
  return {
    ...{ kind: 'none', program, args, folder, environment },
    refused: () => [],
    ranOutOfMemory: () => false,
    close: async () => undefined,
  };
}

export interface Sandbox {
  /** What can be had here; tried once and remembered. */
  inspect(): Promise<SandboxFacts>;
  /** What commands can use up here, in a sandbox or not; tried once and remembered. */
  inspectLimits(): Promise<UsageLimits>;
  /** Fails with `sandbox-missing` where there is none and one is required. */
  prepare(command: SandboxCommand, policy: SandboxPolicy): Promise<PreparedCommand>;
}
