/** Unfinished runs in a folder that was moved, and from a linked work tree: seen and continued, or told why not. */
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { Playground } from '../support/playground.ts';

const brief = 'ideas/active/export-csv.md';

interface Status {
  readonly waiting: readonly { readonly run: string; readonly gate: string }[];
  readonly gone: readonly { readonly run: string; readonly root: string }[];
}

let playground: Playground;
let models: string[];
let run: string;
let elsewhere: string;

beforeEach(async () => {
  playground = new Playground();
  elsewhere = join(playground.folder, 'elsewhere');
  const drafts = [draftText('First'), draftText('Second')];
  models = writeCassette(playground.folder, 'moved', { drafts, verdicts: [approved, approved] });
  expect((await playground.run(['issue', '--brief', brief, ...models])).code).toBe(10);
  run = (await statusIn(playground.repository)).waiting[0]?.run ?? '';
});
afterEach(() => playground.remove());

async function statusIn(cwd: string): Promise<Status> {
  return JSON.parse((await playground.run(['status', '--json'], { cwd })).stdout) as Status;
}

describe('a folder that was moved', () => {
  it('has its runs: each way to continue them works there', async () => {
    renameSync(playground.repository, elsewhere);
    // A folder at its old place that is another one changes nothing.
    mkdirSync(playground.repository);
    const { waiting, gone } = await statusIn(elsewhere);
    expect([waiting.map((one) => one.run), gone]).toEqual([[run], []]);
    const gates = await playground.run(['gates'], { cwd: elsewhere });
    expect(gates.stdout).toContain(`${elsewhere}/docs/lineage/active/export-csv/002-draft.md`);
    const taken = await playground.run(['issue', '--brief', brief, ...models], { cwd: elsewhere });
    expect(taken.stderr).toContain(`Continue with: gatewright issue --resume ${run}`);
    const resumed = await playground.run(['issue', '--resume', brief, ...models], { cwd: elsewhere });
    expect(resumed.code, resumed.all).toBe(10);
    // From here on it is known, wherever the person is.
    expect((await statusIn(playground.folder)).waiting.map((one) => one.run)).toEqual([run]);
    const filed = await playground.run(['gate', 'answer', waiting[0]?.gate ?? '', '--choice', 'send'], {
      cwd: playground.folder,
    });
    expect(filed.code, filed.all).toBe(0);
    expect((await playground.run(['forge', 'issue', 'list'], { cwd: elsewhere })).stdout).toContain('First');
    const verified = await playground.run(['ledger', 'verify', '--projections'], { cwd: elsewhere });
    expect(verified.code, verified.all).toBe(0);
  });

  it('is found by the gate and by the id as well, and cancelled by its name', async () => {
    renameSync(playground.repository, elsewhere);
    const answered = await playground.run(
      ['gate', 'answer', (await statusIn(elsewhere)).waiting[0]?.gate ?? '', '--choice', 'revise'],
      { cwd: elsewhere },
    );
    expect(answered.code, answered.all).toBe(10);
    const again = join(playground.folder, 'again');
    renameSync(elsewhere, again);
    expect((await playground.run(['issue', '--resume', run, ...models], { cwd: again })).code).toBe(10);
    expect((await playground.run(['explain', brief], { cwd: again })).stdout).toContain('has to be answered');
    const cancelled = await playground.run(['runs', 'cancel', 'export-csv'], { cwd: again });
    expect(cancelled.code, cancelled.all).toBe(0);
    const begun = await playground.run(['issue', '--brief', brief, ...models], { cwd: again });
    expect(begun.stderr).toContain(`The files of the cancelled run ${run} are now in`);
  });

  it('that no command has seen yet, and one that is gone for good, are told with the folder', async () => {
    renameSync(playground.repository, elsewhere);
    const text = (await playground.run(['status'], { cwd: playground.folder })).stdout;
    expect(text).toContain(`The folder of ${run} is not where it was (${playground.repository})`);
    expect(text).toContain('Go to the folder where it is now');
    const refused = await playground.run(['issue', '--resume', run], { cwd: playground.folder });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(playground.repository);
    rmSync(join(elsewhere, 'docs'), { recursive: true });
    expect((await statusIn(elsewhere)).gone.map((one) => one.run)).toEqual([run]);
    const lost = await playground.run(['issue', '--resume', run, ...models], { cwd: elsewhere });
    expect(lost.stderr).toContain('docs/lineage/active/export-csv');
    expect(lost.stderr).toContain(`gatewright runs cancel ${run}`);
  });

  it('is not taken for a copy of a folder that is still there', async () => {
    cpSync(playground.repository, elsewhere, { recursive: true });
    const refused = await playground.run(['issue', '--resume', 'export-csv', ...models], { cwd: elsewhere });
    expect(refused.stderr).toContain('(run-not-found)');
    expect((await playground.run(['issue', '--resume', 'export-csv', ...models])).code).toBe(10);
  });
});

describe('a linked work tree', () => {
  beforeEach(() => {
    playground.git('worktree', 'add', '--quiet', '--detach', elsewhere);
  });

  it('sees the runs of its repository and continues them where they are', async () => {
    const taken = await playground.run(['issue', '--brief', brief, ...models], { cwd: elsewhere });
    expect(taken.stderr).toContain('(slug-taken)');
    expect(taken.stderr).toContain(playground.repository);
    const cleaned = await playground.run(['issue', '--brief', brief, '--on-collision', 'clean', ...models], {
      cwd: elsewhere,
    });
    expect(cleaned.stderr).toContain('(slug-taken)');
    for (const typed of ['export-csv', brief]) {
      const resumed = await playground.run(['issue', '--resume', typed, ...models], { cwd: elsewhere });
      expect(resumed.code, resumed.all).toBe(10);
      expect(resumed.stderr).toContain(`This run works in ${playground.repository}`);
    }
    const [gate] = (await statusIn(elsewhere)).waiting;
    const filed = await playground.run(['gate', 'answer', gate?.gate ?? '', '--choice', 'send'], {
      cwd: elsewhere,
    });
    expect(filed.code, filed.all).toBe(0);
    expect(playground.list('docs/lineage/done')).toEqual(['1-export-csv']);
  });

  it('that was removed took the files of its runs along: said with its folder', async () => {
    const other = ['issue', '--brief', brief, '--slug', 'other', ...models];
    expect((await playground.run(other, { cwd: elsewhere })).code).toBe(10);
    const begun = (await statusIn(elsewhere)).waiting.find((one) => one.run !== run)?.run ?? '';
    playground.git('worktree', 'remove', '--force', elsewhere);
    const { gone } = await statusIn(playground.repository);
    expect(gone).toMatchObject([{ run: begun, root: elsewhere }]);
    const refused = await playground.run(['issue', '--resume', 'other', ...models]);
    expect(refused.stderr).toContain(elsewhere);
    expect(refused.stderr).toContain(`gatewright runs cancel ${begun}`);
    expect((await playground.run(['runs', 'cancel', begun])).code).toBe(0);
  });
});
