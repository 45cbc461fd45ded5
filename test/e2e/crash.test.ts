/**
 * Kills the program (SIGKILL) at every point of a whole run, resumes it, and looks at what is left: nothing may be lost
 * and nothing may be there twice.
 */
import { describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import {
  type CrashScenario,
  choosePoints,
  crashAfter,
  crashAgainAndAgain,
  crashAtEach,
  inParallel,
  isExhaustive,
  listPoints,
  sampleOf,
} from '../support/crash-everywhere.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { isLong } from '../support/property-runs.ts';

const brief = 'ideas/active/export-csv.md';

/** Everything that there must be exactly once. */
async function expectOneOfEverything(playground: Playground): Promise<void> {
  const { forge, ledger, views, close } = openRecords(playground);
  const repository = 'local/project';
  const issues = await forge.listIssues(repository, { state: 'all' });
  expect(issues.map(({ number, title, labels }) => ({ number, title, labels }))).toEqual([
    { number: 1, title: 'Reports can be downloaded', labels: ['reports', 'enhancement'] },
  ]);
  expect((await forge.listLabels(repository)).map((label) => label.name)).toEqual(['enhancement', 'reports']);
  expect(await forge.listComments(repository, 1)).toEqual([]);
  expect((await ledger.verify()).problems).toEqual([]);
  expect((await views.listRuns()).map((run) => run.status)).toEqual(['done']);
  close();
  expect(playground.list('docs/lineage/active')).toEqual([]);
  expect(playground.list('docs/lineage/done')).toEqual(['1-export-csv']);
  expect(playground.list('docs/lineage/done/1-export-csv')).toEqual([
    '001-brief.md',
    '002-draft.md',
    '003-verdict.md',
    '004-draft.md',
    '005-verdict.md',
    '006-filed.json',
  ]);
  expect(playground.list('ideas/active')).toEqual([]);
  expect(playground.list('ideas/done')).toEqual(['1-export-csv.md']);
  expect(playground.read('docs/lineage/done/1-export-csv/004-draft.md')).toContain(
    '# Reports can be downloaded',
  );
  expect(playground.git('log', '--format=%s').split('\n')).toEqual([
    'docs(lineage): keep the audit trail of #1',
    'Start',
  ]);
  expect(playground.git('status', '--porcelain')).toBe('');
  expect(playground.git('worktree', 'list').split('\n')).toHaveLength(1);
}

const scenario: CrashScenario = {
  prepare: async () => {
    const playground = new Playground();
    const models = writeCassette(playground.folder, 'crash', {
      drafts: [
        draftText('First try'),
        draftText('Reports can be downloaded', { labels: '`reports`, `enhancement`' }),
      ],
      verdicts: [revise, approved],
    });
    return {
      playground,
      begin: ['issue', '--brief', brief, '--auto', ...models],
      resume: ['issue', '--resume', brief, '--auto', ...models],
    };
  },
  expectOneOfEverything,
};

describe('killed at any instant', () => {
  it('loses nothing and does nothing twice, at every effect, entry and checkpoint', {
    timeout: 600_000,
  }, async () => {
    const points = await listPoints(scenario);
    // The list itself is checked: a harness that stops looking would pass everything.
    for (const name of [
      'before forge.createIssue',
      'after forge.createIssue',
      'after repository.commit',
      'after checkpoints.put',
      'after ledger.append',
    ]) {
      expect(points).toContain(name);
    }
    expect(points.length).toBeGreaterThan(100);
    const chosen = choosePoints(points, 24);
    expect(new Set(chosen.map((index) => points[index]))).toEqual(new Set(points));
    await crashAtEach(scenario, points, sampleOf(chosen, isLong ? 3 : 27));
  });

  it.each(isExhaustive ? [15, 26, 41] : [41])(
    'gets there even if it is killed again and again, every %i points',
    async (every) => {
      expect(await crashAgainAndAgain(scenario, every)).toBeGreaterThan(1);
    },
  );

  it('survives being killed at arbitrary moments', { timeout: 600_000 }, async () => {
    const moments = isExhaustive ? 24 : isLong ? 6 : 1;
    await inParallel([...Array(moments).keys()], 2, (index) =>
      crashAfter(scenario, 60 + index * (336 / moments)),
    );
  });
});
