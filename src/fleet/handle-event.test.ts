/** From deliveries to runs: each once, only for those who may, and nothing lost when it is cut off. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { Permission } from '../domain/forge/permission.ts';
import { GatewrightError } from '../errors.ts';
import type { Forge } from '../ports/forge/forge.ts';
import { handleEvent, handleFeed, handleOpenEvents } from './handle-event.ts';
import { receiveEvent, subjectOfEvent, takeHappenings } from './receive-event.ts';

const manyLines = 'x\n'.repeat(500);

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open();
});
afterEach(() => world.remove());

/** Without what the reviewer says, which has no model here. */
async function commentsOn(number: number, by?: Pick<Forge, 'listComments'>): Promise<string[]> {
  const forge = by ?? (await world.as('alice'));
  const bodies = (await forge.listComments(world.repository, number)).map(({ body }) => body);
  return bodies.filter((body) => !body.includes('The review of this has stopped'));
}

async function fileIssue(text: string): Promise<number> {
  const alice = await world.as('alice');
  return (await alice.createIssue(world.repository, { title: 'T', body: text, labels: [] })).number;
}

/** The order that deliveries come in is nobody's to choose. */
function shuffle<T>(items: readonly T[], seed: number): T[] {
  const shuffled = [...items];
  let state = seed;
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = state % (index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T];
  }
  return shuffled;
}

/** What the ledger says about each delivery. */
async function readTold(lean: FleetWorld, events: readonly FleetEvent[]): Promise<Map<string, string[]>> {
  const told = new Map<string, string[]>();
  const note = (delivery: string, kind: string): unknown =>
    told.set(delivery, [...(told.get(delivery) ?? []), kind]);
  for (const subject of new Set(events.map(subjectOfEvent)))
    for (const entry of await lean.house.ledger.readSubject(subject)) {
      if (entry.kind === 'event-refused') note(entry.data.delivery, entry.kind);
      else if (entry.kind.startsWith('event-')) note(entry.key ?? '', entry.kind);
    }
  return told;
}

const orders = ['issue-opened', 'issue-assigned', 'comment-created', 'review-submitted', 'labeled'];

async function expectOneEffect(
  event: FleetEvent,
  told: readonly string[] | undefined,
  pull: number,
  alice: Pick<Forge, 'listComments' | 'getIssue'>,
): Promise<void> {
  const refused = orders.includes(event.kind) ? ['event-refused'] : [];
  expect(told, event.kind).toEqual(['event-received', ...refused, 'event-settled']);
  if (!('number' in event) || event.number === pull) return;
  expect(await commentsOn(event.number, alice)).toHaveLength(event.kind === 'labeled' ? 1 : 0);
  expect((await alice.getIssue(world.repository, event.number)).labels).toEqual([]);
}

describe('deliveries', () => {
  const count = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1' ? 10_000 : 100;

  const kinds = [
    ...['labeled', 'issue-opened', 'issue-assigned', 'comment-created', 'review-submitted'],
    ...['pull-request-opened', 'pull-request-synchronized', 'pull-request-reopened', 'workflow-completed'],
  ] as const;

  it(`${count} of them of every kind, three times each and in any order, have one effect each`, async () => {
    const alice = await world.as('alice');
    await world.as('triager', 'triage');
    const label = 'auto-merge';
    await alice.ensureLabel(world.repository, { name: label, colour: 'ededed', description: '' });
    const pull = await world.openPullRequest('big', { 'big.txt': manyLines });
    const by = { actor: 'mallory' };
    const text = '@claude please';
    const makers: Record<(typeof kinds)[number], (number: number, id: number) => FleetEvent> = {
      labeled: (number) => world.event('labeled', { number, isPullRequest: true, label, actor: 'triager' }),
      'issue-opened': (number) => world.event('issue-opened', { number, text, ...by }),
      'issue-assigned': (number) =>
        world.event('issue-assigned', { number, text, assignee: world.own, ...by }),
      'comment-created': (number, id) =>
        world.event('comment-created', { number, isPullRequest: false, comment: id, text, ...by }),
      'review-submitted': (_, review) => world.event('review-submitted', { ...pull, review, text, ...by }),
      'pull-request-opened': () => world.event('pull-request-opened', pull),
      'pull-request-synchronized': () => world.event('pull-request-synchronized', pull),
      'pull-request-reopened': () => world.event('pull-request-reopened', pull),
      'workflow-completed': (_, run) =>
        world.event('workflow-completed', { run, name: 'CI', head: pull.head, conclusion: 'success' }),
    };
    const events: FleetEvent[] = [];
    for (let index = 0; index < count; index += 1) {
      const kind = kinds[index % kinds.length] ?? 'labeled';
      const isOnIssue = ['labeled', 'issue-opened', 'issue-assigned', 'comment-created'].includes(kind);
      const issue = { title: `Issue ${index}`, body: '', labels: [] };
      const number = isOnIssue ? (await alice.createIssue(world.repository, issue)).number : 0;
      if (kind === 'labeled') await alice.editIssue(world.repository, number, { addLabels: [label] });
      events.push(makers[kind](number, index + 1));
    }
    const lean = await world.reopen({ GATEWRIGHT_AGENTS: 'pr-size-guardian,implementer' });
    const deliveries = shuffle([...events, ...events, ...events], 42);
    // As a server would: some are settled while others still come in.
    for (const [index, event] of deliveries.entries()) {
      await receiveEvent(lean.house, event);
      if (index % Math.ceil(deliveries.length / 7) === 0) await lean.settle();
    }
    await lean.settle();
    expect(await lean.house.views.listOpenEvents()).toEqual([]);
    const told = await readTold(lean, events);
    for (const event of events) await expectOneEffect(event, told.get(event.delivery), pull.number, alice);
    // However often it is opened, pushed to and opened again, it is told once that it is large.
    expect(await alice.listComments(world.repository, pull.number)).toHaveLength(1);
    const runs = await lean.house.views.listRuns();
    // Of a pull request that was opened again, only the reviewer wants to know, and it is off here.
    const waking = ['labeled', 'pull-request-opened', 'pull-request-synchronized'];
    const acted = events.filter(({ kind }) => waking.includes(kind));
    expect(runs.map(({ request }) => (request.workflow === 'agent' ? request.delivery : '')).sort()).toEqual(
      acted.map(({ delivery }) => delivery).sort(),
    );
    expect(runs.every(({ status }) => status === 'done')).toBe(true);
    expect((await lean.house.ledger.verify()).problems).toEqual([]);
  }, 3_600_000);

  it('that were cut off are taken up, and what was done is not done again', async () => {
    const { number, head } = await world.openPullRequest('big', { 'big.txt': manyLines });
    const { ledger } = world.house;
    await receiveEvent(world.house, world.event('pull-request-opened', { number, head }));
    // Dies at each of its writes in turn, after having done what it was about to write down.
    for (let fatal = 1; fatal < 20; fatal += 1) {
      let writes = 0;
      const dying = {
        ...world.house,
        fleet: { ...world.house.fleet, agents: ['pr-size-guardian'] as const },
        ledger: Object.assign(Object.create(ledger) as typeof ledger, {
          append: async (...given: Parameters<typeof ledger.append>) => {
            writes += 1;
            if (writes === fatal) throw new GatewrightError('lease-lost', 'killed');
            return ledger.append(...given);
          },
        }),
      };
      await handleOpenEvents(dying, { own: world.own }, () => undefined).catch(() => undefined);
    }
    await world.settle();
    expect(await commentsOn(number)).toHaveLength(1);
    expect(await world.house.views.listOpenEvents()).toEqual([]);
  });

  it('that were open already are followed to the end of what comes of them', async () => {
    await world.openPullRequest('big', { 'big.txt': manyLines });
    const lean = await world.reopen({ GATEWRIGHT_AGENTS: 'pr-size-guardian' });
    const { house, own } = lean;
    const eventFeed = house.eventFeed ?? expect.fail('The local forge tells what happens.');
    // Received, and killed before anything was done about it.
    await takeHappenings(house, eventFeed, 0);
    await handleFeed(house, { own }, () => undefined);
    const late: string[] = [];
    await takeHappenings(house, eventFeed, 0, ({ kind }) => late.push(kind));
    expect(late).toEqual([]);
    expect(await house.views.listOpenEvents()).toEqual([]);
  });

  it('whose run had stopped before they were settled do not run it again', async () => {
    const number = await fileIssue('Plain');
    const file = world.cassette({ format: 'gatewright-cassette/1', about: 'Empty.', models: {} });
    const lean = await world.reopen({
      ...{ GATEWRIGHT_AGENTS: 'implementer', GATEWRIGHT_CODER: `cassette:${file}` },
    });
    const { ledger } = lean.house;
    await receiveEvent(lean.house, lean.event('issue-opened', { number, text: '@claude please' }));
    const appendNew = ledger.appendNew.bind(ledger);
    ledger.appendNew = async (entries, fence) => {
      if (entries[0]?.kind === 'event-settled') throw new GatewrightError('lease-lost', 'killed');
      return appendNew(entries, fence);
    };
    await lean.settle().catch(() => undefined);
    ledger.appendNew = appendNew;
    const [outcome] = await lean.settle();
    const kinds = (await lean.entries(number)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'run-stopped')).toHaveLength(1);
    expect(kinds.at(-1)).toBe('event-settled');
    expect(outcome).toMatchObject({
      isSettled: true,
      outcomes: [{ status: expect.not.stringMatching('done') }],
    });
  });

  it('whose run had ended before they were settled are settled, and it is not run again', async () => {
    const { number, head } = await world.openPullRequest('big', { 'big.txt': manyLines });
    const lean = await world.reopen({ GATEWRIGHT_AGENTS: 'pr-size-guardian' });
    const { ledger } = lean.house;
    await receiveEvent(lean.house, lean.event('pull-request-opened', { number, head }));
    const appendNew = ledger.appendNew.bind(ledger);
    ledger.appendNew = async (entries, fence) => {
      if (entries[0]?.kind === 'event-settled') throw new GatewrightError('lease-lost', 'killed');
      return appendNew(entries, fence);
    };
    await lean.settle().catch(() => undefined);
    ledger.appendNew = appendNew;
    await lean.settle();
    const kinds = (await lean.entries(number)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'run-started' || kind === 'run-resumed')).toHaveLength(1);
    expect(kinds.at(-1)).toBe('event-settled');
  });

  it('that another process has settled meanwhile wake nobody, whatever has changed since', async () => {
    const number = await fileIssue('Plain');
    const lean = await world.reopen({ GATEWRIGHT_AGENTS: 'implementer' });
    const comment = { number, isPullRequest: false, comment: 1, text: '@claude implement this' };
    const event = lean.event('comment-created', { ...comment, actor: 'mallory' });
    const [refused] = await lean.deliver(event);
    expect(refused?.refused).toHaveLength(1);
    await world.as('mallory', 'write');
    // One that had listed what is open before, and was busy with something else until now.
    const outcome = await handleEvent(lean.house, event, { own: lean.own });
    expect(outcome).toMatchObject({ isSettled: true, outcomes: [], refused: [] });
    expect((await lean.entries(number)).map(({ kind }) => kind)).not.toContain('run-started');
  });

  it('wait when somebody else is at the subject', async () => {
    const { number, head } = await world.openPullRequest('big', { 'big.txt': manyLines });
    const got = await world.house.leases.acquire(`${world.repository}#${number}`);
    const [held] = await world.deliver(world.event('pull-request-opened', { number, head }));
    expect(held?.isSettled).toBe(false);
    expect(await commentsOn(number)).toEqual([]);
    if ('lease' in got) await got.lease.release();
    await world.settle();
    expect(await commentsOn(number)).toHaveLength(1);
  });
});

describe('orders', () => {
  it.each<[string, Permission | undefined, string]>([
    ['mallory', undefined, 'not-permitted'],
    ['reader', 'read', 'not-permitted'],
    ['triager', 'triage', 'not-permitted'],
    ['stranger[bot]', 'write', 'bot'],
  ])('of %s (%s) are refused, and the ledger says why', async (login, permission, because) => {
    const number = await fileIssue('Plain');
    if (permission !== undefined) await world.as(login, permission);
    const actorKind = login.endsWith('[bot]') ? 'bot' : 'person';
    const comment = { number, isPullRequest: false, comment: 1, text: '@claude implement this' };
    const [outcome] = await world.deliver(
      world.event('comment-created', { ...comment, actor: login, actorKind }),
    );
    expect(outcome?.outcomes).toEqual([]);
    const refused = (await world.entries(number)).filter((entry) => entry.kind === 'event-refused');
    expect(refused.map((entry) => entry.data)).toMatchObject([{ by: login, because, agent: 'implementer' }]);
  });

  it('in words of our own are refused, also under the account of a person', async () => {
    const number = await fileIssue('Plain');
    const marker = `<!-- gatewright:effect ${'a'.repeat(24)}.${'b'.repeat(40)} -->`;
    const comment = { number, isPullRequest: false, comment: 1 };
    const [bot] = await world.deliver(
      world.event('comment-created', {
        ...comment,
        text: '@claude go on',
        actor: world.own,
        actorKind: 'bot',
      }),
    );
    expect(bot?.refused).toMatchObject([{ because: 'own' }]);
    await receiveEvent(
      world.house,
      world.event('comment-created', { ...comment, text: `@claude go on\n\n${marker}` }),
    );
    const outcomes: unknown[] = [];
    await handleOpenEvents(world.house, { own: 'alice' }, (one) => outcomes.push(one));
    expect(outcomes).toMatchObject([{ refused: [{ because: 'own' }], outcomes: [] }]);
  });
});

describe('labels', () => {
  async function setLabel(login: string, number: number, label: string): Promise<void> {
    const alice = await world.as('alice');
    await alice.ensureLabel(world.repository, { name: label, colour: 'ededed', description: '' });
    await alice.editIssue(world.repository, number, { addLabels: [label] });
    await world.deliver(
      world.event('labeled', { number, isPullRequest: true, label, actor: login, actorKind: 'person' }),
    );
  }

  async function labelsOf(number: number): Promise<readonly string[]> {
    return (await (await world.as('alice')).getIssue(world.repository, number)).labels;
  }

  it('that steer are taken off again when somebody without the right set them, with one reason', async () => {
    const { number } = await world.openPullRequest('small', { 'small.txt': 'x\n' });
    await world.as('triager', 'triage');
    await setLabel('triager', number, 'auto-merge');
    expect(await labelsOf(number)).toEqual([]);
    await setLabel('triager', number, 'auto-merge');
    expect(await labelsOf(number)).toEqual([]);
    expect(await commentsOn(number)).toHaveLength(1);
  });

  it('that are nobody’s business are left alone', async () => {
    const { number } = await world.openPullRequest('small', { 'small.txt': 'x\n' });
    await world.as('triager', 'triage');
    await setLabel('triager', number, 'nice');
    expect(await labelsOf(number)).toEqual(['nice']);
    expect(await commentsOn(number)).toEqual([]);
  });
});
