/** Facts about this machine, looked up without changing anything. */

export interface FileFacts {
  /** The permission bits. */
  readonly mode: number;
  readonly isWritable: boolean;
  readonly isFolder: boolean;
}

export interface Machine {
  readonly nodeVersion: string;
  /** The program on the search path, or null. */
  findProgram(name: string): string | null;
  /** What a program prints; null when it cannot be run or ends with an error. */
  ask(program: string, args: readonly string[], signal: AbortSignal): Promise<string | null>;
  /** Bytes that we may still use where a path is, or would be. */
  freeBytes(path: string): Promise<number>;
  /** Null when it is not there. */
  inspectFile(path: string): FileFacts | null;
  /** The nearest folder above a path that is there. */
  nearestFolder(path: string): string;
}
