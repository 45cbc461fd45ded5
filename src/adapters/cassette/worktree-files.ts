/** Changes files in a worktree for a replayed agent. Nothing outside of it, nothing through links, nothing that steers git or agents. */
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';

/** As real agents are kept from them: a hook or a setting there runs programs later. */
const protectedNames = new Set(['.git', '.claude', '.mcp.json']);

/** Some disks take names for the same that differ in upper and lower case. */
function isProtected(name: string): boolean {
  return protectedNames.has(name.toLowerCase());
}

/** The full path of a relative one that may be changed; null when it may not. */
export function resolveChangeable(folder: string, path: string): string | null {
  if (isAbsolute(path) || path.includes('\0')) return null;
  const parts = normalize(path).split(sep);
  if (parts.some((part) => part === '..' || part === '' || part === '.' || isProtected(part))) return null;
  let full = folder;
  for (const part of parts) {
    full = join(full, part);
    if (lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() === true) return null;
  }
  return full;
}

export function readExisting(full: string): string | null {
  return lstatSync(full, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(full, 'utf8') : null;
}

export function writeWhole(full: string, content: string): void {
  mkdirSync(dirname(full), { recursive: true });
  const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
  const descriptor = openSync(full, O_CREAT | O_NOFOLLOW | O_TRUNC | O_WRONLY, 0o644);
  try {
    writeFileSync(descriptor, content, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

export function removeExisting(full: string): void {
  rmSync(full, { recursive: true, force: true });
}
