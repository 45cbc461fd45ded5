/** Closing a loop: what it would do, and closing it early on the word of a person. Local forge, real git. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handleFeed } from '../../src/fleet/handle-event.ts';
import { coded, plan, planned, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';
import { LoopWorld, saying } from '../support/loop-world.ts';

let shell: LoopShell;
beforeEach(() => {
  shell = new LoopShell();
});
afterEach(() => shell.remove());

interface Preview {
  readonly open: readonly string[];
  readonly isTested: boolean;
  readonly needsForce: boolean;
  readonly report: string;
  readonly archive: readonly string[];
  readonly pullRequest: { readonly title: string; readonly head: string; readonly base: string };
}

const preview = (number: string): Promise<Preview> =>
  shell.playground.json<Preview>(['loop', 'close', number, '--preview']);

/** All that a command could have changed. */
async function standing(number: string): Promise<unknown> {
  const refs = shell.playground.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads');
  return [refs, await shell.view(number), await shell.ledgerOf(number)];
}

describe('closing a loop', () => {
  it('is shown before, changes nothing, and does just that', async () => {
    shell.work(planned(1, plan([task('difference')])), coded(1, write('difference')));
    const number = await shell.fileIssue();
    expect((await shell.run('loop', 'plan', number, '--quick')).code).toBe(10);
    expect((await shell.run('loop', 'close', number, '--preview')).all).toContain('no approved plan yet');
    await shell.run('loop', 'plan', number, '--approve');
    expect(await preview(number)).toMatchObject({ open: ['US-001'], isTested: false, needsForce: true });
    await shell.run('loop', 'implement', 'loop');
    await shell.run('loop', 'testing', number, 'works');
    const before = await standing(number);
    const shown = await preview(number);
    expect(shown).toMatchObject({
      ...{ open: [], isTested: true, needsForce: false },
      pullRequest: { head: shell.branchOf(number), base: 'main' },
    });
    const text = await shell.run('loop', 'close', number, '--preview');
    expect([text.code, text.stdout]).toEqual([0, expect.stringContaining('SUMMARY.md')]);
    expect(await standing(number)).toEqual(before);
    const closed = await shell.run('loop', 'close', number);
    expect(closed.code).toBe(10);
    const [made] = await shell.playground.json<{ number: number }[]>(['forge', 'pr', 'list']);
    const merge = `gatewright forge pr merge ${made?.number} --squash`;
    expect(closed.all).toContain(`Merge it with: ${merge}\nThen: gatewright loop close ${number}`);
    expect((await shell.run('loop', 'status', number)).stdout).toContain(`  Merge it with: ${merge}`);
    // Words, and no names of the code.
    expect(closed.all).toContain('>>> closing');
    expect(closed.all).not.toMatch(/[a-z]_[a-z]/u);
    // The time that it took goes on.
    const untimed = (report: string): string => report.replace(/\*\*Time:.*/u, '');
    const report = (await shell.comments(number)).at(-1) ?? '';
    expect(untimed(report)).toContain(untimed(shown.report).trim());
    for (const path of shown.archive) expect(shell.fileOf(number, path)).not.toBe('');
    expect(() => shell.fileOf(number, 'prd.json')).toThrow();
    const [pull] = await shell.playground.json<object[]>(['forge', 'pr', 'list']);
    expect(pull).toMatchObject({ title: shown.pullRequest.title });
    const { body } = await shell.playground.json<{ body: string }>([
      'forge',
      'pr',
      'view',
      `${made?.number}`,
    ]);
    expect(body).toContain('### Archive');
    for (const path of shown.archive) expect(body).toContain(path);
    expect((await shell.comments(number)).at(-1)).not.toContain('### Archive');
    expect((await shell.run('loop', 'close', number, '--preview')).stdout).toContain('closed already');
  });

  it('early needs --force, and is the word of a person that the report keeps', async () => {
    shell.work(planned(1, plan([task('difference'), task('product')])), coded(1, write('difference')));
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    await shell.run('loop', 'implement', 'next');
    const refused = await shell.run('loop', 'close', number);
    expect([refused.code, refused.all]).toEqual([2, expect.stringContaining('not at the close gate')]);
    expect((await shell.run('loop', 'close', number, '--reason', 'x')).code).toBe(2);
    const reason = 'The rest can wait. Closes #1 @mallory';
    const closed = await shell.run('loop', 'close', number, '--force', '--reason', reason);
    expect([closed.code, closed.all]).toEqual([10, expect.stringContaining('is not merged yet')]);
    const report = (await shell.comments(number)).at(-1) ?? '';
    expect(report).toContain('### Closed early by the word of a person');
    expect(report).toContain('Not done: US-002');
    expect(report).toContain('No person said that it works.');
    expect(report).not.toMatch(/Closes #1|@mallory/u);
    expect(await shell.ledgerOf(number)).toContain(`by alice, not tested, open: US-002: ${reason}`);
    // It is a pull request as every other one: it is open, and no one merged it.
    const pulls = await shell.playground.json<{ state: string }[]>(['forge', 'pr', 'list']);
    expect(pulls).toMatchObject([{ state: 'open' }]);
    expect((await shell.run('loop', 'close', number, '--force')).all).toContain('is not merged yet');
    expect(await shell.headings(number)).toHaveLength(4);
  });

  it('early works at the gates of blocked and untested loops too, and not before the plan is approved', async () => {
    shell.work(
      planned(1, plan([task('difference')])),
      ...[1, 2, 3].map((call) => coded(call, write('difference', call === 3))),
    );
    const number = await shell.fileIssue();
    await shell.run('loop', 'plan', number, '--quick');
    expect((await shell.run('loop', 'close', number, '--force')).code).toBe(2);
    await shell.run('loop', 'plan', number, '--approve');
    expect((await shell.run('loop', 'implement', 'loop')).all).toContain('a person has to test it');
    const closed = await shell.run('loop', 'close', number, '--force');
    expect([closed.code, closed.all]).toEqual([10, expect.stringContaining('is not merged yet')]);
    expect((await shell.comments(number)).at(-1)).toContain('Every task has passed.');

    shell.work(
      planned(1, plan([task('difference')])),
      ...[1, 2, 3].map((call) => coded(call, write('difference', false))),
    );
    const other = await shell.fileIssue();
    await shell.beginApproved(other);
    expect((await shell.run('loop', 'implement', 'loop', '--issue', other)).code).toBe(11);
    expect((await shell.run('loop', 'close', other, '--force')).code).toBe(10);
    expect((await shell.comments(other)).at(-1)).toContain('Not done: US-001');
  });

  it('leads to a pull request that agents review as any other', async () => {
    const world = await LoopWorld.open([
      planned(1, plan([task('difference')])),
      coded(1, write('difference')),
    ]);
    const closed = await world.go(
      saying({ plan: 'approve', work: 'loop', testing: 'works', close: 'close' }),
    );
    expect(closed.gate?.kind).toBe('merge');
    const agents: string[] = [];
    await handleFeed(world.house, { own: world.fleet.own }, ({ outcomes }) => {
      agents.push(...outcomes.map(({ run }) => run.request.agent));
    });
    world.remove();
    expect(agents).toContain('reviewer');
  });

  it('takes write permission', async () => {
    shell.work(planned(1, plan([task('difference')])));
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    const before = await shell.ledgerOf(number);
    const refused = await shell.as('mallory', 'loop', 'close', number, '--force', '--no-input');
    expect([refused.code, refused.all]).toEqual([
      expect.any(Number),
      expect.stringContaining('forge-forbidden'),
    ]);
    expect(await shell.ledgerOf(number)).toBe(before);
  });
});
