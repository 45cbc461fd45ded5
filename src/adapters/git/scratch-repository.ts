/** Makes a small real git repository to play in: its own identity, one commit with the given files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from './git-environment.ts';
import { runGit } from './run-git.ts';

interface ScratchRepository {
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  /** Who commits there: a new machine has no identity yet, and your history stays yours. */
  readonly identity: { readonly name: string; readonly email: string };
  readonly message: string;
}

export async function makeScratchRepository(
  { folder, files, identity, message }: ScratchRepository,
  environment: Environment,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]): Promise<string> => runGit(folder, environment, args);
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', identity.name);
  await git('config', 'user.email', identity.email);
  await git('config', 'commit.gpgSign', 'false');
  await git('add', '--all', '--force');
  await git('commit', '--quiet', '--message', message);
}
