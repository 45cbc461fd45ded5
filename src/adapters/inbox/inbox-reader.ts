/**
 * Reads the inbox of a repository: what this process writes, as far as its writer got, and what an earlier process or
 * another one left. A file is removed when everything in it is on the ledger.
 */
import { randomUUID } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import type { Inbox, StoredDelivery } from '../../ports/inbox.ts';
import { explainInboxError } from './inbox-folder.ts';
import { readRecord } from './inbox-records.ts';
import type { Written } from './inbox-writer.ts';

/** A file to be read up to an end. */
interface Source {
  readonly path: string;
  /** Written by this process, which may go on writing to it. */
  readonly isOwn: boolean;
  end: number;
  read: number;
  /** Whether there is something in it that we did not write. */
  isDamaged: boolean;
  /** Some of it could not be written to the ledger. */
  isKept: boolean;
}

interface Chunk {
  readonly records: readonly StoredDelivery[];
  readonly bytes: number;
  readonly isDamaged: boolean;
}

/** Null for what is no event any more, such as an event that an older version knew. */
export type ReadStored = (delivery: StoredDelivery) => FleetEvent | null;

const chunkBytes = 256 * 1024;
/** What other processes left is looked for at the start, and then after this many milliseconds again. */
const lookAgainAfter = 5 * 60_000;
const claimedBy = /\.claimed-[0-9a-f-]{36}$/u;
const claimable = /^\d{15}-[0-9a-f-]{36}\.log(\.claimed-[0-9a-f-]{36})?$/u;

/** Whole records only. What stands after the last one in a claimed file was never acknowledged. */
function readRecords(key: string, buffer: Buffer, limit: number): Chunk {
  const records: StoredDelivery[] = [];
  let from = 0;
  let isDamaged = false;
  while (records.length < limit) {
    const step = readRecord(key, buffer, from);
    if (step.kind === 'short') break;
    if (step.kind === 'record') records.push(step.record);
    else isDamaged = true;
    from = step.next;
  }
  return { records, bytes: from, isDamaged };
}

/** Whether nothing was appended behind what was read: the writer may have ended before it could say how far it got. */
async function isReadWhole({ path, isOwn, read }: Source): Promise<boolean> {
  if (!isOwn) return true;
  try {
    return (await lstat(path)).size <= read;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

export class InboxReader implements Pick<Inbox, 'next' | 'taken'> {
  readonly #folder: string;
  readonly #key: string;
  readonly #read: ReadStored;
  readonly #onTrouble: (error: unknown) => void;
  readonly #now: () => number;
  /** Files that cannot be read or claimed, each reported once. */
  readonly #reported = new Set<string>();
  #sources: Source[] = [];
  #handed: { readonly source: Source; readonly bytes: number } | null = null;
  #nextLook = Number.NEGATIVE_INFINITY;

  constructor(
    folder: string,
    key: string,
    read: ReadStored,
    onTrouble: (error: unknown) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#folder = folder;
    this.#key = key;
    this.#read = read;
    this.#onTrouble = onTrouble;
    this.#now = now;
  }

  /** The writer of this process has got that far. */
  advance({ file, end }: Written): void {
    const last = this.#sources.findLast(({ path }) => path === file);
    if (last === undefined)
      this.#sources.push({ path: file, isOwn: true, end, read: 0, isDamaged: false, isKept: false });
    else last.end = Math.max(last.end, end);
  }

  async next(limit: number): Promise<readonly FleetEvent[]> {
    try {
      if (this.#now() >= this.#nextLook) await this.#claim();
      for (;;) {
        const source = this.#sources.find(({ read, end }) => read < end);
        if (source === undefined) return [];
        const events = await this.#handOrLeave(source, limit);
        if (events.length > 0) return events;
        await this.taken({ all: true });
      }
    } catch (error) {
      throw explainInboxError(error, this.#folder);
    }
  }

  async taken({ all }: { readonly all: boolean }): Promise<void> {
    if (this.#handed === null) return;
    const { source, bytes } = this.#handed;
    this.#handed = null;
    source.read += bytes;
    if (!all) source.isKept = true;
    await this.#removeFinished();
  }

  /** Nothing is written any more by this process: what was read to its end can go. */
  async close(): Promise<void> {
    await this.#removeFinished({ isClosed: true });
  }

  async #removeFinished({ isClosed = false } = {}): Promise<void> {
    const last = this.#sources.findLast(({ isOwn }) => isOwn);
    for (const source of this.#sources.filter(({ read, end }) => read >= end)) {
      // The writer may still append to its last file.
      if (source === last && !isClosed) continue;
      this.#sources = this.#sources.filter((one) => one !== source);
      if (source.isKept || !(await isReadWhole(source))) continue;
      if (source.isDamaged) await this.#setAside(source);
      else await rm(source.path, { force: true });
    }
  }

  async #setAside({ path }: Source): Promise<void> {
    const aside = `${path}.damaged`;
    await rename(path, aside).catch(() => undefined);
    this.#onTrouble(
      new GatewrightError(
        'inbox-damaged',
        `${aside} holds something that is no delivery as this version and this key store it; all that could be read was taken.`,
      ),
    );
  }

  /** A file of another process that cannot be read now is left for the next look, so that it stops no other delivery. */
  async #handOrLeave(source: Source, limit: number): Promise<FleetEvent[]> {
    try {
      return await this.#hand(source, limit);
    } catch (error) {
      if (source.isOwn) throw error;
      this.#sources = this.#sources.filter((one) => one !== source);
      this.#report(source.path, error);
      return [];
    }
  }

  #report(path: string, error: unknown): void {
    const name = basename(path).replace(claimedBy, '');
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#onTrouble(explainInboxError(error, path));
  }

  async #hand(source: Source, limit: number): Promise<FleetEvent[]> {
    const { records, bytes, isDamaged } = await this.#readChunk(source, limit);
    this.#handed = { source, bytes };
    const events: FleetEvent[] = [];
    let isUnread = isDamaged;
    for (const record of records) {
      const event = this.#tryRead(record);
      if (event === null) isUnread = true;
      else events.push(event);
    }
    if (isUnread) source.isDamaged = true;
    return events;
  }

  /** One delivery that cannot be read must not stop those after it. */
  #tryRead(record: StoredDelivery): FleetEvent | null {
    try {
      return this.#read(record);
    } catch (error) {
      this.#onTrouble(error);
      return null;
    }
  }

  async #readChunk(source: Source, limit: number): Promise<Chunk> {
    const { path, read, end } = source;
    const rest = end - read;
    try {
      await using file = await open(path, 'r');
      for (let length = Math.min(chunkBytes, rest); ; length = Math.min(2 * length, rest)) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, read);
        const chunk = readRecords(this.#key, buffer.subarray(0, bytesRead), limit);
        if (chunk.bytes > 0) return chunk;
        // No record ends here any more.
        if (length === rest) return { records: [], bytes: rest, isDamaged: false };
      }
    } catch (error) {
      // Another process has claimed it, and reads it.
      if (systemErrorCode(error) === 'ENOENT') return { records: [], bytes: rest, isDamaged: false };
      throw error;
    }
  }

  /** Takes over what other processes left; what a living one is writing to as well: it begins a new file then. */
  async #claim(): Promise<void> {
    this.#nextLook = this.#now() + lookAgainAfter;
    // A file of our own in which something was kept is read again; its writer begins a new one.
    this.#sources = this.#sources.filter(({ isKept, read, end }) => !isKept || read < end);
    const own = new Set(this.#sources.map(({ path }) => path));
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw error;
    });
    const found: Source[] = [];
    for (const name of names.filter((one) => claimable.test(one)).sort()) {
      const path = join(this.#folder, name);
      if (own.has(path)) continue;
      try {
        const source = await this.#claimOne(path);
        if (source !== null) found.push(source);
      } catch (error) {
        this.#report(path, error);
      }
    }
    this.#sources = [...found, ...this.#sources];
    // An empty file holds nothing to wait for.
    await this.#removeFinished();
  }

  /** Null when another process was first, or when it is no file of an inbox. */
  async #claimOne(path: string): Promise<Source | null> {
    const claimed = `${path.replace(claimedBy, '')}.claimed-${randomUUID()}`;
    try {
      if (!(await lstat(path)).isFile()) return null;
      await rename(path, claimed);
      const { size } = await lstat(claimed);
      return { path: claimed, isOwn: false, end: size, read: 0, isDamaged: false, isKept: false };
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }
}
