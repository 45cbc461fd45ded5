/** Copies are made ready before they are worked on or checked; where that fails, it is said and nothing is called tested. */
import { afterEach, describe, expect, it } from 'vitest';
import { codesOf, goodSteps, ImplementerWorld } from '../../../test/support/implementer-world.ts';
import { describeEntry } from '../../domain/ledger/describe-entry.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

/** Leaves a file that the check wants, as fetched dependencies would be. */
const setup =
  "import { writeFileSync } from 'node:fs';\nwriteFileSync('fetched.tmp', 'x');\nconsole.log('fetched 1 package');\n";
const check = "import { existsSync } from 'node:fs';\nprocess.exit(existsSync('fetched.tmp') ? 0 : 1);\n";
const files = { 'setup.mjs': setup, 'check.mjs': check, '.gitignore': '*.tmp\n' };

const settings = { GATEWRIGHT_VERIFY: 'node check.mjs', GATEWRIGHT_AGENT_COMMANDS: 'node --test' };

describe('a copy of the repository', () => {
  it('is made ready for the agent and again for the check, and what was fetched is not taken over', async () => {
    world = await ImplementerWorld.open();
    world.fleet.playground.commit(files);
    await world.play([{ steps: goodSteps }], { ...settings, GATEWRIGHT_SETUP: 'node setup.mjs' });
    const { number } = await world.order();
    const [pull] = await world.pulls();
    expect(pull?.diffStat.files).toBe(2);
    const [verified] = await world.entries(number, 'command-verified');
    expect(verified?.data).toMatchObject({ command: ['node', 'check.mjs'], exitCode: 0 });
    // Kept for the copy of the agent and for that of the check, and told in the pull request.
    const prepared = await world.entries(number, 'copy-prepared');
    expect(prepared.map(({ data }) => [data.command, data.exitCode, data.end])).toEqual(
      [1, 2].map(() => [['node', 'setup.mjs'], 0, 'fetched 1 package']),
    );
    expect(describeEntry(prepared[0] as LedgerEntry)).toContain('node setup.mjs: exit 0 after');
    expect(pull?.body).toContain('Before that it ran `node setup.mjs` in the same copy.');
    expect(pull?.body).toContain('`fetched 1 package`');
  });

  it('without a command for that: a check that misses something is told what to set', async () => {
    world = await ImplementerWorld.open();
    world.fleet.playground.commit({ 'check.mjs': "await import('left-pad');\n" });
    await world.play([{ steps: goodSteps }], settings);
    await world.order();
    const [pull] = await world.pulls();
    expect(pull?.body).toContain('**failed**');
    expect(pull?.body).toContain('`fleet.setup`, such as `npm ci`');
  });

  it('that cannot be made ready stops the work with the reason', async () => {
    world = await ImplementerWorld.open();
    world.fleet.playground.commit(files);
    await world.play([{ steps: goodSteps }], { ...settings, GATEWRIGHT_SETUP: 'node missing.mjs' });
    const { number, outcomes } = await world.order();
    expect((await world.entries(number, 'copy-prepared'))[0]?.data.exitCode).not.toBe(0);
    expect(codesOf(outcomes)).toEqual(['setup-failed']);
    expect(await world.pulls()).toEqual([]);
    expect((await world.said(number)).join('\n')).toContain('node missing.mjs');
  });

  it('that cannot be made ready is told with what the command printed, without secrets', async () => {
    world = await ImplementerWorld.open();
    const token = ['ghp', 'a1B2'.repeat(9)].join('_');
    const failing = `console.error('\\u001b[31mno such package: left-pad\\u001b[0m\\n\`\`\`\\n@alice ${token}');\nprocess.exit(7);\n`;
    world.fleet.playground.commit({ ...files, 'setup.mjs': failing });
    await world.play([{ steps: goodSteps }], { ...settings, GATEWRIGHT_SETUP: 'node setup.mjs' });
    const { number, outcomes } = await world.order();
    const end = 'It printed last: no such package: left-pad / ``` / @alice [hidden]';
    expect(outcomes.flatMap((one) => one.outcomes.map(({ reason }) => reason.message))).toEqual([
      `"node setup.mjs" ended with 7 in a copy of the repository. ${end}`,
    ]);
    const said = (await world.said(number)).join('\n');
    expect(said).toContain('\n````text\nno such package: left-pad\n```\n@alice [hidden]\n````\n');
    expect(said).not.toContain(token);
  });

  it('in which the check fails shows what the check printed, without secrets', async () => {
    world = await ImplementerWorld.open();
    const token = ['ghp', 'a1B2'.repeat(9)].join('_');
    const failing = `console.log('expected 3, got 4; ${token}');\nprocess.exit(3);\n`;
    world.fleet.playground.commit({ ...files, 'check.mjs': failing });
    await world.play([{ steps: goodSteps }], settings);
    const { number } = await world.order();
    const [verified] = await world.entries(number, 'command-verified');
    expect(verified?.data).toMatchObject({ exitCode: 3 });
    const [pull] = await world.pulls();
    expect(pull?.body).toContain('**failed** with exit code 3');
    expect(pull?.body).toContain('expected 3, got 4; [hidden]');
    expect(pull?.body).not.toContain(token);
  });
});
