/**
 * Reads a folder in which an untrusted program works or has worked. Such a program may replace a folder with a link to
 * elsewhere between two reads, replace a file with a pipe that never gets any data, or use a name that is not text.
 * Every entry is opened relative to a folder that is already open and never through a link, so that only entries below
 * the root are read. Git must not run on such a folder: it would follow links and would wait for data from a pipe.
 */
import { isUtf8 } from 'node:buffer';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from '../../errors.ts';

const opened = '/proc/self/fd';
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Only where something can be opened from a folder that is open. */
export const canReadInMotion = process.platform === 'linux' && existsSync(opened);

export interface FolderEntry {
  /** One that is not text is written with `\xNN`, for people. */
  readonly name: string;
  readonly isText: boolean;
  readonly kind: 'folder' | 'file' | 'program' | 'link' | 'other';
  readonly size: number;
  /** How many names it has, and what tells it from others. */
  readonly names: number;
  readonly id: string;
}

/** The entry disappeared or changed its kind since it was listed: the program that works there is free to do that. */
export function hasChanged(error: unknown): boolean {
  return ['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EINVAL', 'EISDIR'].includes(systemErrorCode(error));
}

function kindOf(status: Stats): FolderEntry['kind'] {
  if (status.isDirectory()) return 'folder';
  if (status.isSymbolicLink()) return 'link';
  if (!status.isFile()) return 'other';
  return (status.mode & 0o100) === 0 ? 'file' : 'program';
}

function escapeBytes(name: Buffer): string {
  return [...name]
    .map((byte) =>
      byte > 31 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
}

export class FolderReader {
  readonly #root: string;
  readonly #mayUnlock: boolean;
  /** One for all: a new one for each file takes longer than reading it. */
  readonly #piece = Buffer.allocUnsafe(256 * 1024);

  /**
   * @param mayUnlock true when no process works there any more, so that permissions which an agent removed can be
   * restored
   */
  constructor(root: string, mayUnlock: boolean) {
    this.#root = root;
    this.#mayUnlock = mayUnlock;
  }

  /** Files and folders without the right to read them would be missing from what is taken over. */
  #open(path: string, flags: number, right: number): number {
    try {
      return openSync(path, flags);
    } catch (error) {
      if (!this.#mayUnlock || systemErrorCode(error) !== 'EACCES') throw error;
      const status = lstatSync(path);
      // The file has another name, which may belong to another owner, so its permissions are not changed.
      if (status.isSymbolicLink() || (status.isFile() && status.nlink > 1)) throw error;
      chmodSync(path, (status.mode & 0o7777) | right);
      return openSync(path, flags);
    }
  }

  /** Where the folder is open, for the time of the work. */
  #within<T>(folder: string, work: (here: string) => T): T {
    const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
    const parts = folder === '' ? [] : folder.split('/');
    if (!canReadInMotion) {
      for (const [index] of parts.entries())
        closeSync(this.#open(join(this.#root, ...parts.slice(0, index + 1)), flags, 0o700));
      return work(join(this.#root, ...parts));
    }
    let descriptor = this.#open(this.#root, flags, 0o700);
    try {
      for (const part of parts) {
        const below = this.#open(`${opened}/${descriptor}/${part}`, flags, 0o700);
        closeSync(descriptor);
        descriptor = below;
      }
      return work(`${opened}/${descriptor}`);
    } finally {
      closeSync(descriptor);
    }
  }

  #at<T>(path: string, work: (place: string) => T): T {
    const slash = path.lastIndexOf('/');
    return this.#within(path.slice(0, Math.max(slash, 0)), (here) =>
      work(`${here}/${path.slice(slash + 1)}`),
    );
  }

  /** Sorted by name. */
  list(folder: string): FolderEntry[] {
    return this.#within(folder, (here) => {
      const names = readdirSync(here, { encoding: 'buffer' }).sort(Buffer.compare);
      return names.flatMap((name) => {
        const status = lstatSync(Buffer.concat([Buffer.from(`${here}/`), name]), { throwIfNoEntry: false });
        if (status === undefined) return [];
        const isText = isUtf8(name);
        return [
          {
            name: isText ? name.toString('utf8') : escapeBytes(name),
            isText,
            kind: kindOf(status),
            size: status.size,
            names: status.nlink,
            id: `${status.dev}:${status.ino}`,
          },
        ];
      });
    });
  }

  /** The bytes of a file piece by piece, each to be used at once; false when it is no file. */
  readPieces(path: string, take: (piece: Buffer) => void): boolean {
    return this.#at(path, (place) => {
      // Opening a pipe must not block until another process writes to it.
      const source = this.#open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0o400);
      try {
        if (!fstatSync(source).isFile()) return false;
        for (;;) {
          const length = readSync(source, this.#piece);
          if (length === 0) return true;
          take(this.#piece.subarray(0, length));
        }
      } finally {
        closeSync(source);
      }
    });
  }

  /** The bytes of a file; null when it is none, or has grown beyond the limit. */
  read(path: string, most: number): Buffer | null {
    const pieces: Buffer[] = [];
    let left = most;
    const isFile = this.readPieces(path, (piece) => {
      left -= piece.length;
      if (left >= 0) pieces.push(Buffer.from(piece));
    });
    return isFile && left >= 0 ? Buffer.concat(pieces) : null;
  }

  readLink(path: string): Buffer {
    return this.#at(path, (place) => readlinkSync(place, { encoding: 'buffer' }));
  }
}
