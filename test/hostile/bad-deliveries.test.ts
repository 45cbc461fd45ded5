/** Whatever is delivered, and whatever is stored, the fleet goes on: it is refused, or it is stored and settled. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWebhook } from '../../src/adapters/github/payloads/read-webhook.ts';
import type { FleetEvent } from '../../src/domain/fleet/event.ts';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { issueSubject } from '../../src/domain/ledger/subject.ts';
import { isGatewrightError } from '../../src/errors.ts';
import { explainNumber } from '../../src/fleet/explain-number.ts';
import { receiveEvent, takeHappenings } from '../../src/fleet/receive-event.ts';
import { watchFleet } from '../../src/fleet/watch-fleet.ts';
import { FleetWorld } from '../support/fleet-world.ts';
import { rejectedCode, thrownCode } from '../support/thrown-code.ts';
import { changeAt, webhookPayloads } from '../support/webhook-payloads.ts';

const isExhaustive = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1';

let world: FleetWorld;
let issue = 0;
beforeEach(async () => {
  const first = await FleetWorld.open({ 'a.txt': 'a\n' });
  world = await first.reopen({ GATEWRIGHT_AGENTS: 'pr-size-guardian,implementer,auto-merge' });
  const alice = await world.as('alice');
  ({ number: issue } = await alice.createIssue(world.repository, { title: 'T', body: '', labels: [] }));
});
afterEach(() => world.remove());

/** Everything that reads stored events still works, and a good event is settled. */
async function expectAlive(): Promise<void> {
  await world.settle();
  expect(await world.house.views.listOpenEvents()).toEqual([]);
  await expect(explainNumber(world.house, world.own, issue)).resolves.toMatchObject({ state: 'open' });
  const good = world.event('labeled', { number: issue, isPullRequest: false, label: 'nice' });
  await receiveEvent(world.house, good);
  const stop = new AbortController();
  const settled: string[] = [];
  const troubles: unknown[] = [];
  const { eventFeed } = world.house;
  await watchFleet(world.house, eventFeed ?? expect.fail('The local forge tells what happens.'), {
    ...{ own: world.own, signal: stop.signal, workers: 2, pollMilliseconds: 5 },
    dueEvents: async () => [],
    onEvent: () => undefined,
    onSettled: ({ event }) => {
      settled.push(event.delivery);
      if (event.delivery === good.delivery) stop.abort();
    },
    onTrouble: (error) => troubles.push(error),
  });
  expect(troubles).toEqual([]);
  expect(settled).toContain(good.delivery);
}

/** Stores an event as another version, or nobody in their right mind, would have. */
async function store(text: string, delivery: string, subject = issueSubject(world.repository, issue)) {
  const { ledger, actor } = world.house;
  const event = await ledger.putText(text);
  const data = { kind: 'labeled', actor: 'alice', event } as const;
  await ledger.append([{ subject, run: '', actor, kind: 'event-received', key: delivery, data }]);
}

const names = [...new Set(webhookPayloads('o/r', 1).map(({ name }) => name)), 'star', 'toString', ''];
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(0, -1, 1.5, 2 ** 53, 1e308, '', 'x'.repeat(300), '\u0000', '\ud800', null, '275761-01-01'),
);

/** Paths of everything that a payload holds. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return [
    ...(path.length === 0 ? [] : [[...path]]),
    ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key])),
  ];
}

describe('any delivery', () => {
  let count = 0;

  /** True when it was stored. */
  async function tryOut(name: string, delivery: string, payload: unknown): Promise<boolean> {
    let event: FleetEvent | { readonly ignored: string };
    try {
      event = readWebhook(name, delivery, payload);
    } catch (error) {
      expect(isGatewrightError(error, 'event-invalid'), String(error)).toBe(true);
      return false;
    }
    if ('ignored' in event) return false;
    await receiveEvent(world.house, { ...event, repository: world.repository });
    return true;
  }

  it('of any JSON is refused, ignored, or stored and settled', async () => {
    const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
    const property = fc.asyncProperty(
      fc.constantFrom(...names),
      fc.string({ maxLength: 250, unit: 'binary' }),
      json,
      async (name, delivery, payload) => {
        await tryOut(name, delivery, payload);
      },
    );
    await fc.assert(property, { numRuns: isExhaustive ? 5_000 : 300 });
    await expectAlive();
  });

  it('that is a real one with something changed is refused, or stored and settled', async () => {
    const real = webhookPayloads(world.repository, issue);
    const changes = real.flatMap(({ name, payload }) =>
      pathsOf(payload).map((path) => ({ name, payload, path })),
    );
    let stored = 0;
    const property = fc.asyncProperty(
      fc.constantFrom(...changes),
      fc.option(fc.record({ put: strange }), { freq: 4 }),
      async ({ name, payload, path }, to) => {
        count += 1;
        if (await tryOut(name, `mutated-${count}`, changeAt(payload, path, to))) stored += 1;
      },
    );
    await fc.assert(property, { numRuns: isExhaustive ? 2_000 : 60 });
    expect(stored).toBeGreaterThan(5);
    await expectAlive();
  }, 3_600_000);

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(201)],
  ])('under an id that is %s is refused, and nothing is stored', async (_, delivery) => {
    const [first] = webhookPayloads(world.repository, issue);
    expect(thrownCode(() => readWebhook('issues', delivery, first?.payload))).toBe('event-invalid');
    const event = world.event('issue-opened', { number: issue, text: 'x', delivery });
    expect(await rejectedCode(receiveEvent(world.house, event))).toBe('event-invalid');
    expect(await world.house.views.listOpenEvents()).toEqual([]);
  });
});

describe('an event on the ledger that cannot be read', () => {
  it.each<[string, string]>([
    ['no JSON', 'not json'],
    ['of a newer kind', JSON.stringify({ kind: 'moon-full', delivery: 'd', repository: 'o/r' })],
    ['numbered 0', JSON.stringify({ kind: 'issue-opened', number: 0 })],
    ['no object', 'null'],
  ])('because it is %s is settled with a refusal, and keeps nobody waiting', async (_, text) => {
    await store(text, 'bad');
    await expect(explainNumber(world.house, world.own, issue)).resolves.toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ what: expect.stringContaining('cannot be read') }),
      ]),
    });
    await expectAlive();
    const refused = (await world.entries(issue)).filter((entry) => entry.kind === 'event-refused');
    expect(refused.map(({ data }) => data)).toMatchObject([
      { delivery: 'bad', because: 'unreadable', agent: null },
    ]);
    const { lately } = await explainNumber(world.house, world.own, issue);
    expect(lately.map(({ what }) => what)).toContain('no agent acted: what is stored of it cannot be read');
  });

  it('whose text is gone is settled as well, also by a watch', async () => {
    const { ledger, actor } = world.house;
    const data = { kind: 'labeled', actor: 'alice', event: sha256('never stored') } as const;
    const subject = issueSubject(world.repository, issue);
    await ledger.append([{ subject, run: '', actor, kind: 'event-received', key: 'lost', data }]);
    const unreadable: string[] = [];
    const stop = new AbortController();
    const { eventFeed } = world.house;
    await watchFleet(world.house, eventFeed ?? expect.fail('The local forge tells what happens.'), {
      ...{ own: world.own, signal: stop.signal, workers: 2, pollMilliseconds: 5 },
      dueEvents: async () => [],
      onEvent: () => undefined,
      onSettled: () => undefined,
      onTrouble: (error) => expect.fail(String(error)),
      onUnreadable: ({ delivery }) => {
        unreadable.push(delivery);
        stop.abort();
      },
    });
    expect(unreadable).toEqual(['lost']);
    await expectAlive();
  });

  it('of another repository on the same database is left to that one', async () => {
    await store('not json', 'theirs', 'other/repository#1');
    await world.settle();
    expect((await world.house.views.listOpenEvents()).map(({ delivery }) => delivery)).toEqual(['theirs']);
  });

  it('is not what happened on the local forge either', async () => {
    const { eventFeed } = world.house;
    if (eventFeed === null) return expect.fail('The local forge tells what happens.');
    const found = await eventFeed.since(world.repository, 0, 100);
    const broken = { since: async () => [{ id: 1, event: null }, ...found] };
    const told: string[] = [];
    await takeHappenings(world.house, broken, 0, ({ kind }) => told.push(kind));
    expect(told).toEqual(['issue-opened']);
  });
});
