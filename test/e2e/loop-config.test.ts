/** What `.issueloop.config.json` of the base branch changes about a loop, and what the person is told that it does not. */
import { afterEach, describe, expect, it } from 'vitest';
import { coded, loopFiles, plan, planned, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';

let shell: LoopShell;
afterEach(() => shell.remove());

const configure = (config: object): void => {
  shell = new LoopShell({ ...loopFiles, '.issueloop.config.json': JSON.stringify(config) });
};

describe('the configuration of a loop', () => {
  it('names the headings of its comments and the place of its task list', async () => {
    configure({
      prdLocation: 'plans/tasks.json',
      commentPrefixes: { plan: '## Our plan', taskLog: '## Protocol:', wisp: '## Our plan now' },
      labels: { testing: 'To be tested' },
      speed: 'fast',
    });
    shell.work(
      planned(1, plan([task('difference'), task('product')])),
      coded(1, [...write('difference'), { write: 'plans/tasks.json', content: '{}' }]),
      // The log of the first task is read back under its own heading.
      { ...coded(2, write('product')), request: { includes: ['## Protocol: US-001'] } },
    );
    const number = await shell.fileIssue();
    const begun = await shell.run('loop', 'plan', number, '--quick');
    expect(begun.all).toContain('speed: is not known and has no effect');
    expect(begun.all).toContain('labels: has no effect: the labels of the loop have fixed names');
    expect(begun.all).toContain('commentPrefixes.wisp: is no plain heading');
    await shell.run('loop', 'plan', number, '--approve');
    const done = await shell.run('loop', 'implement', 'loop');
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    expect(await shell.headings(number)).toEqual([
      '## Our plan',
      '## ✅ Plan Approved',
      '## Protocol: US-001 - Add difference',
      '## Protocol: US-002 - Add product',
      '## 🧪 Testing Checkpoint',
    ]);
    expect(shell.prdOf(number, 'plans/tasks.json').userStories.map(({ passes }) => passes)).toEqual([
      true,
      true,
    ]);
    expect(() => shell.fileOf(number, 'prd.json')).toThrow();
  });
});
