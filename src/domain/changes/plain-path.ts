/** Paths of files in a repository, written by other authors. Only the disk can say whether they lead through links. */
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';

/** Forward slashes, from the root of the repository, without detours, to something whose name can be seen. */
export function isPlainPath(path: string): boolean {
  return (
    path.length <= 500 &&
    !path.includes('\\') &&
    !hasUnsafeCharacters(path) &&
    path.split('/').every((part) => !['', '.', '..'].includes(part.trim()))
  );
}

/**
 * A name as the least exact of disks sees it: capitals are small letters, the parts of an accented letter are one, what
 * cannot be seen is not there (macOS); dots and spaces at the end are not there (Windows). Two names that differ only in
 * this can be one file.
 */
export function foldName(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[^. ])[. ]+$/u, '');
}

/**
 * Git's own folder, also under other names that some disk resolves to it: `git~1` is the short name that Windows gives
 * it, and what follows a colon is a part of the same folder there.
 */
export function isGitFolder(name: string): boolean {
  return /^(?:\.git|git~\d+)$/u.test(foldName(name.trim().replace(/:.*$/su, '')));
}

/** Short names of Windows for `.git`, `.gitmodules`, `.gitattributes` and the like, also those made of a hash. */
export function isShortGitName(name: string): boolean {
  return /^gi[^~]{0,4}~\d/u.test(foldName(name));
}
