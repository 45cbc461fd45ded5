/**
 * Makes the files of a copy those of a tree, so that they are looked at as if an agent had left them there. Files that
 * steer agents and builds stay as they are in the copy. Git works with a folder of ours: what commands have written into
 * the copy's own git folder, such as a server that is a program, is never read. It follows no link.
 */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSteeringPath } from '../../../domain/changes/path-class.ts';
import { GatewrightError } from '../../../errors.ts';
import type { LeftTree } from '../../../ports/proposals/parcels.ts';
import { asTheyAre } from '../filters-off.ts';
import type { Environment } from '../git-environment.ts';
import { onlyOwnSettings } from '../plain-git.ts';
import { tryGit } from '../run-git.ts';

interface Restoring {
  readonly left: LeftTree;
  /** The folder of the copy; its git folder is not looked at. */
  readonly copy: string;
  /** A git folder of ours, which has the objects of the tree and, from elsewhere, those of the repository. */
  readonly own: string;
  readonly environment: Environment;
}

/** A file that is gone in the tree; what is reached through a link is not in the copy. */
function removeFile(copy: string, path: string): void {
  const parts = path.split('/');
  for (let length = 1; length < parts.length; length += 1)
    if (lstatSync(join(copy, ...parts.slice(0, length)), { throwIfNoEntry: false })?.isDirectory() !== true)
      return;
  rmSync(join(copy, path), { force: true });
}

export async function restoreTree({ left, copy, own, environment }: Restoring): Promise<void> {
  const { start, tree } = left;
  mkdirSync(join(own, 'info'), { recursive: true });
  writeFileSync(join(own, 'info', 'attributes'), asTheyAre);
  const index = join(own, 'index');
  rmSync(index, { force: true });
  const variables = {
    ...onlyOwnSettings(own),
    GIT_WORK_TREE: copy,
    GIT_INDEX_FILE: index,
    GIT_NO_LAZY_FETCH: '1',
    GIT_ATTR_NOSYSTEM: '1',
  };
  const ask = (args: readonly string[], input = '') => tryGit(copy, environment, args, { variables, input });
  const run = async (args: readonly string[], input = ''): Promise<string> => {
    const result = await ask(args, input);
    if (result.code === 0) return result.output;
    throw new GatewrightError('git-failed', `git ${args[0] ?? ''} failed: ${result.errors.slice(0, 500)}`);
  };
  const kind = await ask(['cat-file', '-t', start]);
  if (kind.code !== 0 || kind.output.trim() !== 'commit')
    throw new GatewrightError(
      'proposal-refused',
      'The proposal is refused: its work begins at a commit that is not here.',
    );
  // Files that git ignores count where they are part of the commit.
  await run(['read-tree', start]);
  await run(['add', '--all']);
  const now = (await run(['write-tree'])).trim();
  const fields = (await run(['diff-tree', '-r', '-z', '--no-renames', '--raw', now, tree])).split('\0');
  const lines: string[] = [];
  const written: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , object = '', status = ''] = (fields[at] ?? '').split(' ');
    const path = fields[at + 1] ?? '';
    if (path === '' || isSteeringPath(path)) continue;
    if (status === 'D') removeFile(copy, path);
    else {
      lines.push(`${mode} ${object}\t${path}\0`);
      written.push(`${path}\0`);
    }
  }
  if (written.length === 0) return;
  await run(['update-index', '-z', '--add', '--replace', '--index-info'], lines.join(''));
  await run(['checkout-index', '-f', '-z', '--stdin'], written.join(''));
}
