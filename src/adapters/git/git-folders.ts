/** Where the files of a repository are, as git says it: once for a folder, since a process works with the same one all along. */
import { existsSync, realpathSync } from 'node:fs';
import { GatewrightError } from '../../errors.ts';
import type { Environment } from './git-environment.ts';
import { tryGit } from './run-git.ts';

export interface GitFolders {
  /** The one that all work trees share. */
  readonly shared: string;
  /** Of this work tree. */
  readonly own: string;
}

/** What git said for a folder, in an environment: several objects of one process look at the same repository. */
const answers = new WeakMap<Environment, Map<string, Promise<GitFolders>>>();

function knownIn(environment: Environment): Map<string, Promise<GitFolders>> {
  const known = answers.get(environment) ?? new Map<string, Promise<GitFolders>>();
  answers.set(environment, known);
  return known;
}

const words = ['--path-format=absolute', '--git-common-dir', '--absolute-git-dir'];

function readFolders(output: string): GitFolders | null {
  const [shared = '', own = '', ...more] = output.replace(/\n$/u, '').split('\n');
  return shared === '' || own === '' || more.length > 0 ? null : { shared, own };
}

/** The root of the work tree that a folder is in, as git names it; null when it is in none. */
export async function askForRoot(folder: string, environment: Environment): Promise<string | null> {
  const found = await tryGit(folder, environment, ['rev-parse', '--show-toplevel', ...words]);
  const end = found.output.indexOf('\n');
  const root = found.output.slice(0, end).trim();
  if (found.code !== 0 || end < 0 || root === '') return null;
  const folders = readFolders(found.output.slice(end + 1));
  // Git has said this too, so that it need not be asked again.
  if (folders !== null && existsSync(root))
    knownIn(environment).set(realpathSync(root), Promise.resolve(folders));
  return root;
}

export function findGitFolders(folder: string, environment: Environment): Promise<GitFolders> {
  const known = knownIn(environment);
  // Another repository may have come to where one was taken away.
  if (!existsSync(folder)) known.delete(folder);
  const found = known.get(folder) ?? askForFolders(folder, environment);
  known.set(folder, found);
  // It may be there again the next time.
  found.catch(() => known.delete(folder));
  return found;
}

/** Git itself is asked: it refuses a folder of another user. */
async function askForFolders(folder: string, environment: Environment): Promise<GitFolders> {
  const found = existsSync(folder) ? await tryGit(folder, environment, ['rev-parse', ...words]) : null;
  const folders = found?.code === 0 ? readFolders(found.output) : null;
  if (folders !== null) return folders;
  throw new GatewrightError('not-a-repository', `There is no git repository in ${folder}.`, {
    hint: 'Put the folder back where it was and try again.',
  });
}
