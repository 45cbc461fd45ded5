/**
 * Copies a folder in which somebody is at work who may try to lead us astray: a folder becomes a link to elsewhere between
 * one look and the next. Everything is opened from the folder that is open already and never through a link, so that what
 * is copied lies below it. No git may be run over such a folder itself, which would read wherever a link leads.
 */
import { existsSync } from 'node:fs';
import { constants, type FileHandle, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewrightError, systemErrorCode } from '../../errors.ts';

const opened = '/proc/self/fd';
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** More than this is no source code. */
const longestCopy = 512 * 1024 * 1024;

/** Only where something can be opened from a folder that is open. */
export const canCopyInMotion = process.platform === 'linux' && existsSync(opened);

function refuse(why: string): never {
  throw new GatewrightError('work-refused', why);
}

/** Gone, or not any more what it was a moment ago: whoever works there is free to do that. */
function hasChanged(error: unknown): boolean {
  return ['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EINVAL'].includes(systemErrorCode(error));
}

class Copy {
  #left = longestCopy;
  readonly #isLeftOut: (path: string) => boolean;

  constructor(isLeftOut: (path: string) => boolean) {
    this.#isLeftOut = isLeftOut;
  }

  /** @param path of the folder, below the one that is copied; with a slash at its end, or empty */
  async folder(from: FileHandle, to: string, path: string): Promise<void> {
    await mkdir(to, { mode: 0o700 });
    const here = `${opened}/${from.fd}`;
    for (const entry of await readdir(here, { withFileTypes: true })) {
      const { name } = entry;
      // Left out, it would look as if it had been deleted.
      if (name.includes('\uFFFD')) refuse('The name of a file is not text.');
      const isFolder = entry.isDirectory();
      if (this.#isLeftOut(`${path}${name}${isFolder ? '/' : ''}`)) continue;
      const target = join(to, name);
      try {
        if (entry.isSymbolicLink()) await symlink(await readlink(`${here}/${name}`), target);
        else if (isFolder) {
          const below = await open(`${here}/${name}`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
          await this.folder(below, target, `${path}${name}/`).finally(() => below.close());
        } else if (entry.isFile()) await this.#file(`${here}/${name}`, target);
      } catch (error) {
        if (!hasChanged(error)) throw error;
      }
    }
  }

  async #file(from: string, to: string): Promise<void> {
    // Opening something that somebody has to write to first must not wait for them.
    const source = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const status = await source.stat();
      if (!status.isFile()) return;
      this.#left -= status.size;
      if (this.#left < 0) refuse('There is too much in the folder to be copied.');
      const content = Buffer.alloc(status.size);
      const { bytesRead } = await source.read(content, 0, status.size, 0);
      const target = await open(to, 'wx', (status.mode & 0o100) === 0 ? 0o600 : 0o700);
      await target.writeFile(content.subarray(0, bytesRead)).finally(() => target.close());
    } finally {
      await source.close();
    }
  }
}

/** @param isLeftOut paths of folders end with a slash */
export async function copyInMotion(
  from: string,
  to: string,
  isLeftOut: (path: string) => boolean,
): Promise<void> {
  const root = await open(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  await new Copy(isLeftOut).folder(root, to, '').finally(() => root.close());
}
