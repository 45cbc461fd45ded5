/**
 * Appends deliveries to a file of its own and waits for the disk, off the thread that calls it. A database would keep them
 * as well, but its thread waits for the disk, and for the transactions of the threads that handle events.
 *
 * Another process may claim the file: it renames it, and then reads it to its end. So the writer looks after every write
 * whether the file still has its name. If it has, a process that claims it later reads what was written; if not, the writer
 * writes the same again to a new file.
 */
import { randomUUID } from 'node:crypto';
import { constants, statSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GatewrightError } from '../../errors.ts';
import type { StoredDelivery } from '../../ports/inbox.ts';
import { explainInboxError } from './inbox-folder.ts';
import { toRecord } from './inbox-records.ts';

/** How much of a file is on disk. */
export interface Written {
  readonly file: string;
  readonly end: number;
}

interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly inode: number;
  end: number;
  /** How many writes to it are not confirmed yet. */
  open: number;
  /** The first error: after it nothing of what was not confirmed yet counts as written. */
  failure: unknown;
}

/** Then a new file is begun, so that the old one can be removed. */
const mostBytes = 16 * 1024 * 1024;

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
const toAppend = O_WRONLY | O_APPEND | O_CREAT | O_EXCL;

/** Of the deliveries that are usually written together. */
const usualBytes = 512 * 1024;

/** Other processes claim a file every few minutes at most. */
const mostTries = 5;

/** Files sort by the time at which they were begun. */
function newName(): string {
  return `${String(Date.now()).padStart(15, '0')}-${randomUUID()}.log`;
}

/** Answered from memory: to ask another thread for it would take longer. */
function hasItsName({ path, inode }: OpenFile): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === inode;
}

/** A new name is safe only when its folder is on disk. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export class InboxWriter {
  readonly #folder: string;
  readonly #key: string;
  readonly #mostBytes: number;
  /** Of one write at a time. */
  readonly #room = Buffer.allocUnsafeSlow(usualBytes);
  #file: OpenFile | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** All confirmations so far, and all files that were closed; neither rejects. */
  #confirmed: Promise<unknown> = Promise.resolve();
  #closed: Promise<unknown> = Promise.resolve();

  constructor(folder: string, key: string, limits = { mostBytes }) {
    this.#folder = folder;
    this.#key = key;
    this.#mostBytes = limits.mostBytes;
  }

  /**
   * Resolves when all are on disk. When it is called again before that, the later one is appended behind the first and
   * resolves after it, but both wait for the disk at the same time.
   */
  async write(deliveries: readonly StoredDelivery[]): Promise<Written> {
    const parts = deliveries.flatMap((one) => toRecord(this.#key, one));
    try {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const { file, end } = await this.#inTurn(() => this.#append(parts));
        const isThere = await this.#confirm(file);
        if (isThere) return { file: file.path, end };
      }
      throw new GatewrightError(
        'cannot-write',
        `Files in the inbox ${this.#folder} do not keep their names.`,
      );
    } catch (error) {
      throw explainInboxError(error, this.#folder);
    }
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#confirmed;
    await this.#closed;
    await this.#file?.handle.close();
    this.#file = null;
  }

  /** One after the other in memory that is used again and again, unless they need much more than usual. */
  #lineUp(parts: readonly Buffer[]): Buffer {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > this.#room.length) return Buffer.concat(parts, length);
    let at = 0;
    for (const part of parts) at += part.copy(this.#room, at);
    return this.#room.subarray(0, length);
  }

  /** One after the other, whatever comes of those before. */
  #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(step);
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  async #append(parts: readonly Buffer[]): Promise<{ readonly file: OpenFile; readonly end: number }> {
    const file = this.#file ?? (await this.#begin());
    // After an error nothing more is appended to this file: half a record may stand at its end, and a disk that failed
    // once does not say whether a later success holds for what was written before.
    this.#file = null;
    file.open += 1;
    try {
      const records = this.#lineUp(parts);
      for (let at = 0; at < records.length; ) at += (await file.handle.write(records, at)).bytesWritten;
      file.end += records.length;
    } catch (error) {
      file.failure ??= error;
      this.#leave(file);
      throw error;
    }
    if (file.failure === null && file.end < this.#mostBytes) this.#file = file;
    return { file, end: file.end };
  }

  /** Whether it is on disk, in a file that still has its name. */
  async #confirm(file: OpenFile): Promise<boolean> {
    const own = file.handle.datasync().catch((error: unknown) => {
      file.failure ??= error;
    });
    const all = Promise.all([this.#confirmed, own]);
    this.#confirmed = all;
    try {
      await all;
      if (file.failure !== null) throw file.failure;
      const isThere = hasItsName(file);
      if (!isThere && this.#file === file) this.#file = null;
      return isThere;
    } finally {
      this.#leave(file);
    }
  }

  /** The last one that has to do with a file that is full or failed closes it. Nothing waits for that, or needs it. */
  #leave(file: OpenFile): void {
    file.open -= 1;
    if (file.failure !== null && this.#file === file) this.#file = null;
    if (this.#file === file || file.open > 0) return;
    const closed = file.handle.close().catch(() => undefined);
    this.#closed = Promise.all([this.#closed, closed]);
  }

  async #begin(): Promise<OpenFile> {
    const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) for (const one of [dirname(made), dirname(this.#folder)]) await syncFolder(one);
    const path = join(this.#folder, newName());
    const handle = await open(path, toAppend, 0o600);
    await syncFolder(this.#folder);
    return { path, handle, inode: (await handle.stat()).ino, end: 0, open: 0, failure: null };
  }
}
