/** A design under the crash harness: killed at every kind of point, it is approved once and nothing is there twice. */
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { approved, designText, revise } from '../support/cassettes.ts';
import {
  type CrashScenario,
  choosePoints,
  crashAgainAndAgain,
  crashAtEach,
  isExhaustive,
  listPoints,
  sampleOf,
} from '../support/crash-everywhere.ts';
import { designModels, fileIssue, repositoryName } from '../support/designs.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';

const path = 'docs/lld/active/LLD-1.md';
const superseded = 'docs/lld/superseded/LLD-1-1.md';
const done = 'docs/lineage/done/1-lld';
const earlier = '# LLD-1: by hand\n';

async function expectOneOfEverything(playground: Playground): Promise<void> {
  const { forge, ledger, views, close } = openRecords(playground);
  expect(await forge.listIssues(repositoryName, { state: 'all' })).toHaveLength(1);
  expect(await forge.listComments(repositoryName, 1)).toEqual([]);
  expect((await ledger.verify()).problems).toEqual([]);
  expect((await views.listRuns()).map((run) => run.status)).toEqual(['done']);
  const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
  expect(entries.filter((entry) => entry.kind === 'model-answered')).toHaveLength(4);
  close();
  expect(playground.list('docs/lineage/active')).toEqual([]);
  expect(playground.list('docs/lineage/done')).toEqual(['1-lld']);
  expect(playground.list(done)).toEqual([
    '001-brief.md',
    '002-draft.md',
    '003-verdict.md',
    '004-draft.md',
    '005-verdict.md',
    '006-approved.json',
  ]);
  const text = playground.read(path);
  expect(text).toContain('# LLD-1: Second');
  expect(text.match(/Appendix: Review Log/gu)).toHaveLength(1);
  expect(JSON.parse(playground.read(`${done}/006-approved.json`))).toMatchObject({
    lld_sha256: sha256(text),
    supersedes: superseded,
    verdict_count: 2,
  });
  expect(playground.list('docs/lld/superseded')).toEqual(['LLD-1-1.md']);
  expect(playground.read(superseded)).toBe(earlier);
  expect(playground.git('log', '--format=%s').split('\n')).toEqual([
    'docs(lld): approve the design of #1',
    'By hand',
    'Start',
  ]);
  expect(playground.git('status', '--porcelain')).toBe('');
  expect(playground.git('worktree', 'list').split('\n')).toHaveLength(1);
}

const scenario: CrashScenario = {
  prepare: async () => {
    const playground = new Playground({ brief: null });
    playground.write(path, earlier);
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', 'By hand');
    await fileIssue(playground);
    const drafts = [designText(1), designText(1, { title: 'Second' })];
    const models = designModels(playground, drafts, [revise, approved]);
    return {
      playground,
      begin: ['lld', '1', '--auto', ...models],
      resume: ['lld', '--resume', '1-lld', '--auto', ...models],
    };
  },
  expectOneOfEverything,
};

describe('a design, killed at any instant', () => {
  it('is approved once, whichever effect, entry or checkpoint it was killed at', {
    timeout: 600_000,
  }, async () => {
    const points = await listPoints(scenario);
    const chosen = choosePoints(points, 30);
    const kinds = new Set(points);
    expect(new Set(chosen.map((index) => points[index]))).toEqual(kinds);
    for (const name of ['createFile', 'move', 'commit', 'makeWorktree', 'removeWorktree']) {
      expect([...kinds]).toEqual(
        expect.arrayContaining([`before repository.${name}`, `after repository.${name}`]),
      );
    }
    // Once for the earlier design and once for the lineage.
    expect(points.filter((name) => name === 'after repository.move')).toHaveLength(2);
    await crashAtEach(scenario, points, sampleOf(chosen, 4));
  });

  it.each(isExhaustive ? [13, 37] : [37])(
    'gets there even if it is killed again and again, every %i points',
    async (every) => {
      expect(await crashAgainAndAgain(scenario, every)).toBeGreaterThan(1);
    },
  );
});
