/** Events that no agent reacts to are settled together, each once, and never before an earlier one that an agent has to see. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { makeMortalLedger } from '../../test/support/mortal-ledger.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import { handleOpenEvents } from './handle-event.ts';
import { handleQuietEvents } from './handle-quiet-events.ts';
import { receiveEvent } from './receive-event.ts';

let world: FleetWorld;
let number: number;
beforeEach(async () => {
  const first = await FleetWorld.open();
  world = await first.reopen({ GATEWRIGHT_AGENTS: 'implementer' });
  const alice = await world.as('alice');
  ({ number } = await alice.createIssue(world.repository, { title: 'T', body: 'B', labels: [] }));
});
afterEach(() => world.remove());

const say = (text: string, more: object = {}): FleetEvent =>
  world.event('comment-created', { number, isPullRequest: false, comment: 1, text, ...more });

async function receive(...events: FleetEvent[]): Promise<FleetEvent[]> {
  for (const event of events) await receiveEvent(world.house, event);
  return events;
}

const open = () => world.house.views.listOpenEvents({ repository: world.repository });
const session = { own: 'gatewright[bot]' };
const deliveries = (events: readonly { readonly event: FleetEvent }[]) =>
  events.map(({ event }) => event.delivery);

describe('settleQuiet', () => {
  it('settles in one transaction what nobody is called by, and what is refused without asking', async () => {
    const quiet = await receive(...Array.from({ length: 20 }, () => say('Nice.')));
    const own = await receive(
      say('@claude <!-- gatewright:effect x -->', { actor: session.own, actorKind: 'bot' }),
    );
    const { ledger, count } = makeMortalLedger(world.house.ledger, { write: 0, isWritten: true });
    const settled = await handleQuietEvents({ ...world.house, ledger }, await open(), session);
    expect(count()).toBe(1);
    expect(deliveries(settled)).toEqual([...quiet, ...own].map(({ delivery }) => delivery));
    expect(await open()).toEqual([]);
    const kinds = (await world.entries(number)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'event-settled')).toHaveLength(21);
    expect(kinds.filter((kind) => kind === 'event-refused')).toHaveLength(1);
  });

  it('leaves what an agent reacts to, what the forge has to be asked about, and what follows it on the subject', async () => {
    const other = await (await world.as('alice')).createIssue(world.repository, {
      title: 'U',
      body: '',
      labels: [],
    });
    const [first] = await receive(say('Nice.'));
    await receive(say('@claude do it'), say('Later.'));
    const [elsewhere] = await receive(say('Nice.', { number: other.number }));
    await receive(world.event('labeled', { number: other.number, isPullRequest: false, label: 'hold' }));
    const all = await open();
    expect(
      deliveries(await handleQuietEvents(world.house, all.slice(1), session, { isInOrder: true })),
    ).toEqual([]);
    expect(deliveries(await handleQuietEvents(world.house, all, { ...session, dryRun: true }))).toEqual([]);
    expect(deliveries(await handleQuietEvents(world.house, all, session))).toEqual([
      first?.delivery,
      elsewhere?.delivery,
    ]);
    expect(await open()).toHaveLength(3);
    expect(await handleQuietEvents(world.house, await open(), session)).toEqual([]);
  });

  it('settles each once, whenever it is killed', async () => {
    for (const isWritten of [false, true]) {
      await receive(...Array.from({ length: 5 }, () => say('Nice.')));
      const { ledger } = makeMortalLedger(world.house.ledger, { write: 1, isWritten });
      await expect(handleOpenEvents({ ...world.house, ledger }, session, () => undefined)).rejects.toThrow();
      expect(await open()).toHaveLength(isWritten ? 0 : 5);
      await handleOpenEvents(world.house, session, () => undefined);
      expect(await open()).toEqual([]);
    }
    const settled = (await world.entries(number)).filter(({ kind }) => kind === 'event-settled');
    expect(settled).toHaveLength(10);
    expect((await world.house.ledger.verify()).problems).toEqual([]);
  });

  it('is not kept from the others by a chain that was tampered with', async () => {
    const other = await (await world.as('alice')).createIssue(world.repository, {
      title: 'U',
      body: '',
      labels: [],
    });
    await receive(say('Nice.'), say('Nice.', { number: other.number }), say('Nice.'));
    const database = new Database(world.playground.database);
    const subject = `${world.repository}#${other.number}`;
    database.prepare(`UPDATE ledger_heads SET signature = 'x' WHERE subject = ?`).run(subject);
    database.close();
    expect(await handleQuietEvents(world.house, await open(), session)).toHaveLength(2);
    expect(await open()).toMatchObject([{ subject }]);
  });

  it('costs as many transactions as there are hundreds of events, between those that an agent reacts to', async () => {
    await receive(...Array.from({ length: 150 }, () => say('Nice.')));
    const { ledger, count } = makeMortalLedger(world.house.ledger, { write: 0, isWritten: true });
    let settled = 0;
    await handleOpenEvents({ ...world.house, ledger }, session, () => {
      settled += 1;
    });
    expect([settled, count()]).toEqual([150, 2]);
  });
});
