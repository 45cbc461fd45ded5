/**
 * The generated workflow files with the program in their jobs, from an event to the merge: no step is replaced but the
 * one that installs the program. The models are on a tape.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import { endlessTape, plannedTape, tiredTape, wholeTape } from '../support/chain-world.ts';
import { jobLogin } from '../support/github-job-tokens.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { ledgerKey, openRealWorld, type RealWorld } from './real-world.ts';

let world: RealWorld;
afterEach(() => world.close());

/** Alice asks for what the tapes hold. */
async function fileOrder(text = 'sum(1, 2) is -1. @claude please.', labels: readonly string[] = []) {
  const { server, stored, host } = world;
  const issue = server.state.addIssue(stored, 'alice', 'sum subtracts', text, labels);
  await host.settle();
  return issue;
}

const countOf = (bodies: readonly string[], ...words: readonly string[]): number =>
  bodies.filter((body) => words.every((word) => body.includes(word))).length;

describe.skipIf(isWithoutSandbox)('a chain of workflow runs', { timeout: 900_000 }, () => {
  it('takes an order to its merged pull request: implemented, reviewed, corrected, reviewed again', async () => {
    world = await openRealWorld(wholeTape);
    const { stored, host } = world;
    const issue = await fileOrder();
    const [pull] = world.pulls();
    const told = world.logs();
    expect(host.problems).toEqual([]);
    expect(pull?.pull.mergedAt, told).toBeTruthy();
    expect(issue.state, told).toBe('closed');
    expect(stored.git.run('show', 'main:src/sum.mjs')).toContain('Number(a) + Number(b)');
    expect(pull?.author).toBe(jobLogin);
    // Neither keys nor tokens are in anything that a job said.
    for (const secret of [ledgerKey, ...host.tokens]) expect(told).not.toContain(secret);
    // The same ledger is read, and proved, on a person's machine.
    expect(await world.onLaptop('ledger', 'verify')).toMatch(/^Sound: \d+ entries about \d+ subjects/u);
    expect(await world.onLaptop('explain', String(pull?.number))).toContain('merged');
    expect(await world.onLaptop('status')).toMatch(/Waiting for you \(0\).*Running \(0\).*Stopped \(0\)/su);
    // Each agent was started by the one before it; what the jobs' token caused started no job of its own.
    const three = 'begin success, propose success, apply success';
    expect(world.worked().sort()).toEqual([
      'auto-merge.yml workflow_dispatch: apply success',
      `claude-review.yml workflow_dispatch: ${three}`,
      `claude-review.yml workflow_dispatch: ${three}`,
      `claude.yml issues: ${three}`,
      // The merge, which GitHub tells nobody of.
      'claude.yml workflow_dispatch: begin success',
      `claude.yml workflow_dispatch: ${three}`,
      'pr-size-guardian.yml workflow_dispatch: apply success',
    ]);
  });

  it('plans, plans again when asked to, and works when a permitted person approves', async () => {
    world = await openRealWorld(plannedTape);
    const { stored, host } = world;
    const issue = await fileOrder('sum(1, 2) is -1.');
    await world.label(issue, labelNames.planning);
    expect(countOf(world.saidOn(issue), 'Turn the sign around', '@claude approve'), world.logs()).toBe(1);
    await world.say(issue, '@claude what about texts?');
    expect(countOf(world.saidOn(issue), 'Make numbers of texts'), world.logs()).toBe(1);
    // An outsider's approval grants nothing, and neither does a quote of one.
    await world.say(issue, '@claude approve', 'mallory');
    await world.say(issue, '> @claude approve\n\nNot yet, I would approve it if the tests were better.');
    expect(world.pulls()).toEqual([]);
    expect(issue.labels).toContain(labelNames.planning);
    await world.say(issue, '@claude approve');
    const [pull] = world.pulls();
    expect(pull?.pull.mergedAt, world.logs()).toBeTruthy();
    expect(issue.state).toBe('closed');
    expect(issue.labels).toEqual([]);
    expect(stored.git.run('show', 'main:src/sum.mjs')).toContain('a + b');
    expect(host.problems).toEqual([]);
  });

  it('goes on twice when its turns are used up, then says so once, and is done when a person has it go on', async () => {
    world = await openRealWorld(tiredTape(3));
    const { stored, host } = world;
    const issue = await fileOrder();
    const branch = `gatewright/issue-${issue.number}`;
    const three = 'begin success, propose success, apply success';
    expect(world.worked(), world.logs()).toEqual([
      `claude.yml issues: ${three}`,
      `claude.yml workflow_dispatch: ${three}`,
      `claude.yml workflow_dispatch: ${three}`,
    ]);
    expect(world.pulls()).toEqual([]);
    // What was done in each of the three is on the branch.
    for (const round of [1, 2, 3])
      expect(stored.git.run('show', `${branch}:notes-${round}.md`)).toContain(`Round ${round}.`);
    expect(countOf(world.saidOn(issue), '@alice', branch), world.logs()).toBe(1);
    expect(issue.labels).toEqual([]);
    await world.say(issue, '@claude continue');
    const [pull] = world.pulls();
    expect(pull?.pull.mergedAt, world.logs()).toBeTruthy();
    expect(stored.git.run('show', 'main:notes-1.md')).toContain('Round 1.');
    expect(host.problems).toEqual([]);
  });

  it('corrects what reviews find twice at most, and then tells people once', async () => {
    world = await openRealWorld(endlessTape);
    const issue = await fileOrder();
    const [pull] = world.pulls();
    if (pull === undefined) throw new Error(world.logs());
    expect(pull.state).toBe('open');
    expect(pull.pull.reviews, world.logs()).toHaveLength(3);
    expect(countOf(world.saidOn(pull), '@alice'), world.logs()).toBe(1);
    expect(countOf(world.saidOn(issue), `#${pull.number}`)).toBe(1);
    expect(world.host.problems).toEqual([]);
  });
});
