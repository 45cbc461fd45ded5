/** Makes the folder that the demo plays in: a small real git repository with one idea. */
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../git/git-environment.ts';
import { makeScratchRepository } from '../git/scratch-repository.ts';

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
  const idea = readFileSync(join(packageRoot, 'demo', 'export-reports-as-csv.md'), 'utf8');
  await makeScratchRepository(
    {
      folder: repository,
      files: { 'README.md': readme, [brief]: idea },
      identity: { name: 'Gatewright Demo', email: 'demo@gatewright.invalid' },
      message: 'Start the reports service',
    },
    environment,
  );
  return {
    folder,
    repository,
    brief,
    database: join(folder, 'gatewright.db'),
    cassette: join(packageRoot, 'demo', 'export-reports-as-csv.cassette.json'),
  };
}
