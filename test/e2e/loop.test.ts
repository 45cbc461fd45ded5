/** A loop on the local forge, from the issue to the merge: real git, real test runs, an agent that edits real files. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coded, plan, planned, report, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';

let shell: LoopShell;
beforeEach(() => {
  shell = new LoopShell();
});
afterEach(() => shell.remove());

describe('a loop', () => {
  it('plans, proves each task, is tested, closed and merged', async () => {
    shell.work(
      planned(1, plan([task('difference'), task('product', { dependsOn: [1] })])),
      coded(1, write('difference', false)),
      coded(2, write('difference')),
      coded(3, write('product')),
    );
    const number = await shell.fileIssue();
    const first = await shell.run('loop', 'plan', number, '--quick');
    expect([first.code, first.all]).toEqual([10, expect.stringContaining('the plan waits for its approval')]);
    expect((await shell.run('loop', 'implement', 'loop')).code).toBe(2);
    const approved = await shell.run('loop', 'plan', number, '--approve');
    expect([approved.code, approved.all]).toEqual([10, expect.stringContaining('loop implement loop')]);
    const done = await shell.run('loop', 'implement', 'loop', '--issue', number);
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    const range = `main..${shell.branchOf(number)}`;
    const subjects = shell.playground.git('log', '--format=%s', range).split('\n').reverse();
    expect(subjects).toEqual([
      `chore: add prd.json (#${number})`,
      `chore: update prd.json - US-001 failed, attempt 1 (#${number})`,
      `feat(US-001): Add difference (#${number})`,
      `chore: update prd.json - US-001 passed (#${number})`,
      `feat(US-002): Add product (#${number})`,
      `chore: update prd.json - US-002 passed (#${number})`,
      `chore: update prd.json - testing (#${number})`,
    ]);
    expect((await shell.run('loop', 'testing', number, 'works')).code).toBe(10);
    const closed = await shell.run('loop', 'close', number);
    expect([closed.code, closed.all]).toEqual([10, expect.stringContaining('is not merged yet')]);
    expect(await shell.headings(number)).toEqual([
      '## 📋 Implementation Plan',
      '## ✅ Plan Approved',
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-002 - Add product',
      '## 🧪 Testing Checkpoint',
      '## 📊 Final Report',
    ]);
    const [pull] = await shell.playground.json<{ number: number }[]>(['forge', 'pr', 'list']);
    const merged = await shell.playground.run(['forge', 'pr', 'merge', String(pull?.number), '--squash']);
    expect([merged.code, merged.all]).toEqual([0, expect.anything()]);
    const ended = await shell.run('loop', 'close', number);
    expect([ended.code, ended.all]).toEqual([0, expect.stringContaining('is merged')]);
    expect((await shell.view(number)).labels).toEqual(['AI: Complete']);
    expect(shell.playground.git('show', 'main:src/product.js')).toContain('a * b');
    expect(() => shell.playground.git('show', 'main:prd.json')).toThrow();
  });

  it('runs nothing that the approved plan does not hold', async () => {
    const canary = shell.playground.path('..', 'canary');
    const poison = `touch ${canary}`;
    shell.work(
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
    );
    const number = await shell.fileIssue();
    await shell.run('loop', 'plan', number, '--quick');
    await shell.run('loop', 'plan', number, '--approve');
    const done = await shell.run('loop', 'implement', 'loop');
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    expect(shell.prdOf(number).userStories.map(({ title }) => title)).toEqual(['Add difference']);
    expect((await shell.comments(number)).join('\n')).toContain('its commands are not approved');
    expect(shell.playground.exists('../canary')).toBe(false);
  });
});
