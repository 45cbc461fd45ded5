/** A scheduled agent dies at a write of the ledger and is taken up again: it leaves what an undisturbed one leaves. */
import { describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import type { Death } from '../../../test/support/mortal-ledger.ts';
import {
  dieWhileSettling,
  fileIssue,
  forgeInThePast,
  listDeaths,
  lookAtForge,
  slot,
} from '../../../test/support/scheduled-world.ts';
import type { EventOf } from '../../domain/fleet/event.ts';

interface Scene {
  readonly world: FleetWorld;
  readonly event: EventOf<'schedule-due'>;
}

/** A day with news, and the digest of the day before, which it closes. */
async function prepareDigest(): Promise<Scene> {
  const world = await FleetWorld.open();
  await fileIssue(forgeInThePast(world, 'alice', 1.5), world.repository, 'Yesterday');
  await world.deliver(slot(world, 'daily-digest', -1));
  await fileIssue(await world.as('alice'), world.repository, 'New');
  return { world, event: slot(world, 'daily-digest', 1 / 1440) };
}

async function prepareReport(): Promise<Scene> {
  const world = await FleetWorld.open();
  return { world, event: slot(world, 'health-report', 1 / 1440) };
}

/** A round that closes one, takes the mark off another, and marks and labels a third. */
async function prepareGardener(): Promise<Scene> {
  const world = await FleetWorld.open();
  const { repository } = world;
  const old = forgeInThePast(world, 'alice', 70);
  for (const title of ['Abandoned', 'Wanted']) await fileIssue(old, repository, title, ['feature']);
  await world.deliver(slot(world, 'stale-gardener'));
  await (await world.as('alice')).createComment(repository, 2, 'I want this');
  await fileIssue(forgeInThePast(world, 'alice', 20), repository, 'It crashes');
  return { world, event: slot(world, 'stale-gardener', 15) };
}

async function walk(prepare: () => Promise<Scene>, death: Death) {
  const { world, event } = await prepare();
  const writes = await dieWhileSettling(world, event, death);
  const reopened = await world.reopen({});
  await reopened.deliver(event);
  const left = await lookAtForge(reopened);
  const open = await reopened.house.views.listOpenEvents();
  const { problems } = await reopened.house.ledger.verify();
  world.remove();
  return { writes, left, open, problems };
}

const never = { write: 0, isWritten: false };

describe('a scheduled agent that dies', () => {
  it.each([
    ['gardener', prepareGardener],
    ['digest', prepareDigest],
    ['health report', prepareReport],
  ])(
    'leaves the same as one that does not: the %s',
    async (_, prepare) => {
      const whole = await walk(prepare, never);
      expect(whole.writes).toBeGreaterThan(10);
      for (const death of listDeaths(whole.writes)) {
        const { left, open, problems } = await walk(prepare, death);
        expect(left, JSON.stringify(death)).toEqual(whole.left);
        expect([open, problems], JSON.stringify(death)).toEqual([[], []]);
      }
    },
    300_000,
  );

  it('does in that round what the walk is to show', async () => {
    expect((await walk(prepareGardener, never)).left).toMatchObject([
      { number: 5, labels: ['gardener-report'], comments: [] },
      { number: 4, state: 'open', labels: ['bug', 'stale'], labelled: ['added stale', 'added bug'] },
      { number: 3, labels: ['gardener-report'] },
      { number: 2, state: 'open', labels: ['feature'] },
      { number: 1, state: 'closed', labels: ['feature', 'stale'] },
    ]);
    expect((await walk(prepareDigest, never)).left).toMatchObject([
      { labels: ['daily-digest'], state: 'open' },
      {},
      { labels: ['daily-digest'], state: 'closed' },
      {},
    ]);
    expect((await walk(prepareReport, never)).left).toMatchObject([{ labels: ['agent-health-report'] }]);
  });
});

describe('a gardener that is taken up again', () => {
  it('drops what was overtaken before it was taken up again', async () => {
    const { world, event } = await prepareGardener();
    // Everything is decided, nothing is done.
    await dieWhileSettling(world, event, { write: 3, isWritten: true });
    const alice = await world.as('alice');
    await alice.createComment(world.repository, 1, 'Not so fast');
    const reopened = await world.reopen({});
    const [settled] = await reopened.deliver(event);
    expect(settled?.outcomes[0]?.reason.message).toBe('did 3 of 4 things that were to do');
    const { state } = await alice.getIssue(world.repository, 1);
    expect(state).toBe('open');
    const [report] = await alice.listIssues(world.repository, { label: 'gardener-report' });
    expect(report?.body).toContain('1 more thing given up, because people did something meanwhile.');
    world.remove();
  });

  it('does not close what somebody spoke on after it had begun to', async () => {
    const { world, event } = await prepareGardener();
    // The fourth write is the intent to close.
    await dieWhileSettling(world, event, { write: 4, isWritten: true });
    const intents = (await world.house.ledger.readSubject(`${world.repository}~stale-gardener`)).filter(
      (entry) => entry.kind === 'effect-intended',
    );
    expect(intents.at(-1)?.data.effect).toMatchObject({ kind: 'close-issue', number: 1 });
    const alice = await world.as('alice');
    await alice.createComment(world.repository, 1, 'Not so fast');
    await (await world.reopen({})).deliver(event);
    expect((await alice.getIssue(world.repository, 1)).state).toBe('open');
    world.remove();
  });
});
