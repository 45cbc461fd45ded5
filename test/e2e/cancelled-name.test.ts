/** A cancelled run is in the way of no new run, and its files are kept. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { Playground } from '../support/playground.ts';

const brief = 'ideas/active/export-csv.md';
const start = ['issue', '--brief', brief];

let playground: Playground;
let models: string[];

beforeEach(() => {
  playground = new Playground();
  models = writeCassette(playground.folder, 'resume', {
    drafts: [draftText('A'), draftText('B')],
    verdicts: [approved, approved],
  });
});

afterEach(() => playground.remove());

async function countIssues(): Promise<number> {
  return (await playground.json<unknown[]>(['forge', 'issue', 'list', '--state', 'all'])).length;
}

async function runId(): Promise<string> {
  return (await playground.json<{ id: string }[]>(['runs']))[0]?.id ?? '';
}

describe('giving a run up', () => {
  it.each([[[]], [['--on-collision', 'clean']]])(
    'with "runs cancel" frees its name and keeps its files (%j)',
    async (collision) => {
      await playground.run([...start, ...models]);
      const run = await runId();
      playground.write('docs/lineage/active/export-csv/002-draft.md', draftText('Mine'));
      expect((await playground.run(['runs', 'cancel', run])).code).toBe(0);
      const again = await playground.run([...start, '--auto', ...collision, ...models]);
      expect(again.code, again.all).toBe(0);
      const kept = `docs/lineage/cancelled/export-csv-${run}`;
      expect(again.stderr).toContain(`The files of the cancelled run ${run} are now in ${kept}/`);
      expect(playground.read(`${kept}/002-draft.md`)).toBe(draftText('Mine'));
      expect(await countIssues()).toBe(1);
      expect((await playground.run(['ledger', 'verify', '--projections'])).code).toBe(0);
      expect((await playground.run(['runs'])).stdout).toContain(run);
      // What a person puts there afterwards is not of that run.
      playground.write('docs/lineage/active/export-csv/precious.txt', 'mine');
      playground.write(brief, '# Export\n\nAs CSV, with a header line and a row for each report.\n');
      const refused = await playground.run([...start, '--auto', '--on-collision', 'clean', ...models]);
      expect(refused.stderr).toContain('(slug-taken)');
      expect(playground.read('docs/lineage/active/export-csv/precious.txt')).toBe('mine');
    },
  );

  it('with "runs cancel" twice frees the name each time', async () => {
    for (const times of [1, 2]) {
      const started = await playground.run([...start, ...models]);
      expect(started.code, started.all).toBe(10);
      expect((await playground.run(['runs', 'cancel', await runId()])).code).toBe(0);
      expect(
        playground.exists('docs/lineage/cancelled') ? playground.list('docs/lineage/cancelled') : [],
      ).toHaveLength(times - 1);
    }
    rmSync(playground.path('docs/lineage/active/export-csv'), { recursive: true });
    expect((await playground.run([...start, '--auto', ...models])).code).toBe(0);
  });
});
