/**
 * The checkpoints that go with the next commit to the ref. Only the process that holds the lease of a run writes those of
 * the run: what waits here counts for as long as no other process has taken the lease.
 */
import type { ChainRow } from '../../domain/ledger/chain.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { type KeptThread, readThread, writeThread } from './checkpoint-files.ts';
import { checkpointFile } from './ledger-files.ts';
import type { LedgerMirror } from './ledger-mirror.ts';
import type { FileChanges } from './write-commit.ts';

/** Beyond it the ref keeps the one before, and another machine goes on from there. In characters. */
const largest = 4 * 1024 * 1024;

export class WaitingCheckpoints {
  readonly #mirror: LedgerMirror;
  readonly #tokenOf: ((subject: Subject) => number | undefined) | null;
  readonly #waiting = new Map<string, KeptThread>();

  /** @param tokenOf of the lease that this process took last; null where nothing is ever sent */
  constructor(mirror: LedgerMirror, tokenOf: ((subject: Subject) => number | undefined) | null) {
    this.#mirror = mirror;
    this.#tokenOf = tokenOf;
  }

  /** Whether what waits for a run still counts: `open` when the ledger does not know the run yet. */
  #standOf(thread: string): 'ours' | 'ended' | 'open' | 'lost' {
    const run = this.#mirror.runOf(thread);
    if (run === undefined) return 'open';
    const token = this.#mirror.leaseOf(run.subject)?.token;
    if (this.#tokenOf !== null && this.#tokenOf(run.subject) !== token) return 'lost';
    return run.isEnded ? 'ended' : 'ours';
  }

  read(thread: string): KeptThread {
    if (this.#standOf(thread) === 'lost') this.#waiting.delete(thread);
    const waiting = this.#waiting.get(thread);
    if (waiting !== undefined) return waiting;
    const path = checkpointFile(thread);
    const text = this.#mirror.checkpointsAt(path);
    return text === null ? { thread, checkpoints: [] } : readThread(text, path, this.#mirror.signingKey);
  }

  change(thread: string, change: (kept: KeptThread) => KeptThread): void {
    this.#waiting.set(thread, change(this.read(thread)));
  }

  /** What belongs into the commit with these entries, which are in the mirror already. */
  filesWith(rows: readonly ChainRow[]): FileChanges {
    const files = new Map<string, string | null>();
    const isNew = (path: string, text: string | null): boolean => this.#mirror.checkpointsAt(path) !== text;
    for (const { run } of rows) {
      if (run === '' || this.#waiting.has(run) || this.#mirror.runOf(run)?.isEnded !== true) continue;
      const path = checkpointFile(run);
      if (isNew(path, null)) files.set(path, null);
    }
    for (const [thread, kept] of this.#waiting) {
      const stand = this.#standOf(thread);
      if (stand === 'lost' || stand === 'open') continue;
      const path = checkpointFile(thread);
      const isGone = stand === 'ended' || kept.checkpoints.length === 0;
      const text = isGone ? null : writeThread(kept, this.#mirror.signingKey);
      if ((text === null || text.length <= largest) && isNew(path, text)) files.set(path, text);
    }
    return files;
  }

  forget(subject: Subject): void {
    for (const thread of this.#waiting.keys())
      if (this.#mirror.runOf(thread)?.subject === subject) this.#waiting.delete(thread);
  }

  /** What is in the mirror now need not wait, unless there is something newer meanwhile. */
  sent(files: FileChanges): void {
    for (const [thread, kept] of this.#waiting) {
      const text = files.get(checkpointFile(thread));
      if (text === null || text === writeThread(kept, this.#mirror.signingKey)) this.#waiting.delete(thread);
    }
  }
}
