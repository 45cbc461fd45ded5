/**
 * Machines that go away while they work on a workflow run: the next run goes on from what the ledger and GitHub have, on a
 * machine that has nothing else. Each point of a job is killed in `src/fleet/proposals/killed-jobs.test.ts`, where the
 * folder of the repository stays; here nothing stays.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { wholeTape } from '../support/chain-world.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { people } from './host-world.ts';
import { openRealWorld, type RealWorld } from './real-world.ts';

let world: RealWorld;
afterEach(() => world.close());

/** Kills what is at work as soon as this holds; returns whether it came to that. */
async function killWhen(holds: () => boolean, work: () => Promise<void>): Promise<boolean> {
  let isKilled = false;
  const watch = setInterval(() => {
    if (isKilled || !holds()) return;
    isKilled = true;
    world.host.kill();
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return isKilled;
}

/** A person starts the workflow by hand, as the documentation says. */
async function startAgain(): Promise<void> {
  const { status } = await world.ask(people.alice, 'POST', '/actions/workflows/claude.yml/dispatches', {
    ref: 'main',
  });
  expect(status).toBe(204);
  await world.host.settle();
}

describe.skipIf(isWithoutSandbox)('machines that go away', { timeout: 900_000 }, () => {
  it('lose nothing and double nothing: before apply, in apply, and right after a push', async () => {
    world = await openRealWorld(wholeTape, {
      agents: ['implementer', 'reviewer', 'auto-merge'],
    });
    const { server, stored, host } = world;
    const issue = server.state.addIssue(stored, 'alice', 'sum subtracts', 'It does. @claude please.', []);
    const branch = `gatewright/issue-${issue.number}`;

    // Between the two: what was proposed is not applied any more.
    host.hook = ({ job }) => (job === 'apply' ? { killAfter: 0 } : null);
    await host.settle();
    host.hook = null;
    expect(world.worked()).toEqual(['claude.yml issues: begin success, propose success, apply failure']);
    expect(world.pulls()).toEqual([]);

    // In apply: the files of the agent are kept, and what it answered is not tested and pushed yet.
    const isKept = () => stored.git.run('for-each-ref', 'refs/gatewright/work') !== '';
    expect(await killWhen(isKept, startAgain), world.logs()).toBe(true);
    expect(stored.git.resolve(`refs/heads/${branch}`), world.logs()).toBeNull();

    // In a push: it arrived, and the machine did not live to hear of it.
    const isPushed = () => stored.git.resolve(`refs/heads/${branch}`) !== null;
    expect(await killWhen(isPushed, startAgain), world.logs()).toBe(true);
    expect(world.pulls()).toEqual([]);

    await startAgain();
    const [pull, ...others] = world.pulls();
    expect(others).toEqual([]);
    expect(pull?.pull.mergedAt, world.logs()).toBeTruthy();
    expect(pull?.pull.reviews).toHaveLength(2);
    expect(issue.state).toBe('closed');
    expect(issue.labels).toEqual([]);
    expect(stored.git.run('show', 'main:src/sum.mjs')).toContain('Number(a) + Number(b)');
    // Each answer is on the ledger once, whatever died meanwhile, and nothing is kept beside it any more.
    const shown = await world.onLaptop('ledger', 'show', `acme/project#${issue.number}`, '--json');
    const entries = shown
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly kind: string; readonly key: string | null });
    const answers = entries.filter(({ kind }) => kind === 'model-answered');
    expect(answers.map(({ key }) => key?.split('/')[1])).toEqual(['implementer#1']);
    expect(isKept()).toBe(false);
    expect(await world.onLaptop('ledger', 'verify')).toMatch(/^Sound/u);
    expect(host.problems).toEqual([]);
  });
});
