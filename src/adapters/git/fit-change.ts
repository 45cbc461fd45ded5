/**
 * How much one change may bring, whenever it is taken over: early or at the end. More cannot be looked through, by us or by
 * people, and on a branch it would be in the repository for good.
 */
import { nameForPeople, type UnsafeFile } from '../../domain/changes/judge-tree.ts';

export const changeLimits = {
  /** Bytes of one file. */
  file: 10 * 1024 * 1024,
  /** Bytes of all files that are new or changed. */
  change: 32 * 1024 * 1024,
  /** Files that are new or changed; removing is free. */
  files: 5_000,
} as const;

export interface SizedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly isNew: boolean;
}

const megabytes = (bytes: number): string =>
  `${(bytes / (1024 * 1024)).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MiB`;

const number = (count: number): string => count.toLocaleString('en-US');

/** The uppermost folder of a path that was not there before; null when all were. */
function newFolderOf(path: string, folders: ReadonlySet<string>): string | null {
  const parts = path.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const folder = parts.slice(0, length).join('/');
    if (!folders.has(folder)) return folder;
  }
  return null;
}

/** Left out until the rest fits: new folders with many files first, since they were mostly made by a tool. */
function leaveOutMany(files: readonly SizedFile[], folders: ReadonlySet<string>): UnsafeFile[] {
  let over = files.length - changeLimits.files;
  if (over <= 0) return [];
  const groups = Map.groupBy(files, (file) => (file.isNew ? newFolderOf(file.path, folders) : null) ?? '');
  const rest = groups.get('') ?? [];
  groups.delete('');
  const refused: UnsafeFile[] = [];
  const bySize = [...groups].sort(([, one], [, other]) => other.length - one.length);
  for (const [folder, members] of bySize) {
    if (over <= 0) break;
    const why = `${nameForPeople(folder)}/ brings ${number(members.length)} files; a change may have ${number(changeLimits.files)}.`;
    refused.push(...members.map(({ path }) => ({ path, why })));
    over -= members.length;
  }
  const why = `The change has ${number(files.length)} files; it may have ${number(changeLimits.files)}.`;
  if (over > 0) refused.push(...rest.slice(-over).map(({ path }) => ({ path, why })));
  return refused;
}

/** The largest are left out until the rest fits. */
function leaveOutLarge(files: readonly SizedFile[]): UnsafeFile[] {
  let total = files.reduce((sum, { size }) => sum + size, 0);
  const why = ({ path, size }: SizedFile): string =>
    `${nameForPeople(path)} has ${megabytes(size)}; all files of a change together may have ${megabytes(changeLimits.change)}.`;
  const refused: UnsafeFile[] = [];
  for (const file of files.toSorted((one, other) => other.size - one.size)) {
    if (total <= changeLimits.change) break;
    refused.push({ path: file.path, why: why(file) });
    total -= file.size;
  }
  return refused;
}

/**
 * What has to be left out of a change so that the rest of it fits.
 * @param folders those that were there before
 */
export function fitChange(files: readonly SizedFile[], folders: ReadonlySet<string>): UnsafeFile[] {
  const single = files
    .filter(({ size }) => size > changeLimits.file)
    .map(({ path, size }) => ({
      path,
      why: `${nameForPeople(path)} has ${megabytes(size)}; a file may have ${megabytes(changeLimits.file)}.`,
    }));
  const without = (unsafe: readonly UnsafeFile[], from: readonly SizedFile[]): SizedFile[] => {
    const paths = new Set(unsafe.map(({ path }) => path));
    return from.filter(({ path }) => !paths.has(path));
  };
  const small = without(single, files);
  const many = leaveOutMany(small, folders);
  const large = leaveOutLarge(without(many, small));
  return [...single, ...many, ...large];
}
