/** What a watch does with runs that stopped: it goes on with them as often as makes sense, and otherwise lets them be. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { itLong } from '../../test/support/it-long.ts';
import type { Sha256 } from '../domain/ledger/hash.ts';
import type { EntryOf, LedgerEntry } from '../domain/ledger/ledger-entry.ts';
import { GatewrightError } from '../errors.ts';
import type { House } from '../runs/house.ts';
import { readStatus } from '../runs/read-status.ts';
import { watchFleet } from './watch-fleet.ts';

const pollMilliseconds = 20;

let fleet: FleetWorld;
let number = 0;
let run = '';

/** An issue with a run whose coder was out of quota until long ago, and is again whenever it is asked. */
beforeEach(async () => {
  const world = await FleetWorld.open();
  const file = world.cassette({
    format: 'gatewright-cassette/1',
    about: 'An agent that is out of quota.',
    models: { coder: { name: 'claude-sonnet-4-5', title: 'Claude' } },
    work: [
      {
        ...{ role: 'implementer', call: 1, request: { includes: ['BEGIN'] }, steps: [] },
        outcome: { quota: { until: '2020-01-01T00:00:00.000Z' } },
      },
    ],
  });
  fleet = await world.reopen({ GATEWRIGHT_CODER: `cassette:${file}`, GATEWRIGHT_AGENTS: 'implementer' });
  const alice = await fleet.as('alice');
  ({ number } = await alice.createIssue(fleet.repository, { title: 'T', body: 'B', labels: [] }));
  const order = { number, isPullRequest: false, comment: 1, text: '@claude do it' };
  const [first] = await fleet.deliver(fleet.event('comment-created', order));
  expect(first?.outcomes[0]?.status).toBe('paused');
  run = first?.outcomes[0]?.run.id ?? '';
});
afterEach(() => fleet.remove());

async function entriesOf<K extends LedgerEntry['kind']>(kind: K): Promise<EntryOf<K>[]> {
  return (await fleet.entries(number)).filter((entry): entry is EntryOf<K> => entry.kind === kind);
}

/** Watches while something else is done; returns what went wrong that belongs to no run. */
async function watchDuring(work: () => Promise<void>, change: Partial<House> = {}): Promise<unknown[]> {
  const stop = new AbortController();
  const { eventFeed } = fleet.house;
  if (eventFeed === null) throw new Error('this forge tells nothing');
  const troubles: unknown[] = [];
  const watching = watchFleet({ ...fleet.house, ...change }, eventFeed, {
    ...{ own: fleet.own, signal: stop.signal, workers: 2, pollMilliseconds },
    dueEvents: async () => [],
    onEvent: () => undefined,
    onSettled: () => undefined,
    onTrouble: (error) => troubles.push(error),
  });
  try {
    await work();
  } finally {
    stop.abort();
    await watching;
  }
  return troubles;
}

async function saidOn(issue: number): Promise<string[]> {
  const comments = await (await fleet.as('alice')).listComments(fleet.repository, issue);
  return comments.filter(({ author }) => author === fleet.own).map(({ body }) => body);
}

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

describe('a watch', () => {
  itLong(
    'tries a run five times more, and does not go on looking at it without a pause',
    async () => {
      let readings = 0;
      const { ledger } = fleet.house;
      const counted = new Proxy(ledger, {
        get: (target, name) => {
          if (name === 'readRun') readings += 1;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const work = async (): Promise<void> => {
        await expect.poll(() => entriesOf('run-stopped'), { timeout: 30_000 }).toHaveLength(7);
        await pause(100);
        readings = 0;
        await pause(400);
      };
      expect(await watchDuring(work, { ledger: counted })).toEqual([]);
      expect(await entriesOf('run-resumed')).toHaveLength(5);
      expect(readings).toBeLessThan(5);
      // Given up, it waits for a person, who is told how to go on.
      const given = (await entriesOf('run-stopped')).at(-1)?.data;
      expect(given).toMatchObject({
        status: 'blocked',
        reason: { code: 'quota-exhausted', owner: 'person' },
      });
      expect(given?.reason.message).toMatch(/It was tried 6 times\.$/u);
      expect(given?.reason.resume).toContain(`gatewright dispatch --resume ${run}`);
      const told = (await saidOn(number)).filter((body) => body.includes('It was tried 6 times.'));
      expect(told).toHaveLength(1);
      expect(told[0]).toContain('@alice The work on this has stopped:');
      // Another watch has nothing to add.
      await watchDuring(() => pause(300));
      expect((await saidOn(number)).filter((body) => body.includes('It was tried'))).toHaveLength(1);
    },
    240_000,
  );

  itLong(
    'tells a person of a run that it gave up as soon as the forge can be reached again',
    async () => {
      let isDown = true;
      const forge = new Proxy(fleet.house.forge, {
        get: (target, name) => {
          if (name === 'createComment' && isDown)
            return () => Promise.reject(new GatewrightError('forge-unavailable', 'Down.'));
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const isTold = async () => (await saidOn(number)).some((body) => body.includes('It was tried'));
      const work = async (): Promise<void> => {
        await expect.poll(() => entriesOf('run-stopped'), { timeout: 60_000 }).toHaveLength(7);
        expect(await isTold()).toBe(false);
        isDown = false;
        await expect.poll(isTold, { timeout: 60_000 }).toBe(true);
      };
      await watchDuring(work, { forge });
      const status = await readStatus(
        {
          ...fleet.house,
          closed: { listClosed: async () => [], listHeld: async () => [] },
          folder: '/',
          exists: () => true,
        },
        new Date(),
      );
      expect(status.stopped.map((one) => one.run.id)).toEqual([run]);
    },
    240_000,
  );

  it('leaves a run alone for a while that somebody else is working on, and takes it up afterwards', async () => {
    const taken = await fleet.house.leases.acquire(`${fleet.repository}#${number}`);
    if (!('lease' in taken)) throw new Error('somebody has it');
    const troubles = await watchDuring(async () => {
      await pause(500);
      expect(await entriesOf('run-resumed')).toEqual([]);
      await taken.lease.release();
      await expect.poll(() => entriesOf('run-resumed'), { timeout: 30_000 }).not.toEqual([]);
    });
    expect(troubles).toEqual([]);
  }, 240_000);

  itLong(
    'does not do again what another run has worked on since',
    async () => {
      const { ledger, actor } = fleet.house;
      const started = (await entriesOf('run-started'))[0] ?? expect.fail('it never began');
      const entry = { subject: started.subject, run: 'later', actor };
      const hash = started.hash as Sha256;
      await ledger.append([
        { ...entry, kind: 'run-started', data: started.data },
        {
          ...entry,
          kind: 'prompt-sent',
          data: { role: 'implementer', model: 'm', prompt: hash, instructions: hash },
        },
        {
          ...{ ...entry, kind: 'run-ended' },
          data: { reason: { code: 'finished', message: '', owner: 'nobody', resume: '' }, result: null },
        },
      ]);
      const troubles = await watchDuring(async () => {
        await expect.poll(() => entriesOf('event-refused'), { timeout: 30_000 }).toHaveLength(1);
        await pause(300);
      });
      expect(troubles).toEqual([]);
      expect(await entriesOf('run-resumed')).toEqual([]);
      expect((await entriesOf('event-refused'))[0]?.data).toMatchObject({ because: 'overtaken' });
    },
    240_000,
  );

  it('takes up a run that was cut off after it had been taken up again', async () => {
    const { ledger, actor } = fleet.house;
    const subject = `${fleet.repository}#${number}`;
    await ledger.append([{ subject, run, actor, kind: 'run-resumed', data: { from: 'paused' } }]);
    expect((await fleet.house.views.listRuns()).find(({ id }) => id === run)?.status).toBe('running');
    await watchDuring(async () => {
      await expect.poll(async () => (await entriesOf('run-stopped')).length, { timeout: 30_000 }).toBe(2);
    });
  }, 240_000);

  itLong(
    'does not count the times that a run waited for another',
    async () => {
      const { ledger, actor } = fleet.house;
      const entry = { subject: `${fleet.repository}#${number}`, run, actor };
      const reason = { code: 'lease-held', message: '', owner: 'time', resume: '' } as const;
      const [paused] = await entriesOf('run-stopped');
      if (paused === undefined) throw new Error('it did not stop');
      for (let times = 0; times < 8; times += 1)
        await ledger.append([
          { ...entry, kind: 'run-stopped', data: { status: 'blocked', reason } },
          { ...entry, kind: 'run-resumed', data: { from: 'blocked' } },
        ]);
      await ledger.append([{ ...entry, kind: 'run-stopped', data: paused.data }]);
      await watchDuring(async () => {
        await expect.poll(() => entriesOf('run-resumed'), { timeout: 30_000 }).toHaveLength(8 + 4);
      });
    },
    240_000,
  );
});
