/**
 * Makes the files of a copy those of a tree, so that they are looked at as if an agent had left them there. Files that
 * steer agents and builds stay as they are in the copy. Git writes them itself, without filters, and follows no link.
 */
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSteeringPath } from '../../../domain/changes/path-class.ts';
import { GatewrightError } from '../../../errors.ts';
import { switchFiltersOff } from '../filters-off.ts';
import type { Environment } from '../git-environment.ts';
import { tryGit } from '../run-git.ts';

interface Restoring {
  /** The folder of the copy, with a git folder of its own. */
  readonly copy: string;
  readonly tree: string;
  /** Where its objects are. */
  readonly objects: string;
  /** A file for the index that is used, which is not the copy's. */
  readonly index: string;
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

export async function restoreTree({ copy, tree, objects, index, environment }: Restoring): Promise<void> {
  rmSync(index, { force: true });
  const variables = await switchFiltersOff(copy, environment, {
    GIT_DIR: join(copy, '.git'),
    GIT_WORK_TREE: copy,
    GIT_INDEX_FILE: index,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  });
  const run = async (args: readonly string[], input = ''): Promise<string> => {
    const result = await tryGit(copy, environment, args, { variables, input });
    if (result.code === 0) return result.output;
    throw new GatewrightError('git-failed', `git ${args[0] ?? ''} failed: ${result.errors.slice(0, 500)}`);
  };
  await run(['read-tree', 'HEAD']);
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
