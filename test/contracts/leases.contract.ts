/** What every lease office has to do: one holder at a time, tokens that only grow, and nobody waits for the dead. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease, Leases } from '../../src/ports/leases.ts';

export interface OtherProcess {
  /** What it got: a token, or the process that holds the subject. */
  readonly got: { readonly token: number } | { readonly heldBy: number };
  readonly process: number;
  /** Kills it and waits until it is gone. */
  kill(): Promise<void>;
}

export interface LeasesWorld {
  leasesOf(actor: string): Leases;
  /** The clock of `leasesOf` stands still in between and agrees with the real one at first. */
  advance(milliseconds: number): void;
  now(): Date;
  /** A process of its own asks for the subject and stays alive. */
  acquireElsewhere(subject: string, actor: string): Promise<OtherProcess>;
  close(): Promise<void>;
}

const subject = 'local/project:export';

export async function take(leases: Leases, wanted = subject): Promise<Lease> {
  const got = await leases.acquire(wanted);
  if (!('lease' in got)) throw new Error(`${wanted} is held by ${got.heldBy.actor}.`);
  return got.lease;
}

export function describeLeases(name: string, makeLeases: () => Promise<LeasesWorld>): void {
  describe(`${name} gives leases`, () => {
    let world: LeasesWorld;
    let alice: Leases;
    let bob: Leases;

    beforeEach(async () => {
      world = await makeLeases();
      alice = world.leasesOf('alice');
      bob = world.leasesOf('bob');
    });
    afterEach(() => world.close());

    it('tells whose a subject is', async () => {
      expect(await alice.holderOf(subject)).toBeNull();
      const lease = await take(alice);
      expect(lease.subject).toBe(subject);
      expect(lease.holder).toMatchObject({
        actor: 'alice',
        process: process.pid,
        since: world.now().toISOString(),
      });
      expect(await bob.holderOf(subject)).toEqual(lease.holder);
      expect(await bob.holderOf('local/project:other')).toBeNull();
    });

    it('takes a subject from its holder when a person wants it', async () => {
      const lease = await take(alice);
      const seized = await bob.seize(subject);
      expect(seized.token).toBeGreaterThan(lease.token);
      expect(await alice.holderOf(subject)).toMatchObject({ actor: 'bob' });
      expect([await lease.renew(), await seized.renew()]).toEqual([false, true]);
      // What the old holder gives back is not its own any more.
      await lease.release();
      expect(await alice.holderOf(subject)).toMatchObject({ actor: 'bob' });
      await seized.release();
      expect((await alice.seize('local/project:free')).token).toBe(1);
    });

    it('gives a subject to one at a time, and others to others', async () => {
      const lease = await take(alice);
      expect(await bob.acquire(subject)).toEqual({ heldBy: lease.holder });
      expect(await alice.acquire(subject)).toEqual({ heldBy: lease.holder });
      expect((await take(bob, 'local/project:other')).holder.actor).toBe('bob');
      expect(await alice.holderOf(subject)).toEqual(lease.holder);
    });

    it('is free after a release, and its token grows each time', async () => {
      const tokens: number[] = [];
      for (const leases of [alice, bob, bob, alice]) {
        const lease = await take(leases);
        tokens.push(lease.token);
        await lease.release();
        expect(await alice.holderOf(subject)).toBeNull();
      }
      expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
    });

    it('lapses after 30 seconds and not before', async () => {
      const lease = await take(alice);
      world.advance(29_999);
      expect(await bob.acquire(subject)).toEqual({ heldBy: lease.holder });
      expect(await bob.holderOf(subject)).toEqual(lease.holder);
      world.advance(1);
      expect(await bob.holderOf(subject)).toBeNull();
      expect((await take(bob)).token).toBeGreaterThan(lease.token);
    });

    it('lives as long as it is renewed', async () => {
      const lease = await take(alice);
      for (let index = 0; index < 5; index += 1) {
        world.advance(20_000);
        expect(await lease.renew()).toBe(true);
      }
      world.advance(29_999);
      expect(await bob.acquire(subject)).toEqual({ heldBy: lease.holder });
      world.advance(1);
      expect(await bob.holderOf(subject)).toBeNull();
    });

    it('cannot be renewed or released by somebody who lost it', async () => {
      const lost = await take(alice);
      world.advance(30_000);
      const lease = await take(bob);
      expect(await lost.renew()).toBe(false);
      expect(await alice.holderOf(subject)).toEqual(lease.holder);
      await lost.release();
      expect(await alice.holderOf(subject)).toEqual(lease.holder);
      world.advance(29_999);
      expect(await lease.renew()).toBe(true);
    });

    it('does not come back to life when a late renewal follows its release', async () => {
      const lease = await take(alice);
      await lease.release();
      expect(await lease.renew()).toBe(false);
      expect(await bob.holderOf(subject)).toBeNull();
    });

    it('is held by a living process elsewhere, and free at once when that is killed', async () => {
      const other = await world.acquireElsewhere(subject, 'carol');
      if (!('token' in other.got)) throw new Error('The other process got nothing.');
      expect(await alice.holderOf(subject)).toMatchObject({ actor: 'carol', process: other.process });
      expect(await alice.acquire(subject)).toMatchObject({
        heldBy: { actor: 'carol', process: other.process },
      });
      await other.kill();
      expect(await alice.holderOf(subject)).toBeNull();
      expect((await take(alice)).token).toBeGreaterThan(other.got.token);
    });

    it('tells a process elsewhere who holds it', async () => {
      await take(alice);
      const other = await world.acquireElsewhere(subject, 'carol');
      expect(other.got).toEqual({ heldBy: process.pid });
      await other.kill();
    });

    it('is given to exactly one of several processes that ask at once', async () => {
      const others = await Promise.all(
        ['p', 'q', 'r', 's'].map((actor) => world.acquireElsewhere(subject, actor)),
      );
      const winners = others.filter((other) => 'token' in other.got);
      expect(winners).toHaveLength(1);
      for (const other of others) {
        if ('heldBy' in other.got) expect(other.got.heldBy).toBe(winners[0]?.process);
      }
      await Promise.all(others.map((other) => other.kill()));
    });
  });
}
