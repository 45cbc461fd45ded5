/** Workflows that go on with what a job leaves: one that cannot be started fails no job, and is told. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playTape } from '../../../test/support/chain-world.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import { GatewrightError } from '../../errors.ts';
import type { House } from '../../runs/house.ts';
import type { EventForOthers } from './apply-runs.ts';
import { startWorkflows } from './start-workflows.ts';

let world: FleetWorld;
let started: string[];

/** A house on whose forge these workflows cannot be started. */
function houseWithout(...missing: readonly string[]): House {
  const start = async (_: string, file: string): Promise<void> => {
    if (missing.includes(file))
      throw new GatewrightError('forge-not-found', `GitHub answered 404 (workflow ${file}).`);
    started.push(file);
  };
  return { ...world.house, workflows: { start } };
}

beforeEach(async () => {
  started = [];
  const plain = await FleetWorld.open();
  for (const branch of ['one', 'two']) await plain.openPullRequest(branch, { [`${branch}.txt`]: 'x\n' });
  world = await plain.reopen({ ...playTape(plain, { calls: [] }), GATEWRIGHT_AGENTS: 'reviewer' });
  const play = new ActionsPlay(world, ['reviewer']);
  await play.receive();
  expect((await play.begin()).next).toBe('propose');
});
afterEach(() => world.remove());

const listRuns = () => world.house.views.listRuns({ repository: world.repository });
const own = { file: 'claude-review.yml', workflowRun: 7 };

describe('the workflows that go on', () => {
  it('are started but for the one that is not there, which is told with a remedy', async () => {
    const [run] = await listRuns();
    const others = ['claude.yml', 'auto-merge.yml'].map(
      (file): EventForOthers => ({ delivery: `handoff/${file}`, file, from: run?.id ?? '' }),
    );
    const first = await startWorkflows(houseWithout('claude.yml'), { waiting: [], left: [], others }, null);
    expect(first.started).toEqual(['auto-merge.yml']);
    expect(first.notStarted).toMatchObject([{ file: 'claude.yml', why: expect.stringContaining('404') }]);
    expect(first.notStarted[0]?.hint).toContain('.github/workflows/claude.yml');
    // Once the file is there, the next job starts it, and what was started before is not started again.
    const second = await startWorkflows(houseWithout(), { waiting: [], left: [], others }, null);
    expect(second.notStarted).toEqual([]);
    expect(started).toEqual(['auto-merge.yml', 'claude.yml']);
  });

  it('are told when their run has no start left', async () => {
    const [run] = await listRuns();
    const end = async (time: number) => {
      const event: EventForOthers = {
        delivery: `handoff/${time}`,
        file: 'auto-merge.yml',
        from: run?.id ?? '',
      };
      return startWorkflows(houseWithout(), { waiting: [], left: [], others: [event] }, null);
    };
    for (let time = 1; time <= 200; time += 1) await end(time);
    expect(started).toHaveLength(200);
    expect(await end(201)).toMatchObject({ started: [], notStarted: [{ file: 'auto-merge.yml' }] });
  });

  it('are started ten times for a run that no job gets an answer for, and again once there is one', async () => {
    const waiting = (await listRuns()).slice(0, 1);
    const [run] = waiting;
    if (run === undefined) throw new Error('No run waits.');
    const end = (workflowRun: number) =>
      startWorkflows(
        houseWithout(),
        { waiting, left: [], others: [], unanswered: new Set([run.id]) },
        { ...own, workflowRun },
      );
    for (let time = 1; time <= 10; time += 1) expect((await end(time)).started).toEqual([own.file]);
    expect(await end(11)).toMatchObject({ started: [], notStarted: [{ file: own.file }] });
    expect(started).toHaveLength(10);
    await world.house.ledger.append([
      {
        ...{ subject: run.subject, run: run.id, actor: 'reviewer', kind: 'model-answered' },
        ...{ key: `${run.id}/reviewer#1` },
        data: {
          ...{ role: 'reviewer', model: 'm', reportedModel: 'm', milliseconds: 1 },
          answer: await world.house.ledger.putText('Fine.'),
          usage: { inputTokens: 1, outputTokens: 1, costUsd: 0, turns: 1 },
        },
      },
    ]);
    expect((await end(12)).started).toEqual([own.file]);
  });

  it('are told when it is the own one', async () => {
    const waiting = await listRuns();
    const { notStarted } = await startWorkflows(
      houseWithout(own.file),
      { waiting, left: [], others: [] },
      own,
    );
    expect(notStarted).toMatchObject([{ file: own.file }]);
  });

  it('are started by the next run when somebody works on the first one', async () => {
    const waiting = await listRuns();
    expect(waiting).toHaveLength(2);
    const leases = await Promise.all(waiting.map(({ subject }) => world.house.leases.acquire(subject)));
    const none = await startWorkflows(houseWithout(), { waiting, left: [], others: [] }, own);
    expect(none).toMatchObject({ started: [], notStarted: [{ file: own.file }] });
    const last = leases.at(-1);
    if (last !== undefined && 'lease' in last) await last.lease.release();
    await startWorkflows(houseWithout(), { waiting, left: [], others: [] }, own);
    expect(started).toEqual([own.file]);
    for (const got of leases) if ('lease' in got) await got.lease.release();
  });
});
