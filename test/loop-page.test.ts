/** The worked example of docs/loop.md, with recorded models. */
import { afterEach, expect, it } from 'vitest';
import { followPage } from './support/follow-page.ts';
import { coded, plan, planned, task, write } from './support/loop-cassette.ts';
import { LoopShell } from './support/loop-shell.ts';

let shell: LoopShell;
afterEach(() => shell.remove());

it('the example of the page leads from the issue to the merge', async () => {
  shell = new LoopShell();
  shell.work(
    planned(1, plan([task('difference'), task('product', { dependsOn: [1] })])),
    coded(1, write('difference')),
    // The hint that the reader gives reaches the next agent.
    { ...coded(2, write('product')), request: { includes: ['The tests are fast: run them all.'] } },
  );
  const { playground, env } = shell;
  const followed = followPage('loop.md', playground, env);
  const codes = Object.fromEntries(followed.map(({ line, code }) => [line, code]));
  expect(codes['gatewright loop implement loop']).toBe(10);
  expect(codes['gatewright loop close 1 --preview']).toBe(0);
  // The second time it is merged, and nothing waits any more.
  expect(codes['gatewright loop close 1']).toBe(0);
  expect(followed.at(-1)?.stdout).toContain('is merged with #2');
  expect((await shell.view('1')).labels).toContain('AI: Complete');
  expect(playground.git('show', 'main:src/product.js')).toContain('a * b');
});
