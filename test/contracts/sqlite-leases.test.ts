/** Leases on SQLite pass the contract; and how they tell the living from the dead. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeaseChildren } from './lease-children.ts';
import { describeLeases, take } from './leases.contract.ts';
import { SqliteWorld } from './sqlite-world.ts';

describeLeases('SqliteLeases', async () => {
  const world = new SqliteWorld();
  const children = new LeaseChildren(new URL('./hold-lease-child.ts', import.meta.url));
  return {
    leasesOf: (actor) => world.leasesOf(actor),
    advance: (milliseconds) => world.clock.advance(milliseconds),
    now: () => world.clock.now(),
    acquireElsewhere: (subject, actor) => children.start(world.file, subject, actor),
    async close() {
      children.killAll();
      world.remove();
    },
  };
});

describe('SqliteLeases', () => {
  const subject = 'local/project:export';
  let world: SqliteWorld;

  beforeEach(() => {
    world = new SqliteWorld();
  });
  afterEach(() => world.remove());

  const set = (column: string, value: unknown): void => {
    expect(world.raw.prepare(`UPDATE leases SET ${column} = ?`).run(value).changes).toBe(1);
  };

  it('does not take a process for the holder because it got the same number', async () => {
    const { token } = await take(world.leasesOf('alice'), subject);
    const start = world.raw.prepare('SELECT process_start FROM leases').pluck().get();
    expect(start).toMatch(/^\d+$/u);
    // As if the holder had died and this process had been given its number later.
    set('process_start', String(Number(start) - 1));
    expect(await world.leasesOf('bob').holderOf(subject)).toBeNull();
    expect((await take(world.leasesOf('bob'), subject)).token).toBe(token + 1);
  });

  it('waits for a lease to lapse when its holder is on another machine', async () => {
    await take(world.leasesOf('alice'), subject);
    set('host', 'another-machine');
    set('process', 2 ** 22 + 1);
    expect(await world.leasesOf('bob').acquire(subject)).toMatchObject({
      heldBy: { host: 'another-machine' },
    });
    world.clock.advance(30_000);
    expect((await take(world.leasesOf('bob'), subject)).holder.actor).toBe('bob');
  });

  it('believes that a holder lives when its start cannot be told', async () => {
    const { holder } = await take(world.leasesOf('alice'), subject);
    set('process_start', '');
    expect(await world.leasesOf('bob').holderOf(subject)).toEqual(holder);
  });
});
