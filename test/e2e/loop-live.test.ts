/** What a person sees of a running loop on a terminal: rows that are drawn again, and gone when it stops. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { coded, plan, planned, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';
import { renderScreen } from '../support/render-screen.ts';
import { TerminalSession } from '../support/terminal-session.ts';

let shell: LoopShell;
beforeEach(() => {
  shell = new LoopShell();
});
afterEach(() => shell.remove());

it('tasks are rows with a dot for each attempt, and commands tick; afterwards only what was said stays', async () => {
  shell.work(
    planned(1, plan([task('difference'), task('product')])),
    coded(1, write('difference', false)),
    coded(2, write('difference')),
    coded(3, write('product')),
  );
  const number = await shell.fileIssue();
  await shell.beginApproved(number);
  const session = new TerminalSession(
    shell.playground,
    ['loop', 'implement', 'loop', '--issue', number],
    shell.env,
    100,
  );
  await session.see('▶ US-001  Add difference', 60_000);
  // A command that runs, with its time.
  await session.see('… node --test test/difference.test.js  0.', 60_000);
  // One attempt failed, the next one is under way.
  await session.see('●○', 60_000);
  await session.see('▶ US-002  Add product', 60_000);
  await session.see('1 of 2 tasks passed', 60_000);
  await session.see('>>> waiting for a person to test it', 90_000);
  expect(await session.exit(60_000)).toBe(10);
  const screen = renderScreen(session.output.replaceAll('\n', '\r\n'));
  expect(screen).toContain('✓ node --test test/product.test.js');
  expect(screen).not.toContain('▶');
  expect(screen).not.toContain('tasks passed ·');
  // Each event was said once, above the rows.
  expect(screen.match(/working on US-001 of/gu)).toHaveLength(2);
  // A question has the screen to itself.
  const [run] = await shell.playground.json<{ id: string }[]>(['loop', 'status', number]);
  const asking = new TerminalSession(shell.playground, ['loop', 'resume', run?.id ?? ''], shell.env, 100);
  await asking.see('[L]ater', 60_000);
  const shown = renderScreen(asking.output.replaceAll('\n', '\r\n'));
  asking.type('L');
  expect(await asking.exit(60_000)).toBe(10);
  expect(shown).not.toMatch(/ · \d+ s/u);
});

it('one line for each event where no line can be drawn again', async () => {
  shell.work(planned(1, plan([task('difference')])), coded(1, write('difference')));
  const number = await shell.fileIssue();
  await shell.beginApproved(number);
  const { stderr } = await shell.run('loop', 'implement', 'loop');
  expect(stderr).not.toContain('\u001B');
  expect(stderr).not.toContain('▶');
  expect(stderr.split('\n').filter((line) => line.includes('test/difference.test.js'))).toHaveLength(2);
});
