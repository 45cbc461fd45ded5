/** Stopped while something runs: it is put aside, nothing is said about a command that we ended, and the next one goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { findProcesses } from '../../test/support/find-processes.ts';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { codesOf, goodSteps, ImplementerWorld, type Work } from '../../test/support/implementer-world.ts';
import { openReadyPullRequest } from '../../test/support/reviewed-pull-request.ts';
import type { CommandResult, CommandRunner } from '../ports/command-runner.ts';
import { stopCommandsWith } from '../runs/coding/stop-with-signal.ts';
import { type EventOutcome, handleOpenEvents } from './handle-event.ts';
import { receiveEvent } from './receive-event.ts';

let remove: () => void = () => undefined;
afterEach(() => remove());

/** A length of sleep that nobody else uses, so that it can be found. */
let sleeps = 0;
function longSleep(): string {
  sleeps += 1;
  return `4${process.pid}.${sleeps}`;
}

/** Settles what is open, and stops as soon as the command runs. */
async function handleAndStop(fleet: FleetWorld, length: string): Promise<EventOutcome[]> {
  const stop = new AbortController();
  const outcomes: EventOutcome[] = [];
  const settling = handleOpenEvents(fleet.house, { own: fleet.own, signal: stop.signal }, (outcome) =>
    outcomes.push(outcome),
  );
  await expect.poll(() => findProcesses(length).length, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0);
  stop.abort();
  await settling;
  expect(findProcesses(length)).toEqual([]);
  return outcomes;
}

describe('the implementer, stopped', () => {
  it.each<[string, (length: string) => { works: readonly Work[]; environment: Record<string, string> }]>([
    [
      'while its work is checked',
      (length) => ({ works: [{ steps: goodSteps }], environment: { GATEWRIGHT_VERIFY: `sleep ${length}` } }),
    ],
    [
      'while its copy is set up',
      (length) => ({ works: [{ steps: goodSteps }], environment: { GATEWRIGHT_SETUP: `sleep ${length}` } }),
    ],
    [
      'while its coding agent works',
      (length) => ({
        works: [{ steps: [...goodSteps, { run: ['sleep', length] }] }],
        environment: { GATEWRIGHT_AGENT_COMMANDS: 'sleep *' },
      }),
    ],
  ])('%s, is put aside and makes one pull request afterwards', async (_, make) => {
    const length = longSleep();
    const { works, environment } = make(length);
    const world = await ImplementerWorld.open(works, environment);
    remove = () => world.remove();
    const number = await world.fileIssue('@claude please');
    await receiveEvent(
      world.fleet.house,
      world.fleet.event('issue-opened', { number, text: '@claude please' }),
    );
    const stopped = await handleAndStop(world.fleet, length);
    expect(codesOf(stopped)).toEqual(['cancelled']);
    expect(stopped.map(({ isSettled }) => isSettled)).toEqual([false]);
    expect(await world.pulls()).toEqual([]);
    expect(await world.said(number)).toEqual([]);
    expect(await world.entries(number, 'command-verified')).toEqual([]);
    await world.play([{ steps: goodSteps }]);
    const outcomes = await world.fleet.settle();
    expect(codesOf(outcomes)).toEqual(['finished']);
    const [pull, ...others] = await world.pulls();
    expect(others).toEqual([]);
    expect(pull?.labels).toEqual(['auto-merge']);
    expect(pull?.body).not.toContain('was stopped');
    // The second is that of its tests without the change.
    const codes = (await world.entries(number, 'command-verified')).map(({ data }) => data.exitCode);
    expect(codes).toEqual([0, 1]);
  });
});

describe('the merge queue, stopped', () => {
  it('while it tests a candidate, says nothing and merges afterwards', async () => {
    const first = await FleetWorld.open({ 'a.txt': 'a\n' });
    remove = () => first.remove();
    const length = longSleep();
    const agents = { GATEWRIGHT_AGENTS: 'auto-merge' };
    const world = await first.reopen({ ...agents, GATEWRIGHT_VERIFY: `sleep ${length}` });
    const alice = await world.as('alice');
    await alice.ensureLabel(world.repository, { name: 'auto-merge', colour: 'ededed', description: '' });
    const { number } = await openReadyPullRequest(world, 'w', { 'w.txt': 'w\n' });
    await receiveEvent(
      world.house,
      world.event('labeled', { number, isPullRequest: true, label: 'auto-merge' }),
    );
    expect(codesOf(await handleAndStop(world, length))).toEqual(['cancelled']);
    expect((await world.entries(number)).map(({ kind }) => kind)).not.toContain('merge-rejected');
    const again = await first.reopen({ ...agents, GATEWRIGHT_VERIFY: 'sleep 0' });
    await again.settle();
    expect((await alice.getPullRequest(world.repository, number)).state).toBe('merged');
    expect(await alice.listComments(world.repository, number)).toEqual([]);
  });
});

describe('a command', () => {
  const request = { folder: '/', argv: ['x'], limitMilliseconds: 1, network: 'none' } as const;
  const result = { exitCode: 0, output: '', timedOut: false } as unknown as CommandResult;

  it.each([0, 1, 143, null])(
    'that ended with %s just before we heard that all is to stop, counts for nothing',
    async (exitCode) => {
      const stop = new AbortController();
      const runner: CommandRunner = {
        run: async () => {
          setTimeout(() => stop.abort(), 10);
          return { ...result, exitCode };
        },
      };
      await expect(stopCommandsWith(runner, stop.signal).run(request)).rejects.toMatchObject({
        code: 'cancelled',
      });
      await expect(stopCommandsWith(runner, stop.signal).run(request)).rejects.toMatchObject({
        code: 'cancelled',
      });
    },
  );

  it.each(['while its runner tidies up', 'after that'])(
    'that ended before we heard it %s, counts for nothing',
    async (when) => {
      const stop = new AbortController();
      const tidied = when === 'after that' ? 0 : 60_000;
      const runner: CommandRunner = {
        run: async ({ onEnd, signal }) => {
          onEnd?.();
          setTimeout(() => stop.abort(), 10);
          await sleep(tidied, undefined, { ...(signal === undefined ? {} : { signal }) }).catch(
            () => undefined,
          );
          return result;
        },
      };
      await expect(stopCommandsWith(runner, stop.signal).run(request)).rejects.toMatchObject({
        code: 'cancelled',
      });
    },
  );

  it('that failed by itself is told as it is', async () => {
    const runner: CommandRunner = { run: async () => ({ ...result, exitCode: 1 }) };
    const { signal } = new AbortController();
    await expect(stopCommandsWith(runner, signal).run(request)).resolves.toMatchObject({ exitCode: 1 });
    expect(stopCommandsWith(runner, undefined)).toBe(runner);
  });
});
