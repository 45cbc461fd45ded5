/**
 * The generated workflow files with the program in their jobs, from an event to the merge: no step is replaced but the
 * one that installs the program. The models are on a tape.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { wholeTape } from '../support/chain-world.ts';
import { jobLogin } from '../support/github-job-tokens.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { ledgerKey, openRealWorld, type RealWorld } from './real-world.ts';

let world: RealWorld;
afterEach(() => world.close());

describe.skipIf(isWithoutSandbox)('a chain of workflow runs', { timeout: 900_000 }, () => {
  it('takes an order to its merged pull request: implemented, reviewed, corrected, reviewed again', async () => {
    world = await openRealWorld(wholeTape);
    const { server, stored, host } = world;
    const issue = server.state.addIssue(
      stored,
      'alice',
      'sum subtracts',
      'sum(1, 2) is -1. @claude please.',
      [],
    );
    await host.settle();
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
    expect(await world.onLaptop('status')).toMatch(/Waiting for you \(0\).*Running \(0\).*Stopped \(0\)/su);
    // Each agent was started by the one before it; what the jobs' token caused started no job of its own.
    const three = 'begin success, propose success, apply success';
    expect(world.worked().sort()).toEqual([
      'auto-merge.yml workflow_dispatch: apply success',
      `claude-review.yml workflow_dispatch: ${three}`,
      `claude-review.yml workflow_dispatch: ${three}`,
      `claude.yml issues: ${three}`,
      `claude.yml workflow_dispatch: ${three}`,
      // The merge, which GitHub tells nobody of.
      'claude.yml workflow_dispatch: begin success',
      'pr-size-guardian.yml workflow_dispatch: apply success',
    ]);
  });
});
