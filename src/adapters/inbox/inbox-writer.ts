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
}

/** Then a new file is begun, so that the old one can be removed. */
const mostBytes = 16 * 1024 * 1024;

const { O_APPEND, O_CREAT, O_DSYNC, O_EXCL, O_WRONLY } = constants;
/** A write returns when it is on disk: one call instead of two. */
const writeThrough = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_DSYNC;

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
  #file: OpenFile | null = null;

  constructor(folder: string, key: string, limits = { mostBytes }) {
    this.#folder = folder;
    this.#key = key;
    this.#mostBytes = limits.mostBytes;
  }

  /** Resolves when all are on disk. It must not be called again before that. */
  async write(deliveries: readonly StoredDelivery[]): Promise<Written> {
    const records = Buffer.concat(deliveries.flatMap((one) => toRecord(this.#key, one)));
    try {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const file = this.#file ?? (await this.#begin());
        const isThere = await this.#append(file, records);
        if (isThere) return { file: file.path, end: file.end };
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
    await this.#file?.handle.close();
    this.#file = null;
  }

  /** Whether it was appended to a file that still has its name. */
  async #append(file: OpenFile, records: Buffer): Promise<boolean> {
    // After an error nothing more is appended to this file: half a record may stand at its end, and a disk that failed
    // once does not say whether a later success holds for what was written before.
    this.#file = null;
    try {
      for (let at = 0; at < records.length; ) at += (await file.handle.write(records, at)).bytesWritten;
      file.end += records.length;
      const isThere = hasItsName(file);
      if (isThere && file.end < this.#mostBytes) this.#file = file;
      return isThere;
    } finally {
      if (this.#file === null) await file.handle.close();
    }
  }

  async #begin(): Promise<OpenFile> {
    const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) for (const one of [dirname(made), dirname(this.#folder)]) await syncFolder(one);
    const path = join(this.#folder, newName());
    const handle = await open(path, writeThrough, 0o600);
    await syncFolder(this.#folder);
    return { path, handle, inode: (await handle.stat()).ino, end: 0 };
  }
}
