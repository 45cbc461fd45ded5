/** Paths that others wrote down, of files in a repository. Whether they lead through links only the disk can tell. */
import { hasUnsafeCharacters } from './untrusted-text.ts';

/** Forward slashes, from the root of the repository, without detours, to something whose name can be seen. */
export function isPlainPath(path: string): boolean {
  return (
    path.length <= 500 &&
    !path.includes('\\') &&
    !hasUnsafeCharacters(path) &&
    path.split('/').every((part) => !['', '.', '..'].includes(part.trim()))
  );
}

/** Git's own folder, also where the disk does not tell capitals from small letters. */
export function isGitFolder(name: string): boolean {
  return name.trim().toLowerCase() === '.git';
}
