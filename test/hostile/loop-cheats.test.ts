/**
 * Agents that cheat, against the loop itself: its nodes, its sandbox, its commits. No attempt counts as passed where the
 * checks are enforced; where they only warn, none does without a remark that says where.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plan } from '../support/loop-cassette.ts';
import { NodeBench, type Outcome } from '../support/node-bench.ts';
import { runnerCheats } from './loop-cheat-runners.ts';
import { cheatFiles, cheatTasks, right, type Step } from './loop-cheat-steps.ts';
import { testCheats } from './loop-cheat-tests.ts';

const cheats = [...testCheats, ...runnerCheats].map(([name, id, ...steps]) => ({ name, id, steps }));

const proposal = plan(cheatTasks, { globalVerifyCommands: ['node --test test/sum.test.js'] });

function inMode(gateMode: 'warn' | 'enforce') {
  let bench: NodeBench;
  const config = { execution: { gateMode } };
  beforeAll(async () => {
    bench = await NodeBench.open(proposal, {
      ...cheatFiles,
      '.issueloop.config.json': JSON.stringify(config),
    });
  }, 120_000);
  afterAll(() => bench.close());
  return (id: string, steps: readonly Step[]): Promise<Outcome> =>
    bench.try(id, (folder) => Object.assign({}, ...steps.map((step) => step(folder))));
}

function expectFailed({ isPassed, reasons, stories, subjects, log }: Outcome): void {
  expect({ isPassed, reasons }).toEqual({
    isPassed: false,
    reasons: expect.arrayContaining([expect.any(String)]),
  });
  expect(stories.filter(({ passes }) => passes)).toEqual([]);
  expect(subjects.filter((subject) => !subject.startsWith('chore: '))).toEqual([]);
  expect(log).toContain('"status":"fail"');
}

describe('where checks are enforced', () => {
  const attempt = inMode('enforce');

  it('there are enough ways', () => {
    expect(cheats.length).toBeGreaterThanOrEqual(60);
    expect(new Set(cheats.map(({ name, id }) => `${id} ${name}`)).size).toBe(cheats.length);
  });

  it.each(['US-001', 'US-002', 'US-003', 'US-005'])('%s passes when it is done', async (id) => {
    const { isPassed, reasons } = await attempt(id, [right]);
    expect({ isPassed, reasons }).toEqual({ isPassed: true, reasons: [] });
  });

  it.each(cheats)('an agent that $name ($id) does not pass', async ({ id, steps }) => {
    expectFailed(await attempt(id, steps));
  });
});

describe('where checks warn', () => {
  const attempt = inMode('warn');

  it.each(cheats)('an agent that $name ($id) does not pass unnoticed', async ({ id, steps }) => {
    const outcome = await attempt(id, steps);
    if (!outcome.isPassed) return expectFailed(outcome);
    expect(outcome.log).toMatch(/### Notes[\s\S]*(?:[\w/.-]+:\d+ \w|without the change|contradict)/iu);
  });
});
