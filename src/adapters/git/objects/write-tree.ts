/** Writes objects into a repository: without a process of their own where that can be, and otherwise as git does it alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BareGit } from '../bare-git.ts';
import { type NewEntry, TreeWriter } from './tree-writer.ts';

interface TreeChange {
  /** Null is the empty tree. */
  readonly base: string | null;
  /** These go before anything is added. */
  readonly removed: readonly string[];
  readonly added: readonly NewEntry[];
}

/** The id of the changed tree. */
export async function writeTree(git: BareGit, change: TreeChange): Promise<string> {
  const objects = await git.objects();
  const writer = new TreeWriter(
    objects.reader,
    (treeish) => git.listTree(treeish),
    () => objects.askTo('tree'),
  );
  return (await writer.write(change)) ?? writeWithIndex(git, change);
}

/** In an index of its own: the one of the person is not touched. */
async function writeWithIndex(git: BareGit, { base, removed, added }: TreeChange): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-index-'));
  const variables = { GIT_INDEX_FILE: join(folder, 'index') };
  try {
    await git.run(base === null ? ['read-tree', '--empty'] : ['read-tree', base], { variables });
    const none = '0'.repeat((base ?? added[0]?.object ?? '').length || 40);
    const lines = [
      ...removed.map((path) => `0 ${none}\t${path}\0`),
      ...added.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`),
    ];
    const input = lines.join('');
    if (lines.length > 0)
      await git.run(['update-index', '-z', '--replace', '--index-info'], { variables, input });
    return (await git.run(['write-tree'], { variables })).trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The ids of the contents of files, exactly as they are. */
export async function writeFiles(git: BareGit, files: readonly string[]): Promise<string[]> {
  const written = await (await git.objects()).writeFiles(files);
  if (written !== null) return written;
  const words = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
  const output = await git.run(words, { input: files.map((file) => `${file}\n`).join('') });
  return output.split('\n').slice(0, files.length);
}

export async function writeText(git: BareGit, text: string): Promise<string> {
  const written = await (await git.objects()).writeTexts([text]);
  if (written?.[0] !== undefined) return written[0];
  // Without a path there are no filters: the object is the text as it is.
  return (await git.run(['hash-object', '-w', '--stdin'], { input: text })).trim();
}
