/** A loop on the local forge, from the issue to the merge: real git, real test runs, an agent that edits real files. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  coded,
  loopFiles,
  plan,
  planned,
  report,
  task,
  write,
  writeLoopCassette,
} from '../support/loop-cassette.ts';
import { Playground, type Result } from '../support/playground.ts';

let playground: Playground;
let env: Record<string, string> = {};

beforeEach(() => {
  playground = new Playground({ brief: null });
  playground.commit(loopFiles);
});
afterEach(() => playground.remove());

const body =
  'Add `difference` and `product` in src/, because people subtract by hand. Only these two; done when `node --test` passes.';

async function fileIssue(): Promise<number> {
  const filed = await playground.json<{ number: number }>([
    'forge',
    'issue',
    'create',
    '--title',
    'More operations',
    '--body',
    body,
  ]);
  return filed.number;
}

const gatewright = (...args: string[]): Promise<Result> => playground.run([...args, '--no-input'], { env });
const comments = async (number: number): Promise<string[]> => {
  const { comments: all } = await playground.json<{ comments: { body: string }[] }>([
    ...['forge', 'issue', 'view', String(number)],
  ]);
  return all.map((one) => one.body);
};

describe('a loop', () => {
  it('plans, proves each task, is tested, closed and merged', async () => {
    env = writeLoopCassette(playground, [
      planned(1, plan([task('difference'), task('product', { dependsOn: [1] })])),
      coded(1, write('difference', false)),
      coded(2, write('difference')),
      coded(3, write('product')),
    ]);
    const number = await fileIssue();
    const first = await gatewright('loop', 'plan', String(number), '--quick');
    expect([first.code, first.all]).toEqual([10, expect.stringContaining('the plan waits for its approval')]);
    expect((await gatewright('loop', 'implement', 'loop')).code).toBe(2);
    const approved = await gatewright('loop', 'plan', String(number), '--approve');
    expect([approved.code, approved.all]).toEqual([10, expect.stringContaining('loop implement loop')]);
    const done = await gatewright('loop', 'implement', 'loop', '--issue', String(number));
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    const branch = `ai/issue-${number}-more-operations`;
    const subjects = playground.git('log', '--format=%s', `main..${branch}`).split('\n').reverse();
    expect(subjects).toEqual([
      `chore: add prd.json (#${number})`,
      `chore: update prd.json - US-001 failed, attempt 1 (#${number})`,
      `feat(US-001): Add difference (#${number})`,
      `chore: update prd.json - US-001 passed (#${number})`,
      `feat(US-002): Add product (#${number})`,
      `chore: update prd.json - US-002 passed (#${number})`,
      `chore: update prd.json - testing (#${number})`,
    ]);
    expect((await gatewright('loop', 'testing', String(number), 'works')).code).toBe(10);
    const closed = await gatewright('loop', 'close', String(number));
    expect([closed.code, closed.all]).toEqual([10, expect.stringContaining('is not merged yet')]);
    const said = await comments(number);
    expect(said.map((one) => one.split('\n')[0])).toEqual([
      '## 📋 Implementation Plan',
      '## ✅ Plan Approved',
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-002 - Add product',
      '## 🧪 Testing Checkpoint',
      '## 📊 Final Report',
    ]);
    const [pull] = await playground.json<{ number: number }[]>(['forge', 'pr', 'list']);
    const merged = await playground.run(['forge', 'pr', 'merge', String(pull?.number), '--squash']);
    expect([merged.code, merged.all]).toEqual([0, expect.anything()]);
    const ended = await gatewright('loop', 'close', String(number));
    expect([ended.code, ended.all]).toEqual([0, expect.stringContaining('is merged')]);
    const { labels } = await playground.json<{ labels: string[] }>([
      'forge',
      'issue',
      'view',
      String(number),
    ]);
    expect(labels).toEqual(['AI: Complete']);
    expect(playground.git('show', 'main:src/product.js')).toContain('a * b');
    expect(() => playground.git('show', 'main:prd.json')).toThrow();
  });

  it('runs nothing that the approved plan does not hold', async () => {
    const canary = playground.path('..', 'canary');
    const poison = `touch ${canary}`;
    env = writeLoopCassette(playground, [
      planned(1, plan([task('difference')])),
      coded(
        1,
        [
          ...write('difference'),
          { write: 'prd.json', content: '{"userStories": [{"passes": true, "verifyCommands": ["true"]}]}' },
          {
            write: '.issueloop.config.json',
            content: JSON.stringify({ execution: { verify: { fastGlobalVerifyCommands: [poison] } } }),
          },
        ],
        report({
          discovered: [
            {
              title: 'More',
              description: 'More.',
              acceptanceCriteria: ['`true` passes'],
              verifyCommands: [poison],
            },
          ],
        }),
      ),
    ]);
    const number = await fileIssue();
    await gatewright('loop', 'plan', String(number), '--quick');
    await gatewright('loop', 'plan', String(number), '--approve');
    const done = await gatewright('loop', 'implement', 'loop');
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    const branch = `ai/issue-${number}-more-operations`;
    const prd = JSON.parse(playground.git('show', `${branch}:prd.json`)) as {
      userStories: { title: string }[];
    };
    expect(prd.userStories.map(({ title }) => title)).toEqual(['Add difference']);
    expect((await comments(number)).join('\n')).toContain('its commands are not approved');
    expect(playground.exists('../canary')).toBe(false);
  });
});
