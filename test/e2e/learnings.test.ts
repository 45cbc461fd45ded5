/** `learnings`: people see what agents have learned about a repository, correct it and have it forgotten. */
import { afterEach, expect, it } from 'vitest';
import { recordLearnings } from '../../src/workflows/pipeline/record-learnings.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';

let playground: Playground;
afterEach(() => playground.remove());

it('lists, corrects and removes what was learned', async () => {
  playground = new Playground();
  const run = async (...words: string[]) => playground.run(['learnings', ...words]);
  const list = async () => JSON.parse((await run('list', '--json')).stdout);
  expect((await run()).all).toContain('Nothing has been learned about local/project yet.');
  const { ledger, close } = openRecords(playground);
  const base = { agent: 'writer', type: 'pattern_discovered' };
  await recordLearnings(ledger, {
    ...{ repository: 'local/project', run: 'R1', session: 'S1', outcome: 'success' },
    observations: [
      { ...base, content: 'Tests run with \u001B[31mvitest' },
      { ...base, content: 'Slow', file: 'src/a.ts' },
    ],
  });
  close();
  const learnings = await list();
  const [first, second] = ['vitest', 'Slow'].map((word) =>
    learnings.find(({ content }: { content: string }) => content.includes(word)),
  );
  expect(first).toMatchObject({ agent: 'writer', seen: 1, file: null, editedBy: null });
  expect(first.confidence).toBeCloseTo(0.55);
  const shown = (await run()).all;
  expect(shown).not.toContain('\u001B[31mvitest');
  expect(shown).toMatch(new RegExp(`${second.id} +0\\.55 +seen 1× +src/a\\.ts +Slow`, 'u'));

  const edited = await run('edit', first.id, '--text', 'Tests run with `node --test`');
  expect([edited.code, edited.all]).toEqual([
    0,
    expect.stringContaining(`Changed: ${first.id} "Tests run with 'node --test'"`),
  ]);
  const removed = await run('remove', second.id, '--reason', 'fast by now', '--json');
  expect(JSON.parse(removed.stdout)).toEqual({ removed: second.id, left: 1 });
  expect((await list()).map(({ content }: { content: string }) => content)).toEqual([
    "Tests run with 'node --test'",
  ]);
  const again = await run('remove', second.id);
  expect([again.code, again.all]).toEqual([2, expect.stringContaining('There is no learning')]);
  expect((await run('edit', first.id)).code).toBe(2);
  const ledgerShown = await playground.run(['ledger', 'show', 'local/project~learnings']);
  expect(ledgerShown.all).toContain('fast by now');
  expect((await playground.run(['ledger', 'verify'])).code).toBe(0);
});
