/** The worked example of docs/loop.md, followed line by line as a reader types it, with recorded models. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { parseMarkdown } from '../src/domain/text/markdown.ts';
import { coded, plan, planned, task, write } from './support/loop-cassette.ts';
import { LoopShell } from './support/loop-shell.ts';
import { programFile } from './support/playground.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/loop.md'), 'utf8');
const lines = parseMarkdown(page).children.flatMap((node) =>
  node.type === 'code' && node.lang === 'sh' ? node.value.split('\n') : [],
);

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
  const bin = join(playground.folder, 'bin');
  mkdirSync(bin);
  symlinkSync(programFile, join(bin, 'gatewright'));
  const PATH = [bin, playground.environment.PATH].join(delimiter);
  const codes: Record<string, number | null> = {};
  let last = '';
  for (const line of lines) {
    const options = { cwd: playground.repository, env: { ...playground.environment, ...env, PATH } };
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line], { ...options, encoding: 'utf8' });
    // 10: it waits for a person, as the page says.
    expect([0, 10], `${line}\n${stdout}${stderr}`).toContain(status);
    codes[line] = status;
    last = stdout;
  }
  expect(codes['gatewright loop implement loop']).toBe(10);
  expect(codes['gatewright loop close 1 --preview']).toBe(0);
  // The second time it is merged, and nothing waits any more.
  expect(codes['gatewright loop close 1']).toBe(0);
  expect(last).toContain('is merged with #2');
  expect((await shell.view('1')).labels).toContain('AI: Complete');
  expect(playground.git('show', 'main:src/product.js')).toContain('a * b');
});
