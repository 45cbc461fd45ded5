/** What `.issueloop.config.json` of the base branch changes about a loop, and what the person is told that it does not. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coded, loopFiles, plan, planned, task, write, writeLoopCassette } from '../support/loop-cassette.ts';
import { Playground, type Result } from '../support/playground.ts';

let playground: Playground;
let env: Record<string, string> = {};

beforeEach(() => {
  playground = new Playground({ brief: null });
});
afterEach(() => playground.remove());

const gatewright = (...args: string[]): Promise<Result> => playground.run([...args, '--no-input'], { env });

async function fileIssue(): Promise<string> {
  const body = 'Add `difference` in src/, because people subtract by hand. Done when `node --test` passes.';
  const filed = await playground.json<{ number: number }>([
    ...['forge', 'issue', 'create', '--title', 'More operations', '--body', body],
  ]);
  return String(filed.number);
}

const configure = (config: object): void => {
  playground.commit({ ...loopFiles, '.issueloop.config.json': JSON.stringify(config) });
};

async function headings(number: string): Promise<(string | undefined)[]> {
  const { comments } = await playground.json<{ comments: { body: string }[] }>([
    ...['forge', 'issue', 'view', number],
  ]);
  return comments.map(({ body }) => body.split('\n')[0]);
}

describe('the configuration of a loop', () => {
  it('names the headings of its comments and the place of its task list', async () => {
    configure({
      prdLocation: 'plans/tasks.json',
      commentPrefixes: { plan: '## Our plan', taskLog: '## Protocol:', wisp: '## Our plan now' },
      labels: { testing: 'To be tested' },
      speed: 'fast',
    });
    env = writeLoopCassette(playground, [
      planned(1, plan([task('difference'), task('product')])),
      coded(1, [...write('difference'), { write: 'plans/tasks.json', content: '{}' }]),
      // The log of the first task is read back under its own heading.
      { ...coded(2, write('product')), request: { includes: ['## Protocol: US-001'] } },
    ]);
    const number = await fileIssue();
    const begun = await gatewright('loop', 'plan', number, '--quick');
    expect(begun.all).toContain('speed: is not known and has no effect');
    expect(begun.all).toContain('labels: has no effect: the labels of the loop have fixed names');
    expect(begun.all).toContain('commentPrefixes.wisp: is no plain heading');
    await gatewright('loop', 'plan', number, '--approve');
    const done = await gatewright('loop', 'implement', 'loop');
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    expect(await headings(number)).toEqual([
      '## Our plan',
      '## ✅ Plan Approved',
      '## Protocol: US-001 - Add difference',
      '## Protocol: US-002 - Add product',
      '## 🧪 Testing Checkpoint',
    ]);
    const branch = `ai/issue-${number}-more-operations`;
    const { userStories } = JSON.parse(playground.git('show', `${branch}:plans/tasks.json`)) as {
      userStories: { passes: boolean }[];
    };
    expect(userStories.map(({ passes }) => passes)).toEqual([true, true]);
    expect(() => playground.git('show', `${branch}:prd.json`)).toThrow();
  });
});
