/** Makes the folder that the demo plays in: a small real git repository with tests and one idea. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { Environment } from '../git/git-environment.ts';
import { makeScratchRepository } from '../git/scratch-repository.ts';

export interface DemoFolder {
  readonly folder: string;
  readonly repository: string;
  readonly database: string;
  readonly brief: string;
  /** What drafter and reviewer of the issue answer. */
  readonly cassette: string;
  /** What the agents do with it. */
  readonly fleetCassette: string;
  /** The idea as an issue, for the part of the agents alone. */
  readonly idea: DemoIssue;
  /** The issue that a loop works off, and what planner, coding agent and reviewer do. */
  readonly loopIssue: DemoIssue;
  readonly loopCassette: string;
}

interface DemoIssue {
  readonly title: string;
  readonly body: string;
}

/** The first line is the title, the rest the body. */
function readIssue(file: string): DemoIssue {
  const [title = '', ...rest] = readFileSync(file, 'utf8').split('\n');
  return { title: title.replace(/^# /u, ''), body: rest.join('\n').trim() };
}

/** Every file below a folder, by its path there. */
function readFolder(root: string): Record<string, string> {
  const files = readdirSync(root, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const full = join(entry.parentPath, entry.name);
      return [relative(root, full).split(sep).join('/'), readFileSync(full, 'utf8')];
    }),
  );
}

export async function makeDemoRepository(packageRoot: string, environment: Environment): Promise<DemoFolder> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatewright-demo-')));
  const repository = join(folder, 'reports');
  const brief = 'ideas/active/export-reports-as-csv.md';
  const demo = join(packageRoot, 'demo');
  const idea = readFileSync(join(demo, 'export-reports-as-csv.md'), 'utf8');
  await makeScratchRepository(
    {
      folder: repository,
      files: { ...readFolder(join(demo, 'reports')), [brief]: idea },
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
    cassette: join(demo, 'export-reports-as-csv.cassette.json'),
    fleetCassette: join(demo, 'export-reports-as-csv.fleet.json'),
    idea: readIssue(join(demo, 'export-reports-as-csv.md')),
    loopIssue: readIssue(join(demo, 'total-and-average.md')),
    loopCassette: join(demo, 'total-and-average.loop.json'),
  };
}
