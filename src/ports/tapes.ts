/** Where the tapes of runs of agents and workflows are kept while and after they run. A tape helps to understand a run; no run needs it. */
import type { TapeLine } from '../domain/recordings/tape.ts';

export interface TapeWriter {
  /** Never fails and never waits: what cannot be kept is missing on the tape. */
  write(line: TapeLine): void;
  /** Resolves when what was written is in the file. */
  close(): Promise<void>;
}

export interface Tapes {
  /** The version of the program, for the head of a tape. */
  readonly version: string;
  /** The tape of one attempt or session; a resumed run begins another one. */
  begin(run: string): TapeWriter;
  /** The lines of each attempt that is kept, oldest first. */
  read(run: string): Promise<readonly (readonly TapeLine[])[]>;
}
