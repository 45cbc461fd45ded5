/**
 * Where a link in a tree leads, as the kernel resolves it: one name after the other, `..` being the folder above the
 * one that was really reached. A link is allowed if it leads to a file or a folder of the same tree and meets no other
 * link on its way; so it leads to the same place on every machine, no matter which links are made there later.
 */

import { hasUnsafeCharacters } from '../text/untrusted-text.ts';
import { foldName, isGitFolder } from './plain-path.ts';

/** What links can lead to and what they must not pass. */
export interface LinkGround {
  readonly files: ReadonlySet<string>;
  /** All but the root. */
  readonly folders: ReadonlySet<string>;
  /** By folded path, since the kernel of another machine may not tell capitals from small letters. */
  readonly links: ReadonlyMap<string, string>;
}

export type LinkEnd =
  | { readonly end: string }
  | { readonly refused: 'no-path' | 'outside' | 'git' | 'nowhere' | 'holds-it' }
  | { readonly refused: 'through'; readonly link: string };

const longestTarget = 1000;

export function foldPath(path: string): string {
  return path.split('/').map(foldName).join('/');
}

/** Windows reads backslashes and letters of drives. */
function isNoPath(target: string): boolean {
  return (
    target === '' ||
    target.length > longestTarget ||
    hasUnsafeCharacters(target) ||
    /[\\\n\t\uFFFD]/u.test(target)
  );
}

export function followLink(path: string, target: string, ground: LinkGround): LinkEnd {
  if (isNoPath(target)) return { refused: 'no-path' };
  if (target.startsWith('/') || /^[A-Za-z]:/u.test(target)) return { refused: 'outside' };
  const here = path.split('/').slice(0, -1);
  const at = [...here];
  for (const part of target.split('/')) {
    // Also for `.` and for a slash at the end.
    if (at.length > 0 && !ground.folders.has(at.join('/'))) return { refused: 'nowhere' };
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return { refused: 'outside' };
      continue;
    }
    if (isGitFolder(part)) return { refused: 'git' };
    at.push(part);
    const link = ground.links.get(foldPath(at.join('/')));
    if (link !== undefined) return { refused: 'through', link };
  }
  const end = at.join('/');
  if (`${here.join('/')}/`.startsWith(end === '' ? '' : `${end}/`)) return { refused: 'holds-it' };
  return ground.files.has(end) || ground.folders.has(end) ? { end } : { refused: 'nowhere' };
}

/** As a sentence about the link. */
export function describeLink(path: string, refused: Exclude<LinkEnd, { end: string }>): string {
  switch (refused.refused) {
    case 'no-path':
      return `${path} is a link to something that is no plain path.`;
    case 'outside':
      return `${path} is a link that leads outside.`;
    case 'git':
      return `${path} is a link that leads into a folder of git's own.`;
    case 'nowhere':
      return `${path} is a link that leads to nothing in the repository.`;
    case 'holds-it':
      return `${path} is a link to a folder that it is in itself.`;
    case 'through':
      return `${path} is a link that leads through another link.`;
  }
}
