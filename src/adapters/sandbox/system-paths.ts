/** The folders of the system itself, which every command in a sandbox sees, and questions about where a path is. */
import { sep } from 'node:path';

export const systemPaths = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Where programs are looked for in any case. */
export const programFolders = [
  ...['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'],
];

/** Programs that speak to a forge; they would find no credential, and they are not to be found either. */
export const forgePrograms = ['gh', 'hub', 'glab'];

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

export const isWithin = (path: string, folder: string): boolean => path === folder || isBelow(path, folder);
