/**
 * A run whose brief a person changed midway: killed at any point after the change it loses nothing and does nothing twice,
 * and recorded it can be replayed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type CrashScenario, crashAtEach, isExhaustive, listPoints } from '../support/crash-everywhere.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';

const messy = `# Parse the decimal comma

People type \`1,5h\`.

- \`ms('1,5h')\` gives 5400000
- not sure about \`1,500ms\`
- not now: the format side

Labels: bug
`;
const settled = messy.replace('not sure about `1,500ms`', '`1,500ms` is refused');
const done = 'docs/lineage/done/1-notes';

/** A run that waits because of an open question, and whose brief has been answered since. */
async function openChanged(...more: readonly string[]): Promise<Playground> {
  const playground = new Playground();
  playground.write('notes.md', messy);
  const stopped = await playground.run(['issue', '--brief', 'notes.md', '--auto', ...more]);
  expect(stopped.code, stopped.all).toBe(10);
  playground.write('notes.md', settled);
  return playground;
}

async function expectOneOfEverything(playground: Playground): Promise<void> {
  const { forge, ledger, views, close } = openRecords(playground);
  const issues = await forge.listIssues('local/project', { state: 'all' });
  expect(issues.map(({ number, title }) => [number, title])).toEqual([[1, 'Parse the decimal comma']]);
  expect((await ledger.verify()).problems).toEqual([]);
  const [run, ...others] = await views.listRuns();
  expect([run?.status, others]).toEqual(['done', []]);
  const changes = (await ledger.readRun(run?.id ?? '')).filter(({ kind }) => kind === 'brief-changed');
  expect(changes).toHaveLength(1);
  close();
  expect(playground.list(done)).toEqual([
    ...['001-brief.md', '002-draft.md', '003-brief.md', '004-draft.md', '005-verdict.md', '006-filed.json'],
  ]);
  expect(playground.read(`${done}/001-brief.md`)).toBe(messy);
  expect(playground.read(`${done}/003-brief.md`)).toBe(settled);
  expect(playground.read(`${done}/004-draft.md`)).toContain('- [ ] `1,500ms` is refused');
  expect(playground.git('worktree', 'list').split('\n')).toHaveLength(1);
}

const scenario: CrashScenario = {
  prepare: async () => {
    const resume = ['issue', '--resume', 'notes.md', '--auto'];
    return { playground: await openChanged(), begin: resume, resume };
  },
  expectOneOfEverything,
};

describe('a run whose brief was changed, killed', () => {
  it('goes on from the new brief, also between the entry about it and its checkpoint', {
    timeout: 900_000,
  }, async () => {
    const points = await listPoints(scenario);
    const before = points.indexOf('after checkpoints.put');
    expect(before).toBeGreaterThan(0);
    // Every point up to the checkpoint that holds the new brief, and some after it.
    const chosen = [...points.keys()].filter(
      (index) => index <= before + 2 || index % 7 === 0 || isExhaustive,
    );
    await crashAtEach(scenario, points, chosen);
  });
});

describe('a recorded run whose brief was changed', () => {
  let playground: Playground | null = null;
  afterEach(() => playground?.remove());

  it('is replayed with both briefs, and gives the same files', { timeout: 300_000 }, async () => {
    playground = await openChanged();
    const file = join(playground.folder, 'run.cassette.json');
    const made = await playground.run(['issue', '--resume', 'notes.md', '--auto', '--record', file]);
    expect(made.code, made.all).toBe(0);
    await expectOneOfEverything(playground);
    expect(existsSync(file), made.all).toBe(true);
    const into = join(playground.folder, 'into');
    const home = join(playground.folder, 'elsewhere');
    mkdirSync(home);
    const env = { HOME: home, GATEWRIGHT_DATABASE_URL: join(home, 'other.db') };
    const replayed = await playground.run(['replay', file, '--into', into, '--json'], { env });
    expect(replayed.code, replayed.all).toBe(0);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ isSame: true, stopped: null });
    const folder = join(into, 'repository', done);
    for (const name of readdirSync(folder))
      expect([name, readFileSync(join(folder, name), 'utf8')]).toEqual([
        name,
        playground.read(`${done}/${name}`),
      ]);
  });
});
