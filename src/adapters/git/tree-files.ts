/** The files of a tree, and which of them must not be taken over from another author. */
import { type JudgedFile, judgeTree, type UnsafeFile } from '../../domain/changes/judge-tree.ts';
import type { TreeFile } from '../../domain/changes/tree-file.ts';

/** What trees and files are read from. */
interface TreeSource {
  /** As `ls-tree -r -z` prints them. */
  listTree(treeish: string): Promise<string>;
  readBlob(object: string): Promise<string>;
}

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

export function kindOfMode(mode: string): TreeFile['kind'] {
  return kinds[mode] ?? 'file';
}

type Content = Pick<TreeFile, 'kind' | 'object'>;

const isText = (kind: TreeFile['kind']): boolean => kind === 'file' || kind === 'program';

/** Against what it was before. */
export function stateOf(now: Content, before: Content | undefined): JudgedFile['state'] {
  if (before === undefined) return 'new';
  if (before.kind === now.kind) return before.object === now.object ? 'same' : 'changed';
  return isText(before.kind) && isText(now.kind) ? 'changed' : 'new';
}

export async function listTree(source: Pick<TreeSource, 'listTree'>, treeish: string): Promise<TreeFile[]> {
  const output = await source.listTree(treeish);
  return output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , object = ''] = line.slice(0, tab).split(' ');
      return { path: line.slice(tab + 1), kind: kindOfMode(mode), object };
    });
}

/**
 * Finds files that must not be taken over from another author, among those that are new or changed against another
 * tree; null is the empty tree. Links are read only if there are new ones: otherwise no existing link can lead to a new
 * place.
 */
export async function findUnsafe(
  source: TreeSource,
  tree: string,
  than: string | null,
): Promise<UnsafeFile[]> {
  const before = new Map(
    (than === null ? [] : await listTree(source, than)).map((file) => [file.path, file] as const),
  );
  const files = (await listTree(source, tree)).map((file) => ({
    ...file,
    state: stateOf(file, before.get(file.path)),
  }));
  const hasNewLinks = files.some(({ kind, state }) => kind === 'link' && state !== 'same');
  const judged: JudgedFile[] = [];
  for (const { path, kind, object, state } of files) {
    const isRead = kind === 'link' && hasNewLinks;
    judged.push({
      path,
      kind,
      state,
      ...(isRead ? { target: await source.readBlob(object) } : {}),
    });
  }
  return judgeTree(judged);
}
