/** The files of a tree, and what of them must not be taken over from somebody else. */
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { isGitFolder } from '../../domain/plain-path.ts';
import type { TreeFile } from '../../domain/tree-file.ts';
import { hasUnsafeCharacters } from '../../domain/untrusted-text.ts';
import type { UnsafeFile } from '../../ports/trees.ts';

type RunGit = (args: readonly string[]) => Promise<string>;

const kinds: Readonly<Record<string, TreeFile['kind']>> = {
  '100755': 'program',
  '120000': 'link',
  '160000': 'repository',
};

export const modes: Readonly<Record<TreeFile['kind'], string>> = {
  file: '100644',
  program: '100755',
  link: '120000',
  repository: '160000',
};

export async function listTree(run: RunGit, treeish: string): Promise<TreeFile[]> {
  const output = await run(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', treeish]);
  return output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , object = ''] = line.slice(0, tab).split(' ');
      return { path: line.slice(tab + 1), kind: kinds[mode] ?? 'file', object };
    });
}

/** Some disks leave out characters that cannot be seen, shorten names, or do not tell capitals from small letters. */
function isNoName(path: string): boolean {
  return (
    path.length > 400 ||
    hasUnsafeCharacters(path) ||
    /[\n\t\\]/u.test(path) ||
    path.split('/').some((part) => ['.', '..'].includes(part) || isGitFolder(part) || /^git~\d/iu.test(part))
  );
}

function leadsOutside(path: string, target: string): boolean {
  const end = normalize(join(dirname(path), target));
  return isAbsolute(target) || end.split('/').some((part) => part === '..' || isGitFolder(part));
}

/** Among what is new or changed against another tree; null is the empty one. */
export async function findUnsafe(run: RunGit, tree: string, than: string | null): Promise<UnsafeFile[]> {
  const before = new Map(
    (than === null ? [] : await listTree(run, than)).map((file) => [file.path, file] as const),
  );
  const found: UnsafeFile[] = [];
  for (const { path, kind, object } of await listTree(run, tree)) {
    const old = before.get(path);
    if (old?.object === object && old.kind === kind) continue;
    if (isNoName(path))
      found.push({ path, why: `${JSON.stringify(path.slice(0, 80))} is no name for a file.` });
    else if (kind === 'repository') found.push({ path, why: `${path} is a repository in the repository.` });
    else if (kind === 'link' && leadsOutside(path, await run(['cat-file', 'blob', object])))
      found.push({ path, why: `${path} is a link that leads outside.` });
  }
  return found;
}
