/**
 * Kills the program (SIGKILL) at every point of a whole run, resumes it, and looks at what is left: nothing may be lost
 * and nothing may be there twice. `crashEverywhere` takes any command, so that later workflows run under it too.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approved, draftText, revise, writeCassette } from '../support/cassettes.ts';
import { openRecords } from '../support/open-records.ts';
import { crashChildFile, Playground, type Result, runProcess } from '../support/playground.ts';

const brief = 'ideas/active/export-csv.md';

function prepare(): { playground: Playground; models: string[] } {
  const playground = new Playground();
  const models = writeCassette(playground.folder, 'crash', {
    drafts: [
      draftText('First try'),
      draftText('Reports can be downloaded', { labels: '`reports`, `enhancement`' }),
    ],
    verdicts: [revise, approved],
  });
  return { playground, models };
}

/** Goes on as a person would: resume, or begin if it never got as far as existing. */
async function goOn(
  playground: Playground,
  models: readonly string[],
  env: Record<string, string> = {},
): Promise<Result> {
  const resumed = await playground.run(['issue', '--resume', brief, '--auto', ...models], {
    env,
    file: crashChildFile,
  });
  if (resumed.signal !== null || !resumed.stderr.includes('(run-not-found)')) return resumed;
  return playground.run(['issue', '--brief', brief, '--auto', ...models], { env, file: crashChildFile });
}

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
  expect(views.listRuns().map((run) => run.status)).toEqual(['done']);
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

async function listPoints(): Promise<string[]> {
  const { playground, models } = prepare();
  const folder = mkdtempSync(join(tmpdir(), 'gw-points-'));
  const log = join(folder, 'points');
  const result = await goOn(playground, models, { CRASH_LOG: log });
  expect(result.code, result.all).toBe(0);
  await expectOneOfEverything(playground);
  const points = readFileSync(log, 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  playground.remove();
  return points;
}

async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

describe('killed at any instant', () => {
  it('loses nothing and does nothing twice, at every effect, entry and checkpoint', {
    timeout: 300_000,
  }, async () => {
    const points = await listPoints();
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
    await inParallel([...points.keys()], 3, async (index) => {
      const { playground, models } = prepare();
      const killed = await goOn(playground, models, { CRASH_AT: String(index + 1) });
      expect(killed.signal, `point ${index + 1}: ${points[index]}\n${killed.all}`).toBe('SIGKILL');
      const resumed = await goOn(playground, models);
      const isDone = resumed.code === 0 || resumed.stderr.includes('(run-finished)');
      expect(isDone, `after ${points[index]} (${index + 1})\n${resumed.all}`).toBe(true);
      try {
        await expectOneOfEverything(playground);
      } catch (error) {
        throw new Error(`after being killed at point ${index + 1}, ${points[index]}`, { cause: error });
      }
      playground.remove();
    });
  });

  it.each([15, 26, 41])('gets there even if it is killed again and again, every %i points', async (every) => {
    const { playground, models } = prepare();
    let result = await goOn(playground, models, { CRASH_AT: String(every) });
    let lives = 1;
    while (result.signal === 'SIGKILL' && lives < 60) {
      result = await goOn(playground, models, { CRASH_AT: String(every) });
      lives += 1;
    }
    expect(result.code === 0 || result.stderr.includes('(run-finished)'), result.all).toBe(true);
    expect(lives).toBeGreaterThan(1);
    await expectOneOfEverything(playground);
    playground.remove();
  });

  it('survives being killed at arbitrary moments', async () => {
    await inParallel([...Array(24).keys()], 2, async (index) => {
      const { playground, models } = prepare();
      const args = [crashChildFile, 'issue', '--brief', brief, '--auto', ...models];
      await runProcess(args, {
        cwd: playground.repository,
        env: playground.environment,
        onStart: (kill) => setTimeout(kill, 60 + index * 14),
      });
      const resumed = await goOn(playground, models);
      expect(
        resumed.code === 0 || resumed.stderr.includes('(run-finished)'),
        `${index}\n${resumed.all}`,
      ).toBe(true);
      await expectOneOfEverything(playground);
      playground.remove();
    });
  });
});
