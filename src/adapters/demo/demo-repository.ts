/** Makes the folder that the demo plays in: a small real git repository with one idea. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../git/git-environment.ts';
import { runGit } from '../git/run-git.ts';

export interface DemoFolder {
  readonly folder: string;
  readonly repository: string;
  readonly database: string;
  readonly brief: string;
  readonly cassette: string;
}

const readme = `# Reports

A small service that shows sales reports. It exists so that the Gatewright demo has something to work on.
`;

export async function makeDemoRepository(packageRoot: string, environment: Environment): Promise<DemoFolder> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatewright-demo-')));
  const repository = join(folder, 'reports');
  const brief = 'ideas/active/export-reports-as-csv.md';
  mkdirSync(join(repository, 'ideas', 'active'), { recursive: true });
  writeFileSync(join(repository, 'README.md'), readme);
  cpSync(join(packageRoot, 'demo', 'export-reports-as-csv.md'), join(repository, brief));
  const git = (...args: string[]): Promise<string> => runGit(repository, environment, args);
  await git('init', '--quiet', '--initial-branch=main');
  // The demo has an identity of its own: a new machine has none yet, and your history stays yours.
  await git('config', 'user.name', 'Gatewright Demo');
  await git('config', 'user.email', 'demo@gatewright.invalid');
  await git('config', 'commit.gpgSign', 'false');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Start the reports service');
  return {
    folder,
    repository,
    brief,
    database: join(folder, 'gatewright.db'),
    cassette: join(packageRoot, 'demo', 'export-reports-as-csv.cassette.json'),
  };
}
