/** The ledger on a git ref passes the contracts of ledgers, leases and views, on a repository here and on a server. */
import { mkdtempSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeGitRunViews } from '../../src/adapters/git-ledger/git-run-views.ts';
import { SqliteRunViews } from '../../src/adapters/sqlite/sqlite-run-views.ts';
import { GitLedgerWorld, type Where } from './git-ledger-world.ts';
import { LeaseChildren } from './lease-children.ts';
import { describeLeases, take } from './leases.contract.ts';
import { describeLedger, type LedgerWorld } from './ledger.contract.ts';
import { describeLedgerStates } from './ledger-states.contract.ts';
import { describeLedgerUsage } from './ledger-usage.contract.ts';
import { describeRunViews } from './run-views.contract.ts';

describe.each(['local', 'remote'] as const)('a ref that is %s', (where: Where) => {
  async function makeLedger(): Promise<LedgerWorld> {
    const world = new GitLedgerWorld(where);
    const machine = world.addMachine();
    const other = world.addMachine();
    return {
      ledger: machine.ledger,
      another: () => other.ledger,
      advance: (milliseconds) => world.clock.advance(milliseconds),
      now: () => world.clock.now(),
      async useEarlierAnswer(subject) {
        world.clock.advance(60_000);
        const got = await other.leasesOf('alice').acquire(subject);
        if (!('lease' in got)) throw new Error('The lease did not lapse.');
        return got.lease;
      },
      close: async () => world.remove(),
    };
  }

  describeLedger('GitLedger', makeLedger);
  describeLedgerStates('GitLedger', makeLedger);
  describeLedgerUsage('GitLedger', makeLedger);

  describeRunViews('GitLedger', async () => {
    const world = new GitLedgerWorld(where);
    const [writer, reader] = [world.addMachine(), world.addMachine()];
    return {
      ledger: writer.ledger,
      views: makeGitRunViews(reader.shared, new SqliteRunViews(reader.database)),
      advance: (milliseconds) => world.clock.advance(milliseconds),
      now: () => world.clock.now(),
      close: async () => world.remove(),
    };
  });

  describeLeases('GitLeases', async () => {
    const world = new GitLedgerWorld(where);
    const children = new LeaseChildren(new URL('./hold-git-lease-child.ts', import.meta.url));
    const machines = new Map([
      ['alice', world.addMachine()],
      ['bob', world.addMachine()],
    ]);
    return {
      leasesOf: (actor) => (machines.get(actor) ?? world.addMachine()).leasesOf(actor),
      advance: (milliseconds) => world.clock.advance(milliseconds),
      now: () => world.clock.now(),
      acquireElsewhere: (subject, actor) =>
        children.start(where, world.repository, mkdtempSync(join(world.folder, 'child-')), subject, actor),
      async close() {
        children.killAll();
        world.remove();
      },
    };
  });

  describe('GitLeases of machines with the same name', () => {
    let world: GitLedgerWorld;
    let children: LeaseChildren;
    const subject = 'local/project:export';

    beforeEach(() => {
      world = new GitLedgerWorld(where);
      children = new LeaseChildren(new URL('./hold-git-lease-child.ts', import.meta.url));
    });
    afterEach(() => {
      children.killAll();
      world.remove();
    });

    /** As a job leaves it that is cut off. */
    async function leaveLease(): Promise<number> {
      const folder = mkdtempSync(join(world.folder, 'child-'));
      const other = await children.start(where, world.repository, folder, subject, 'carol');
      await other.kill();
      return other.process;
    }

    it.each([
      ['another boot', '0123456789abcdef'],
      ['a machine that cannot be told', null],
    ])('are not robbed by %s before they lapse', async (_, machine) => {
      const process = await leaveLease();
      const leases = world.addMachine().leasesOf('bob', machine);
      const heldBy = { actor: 'carol', process, host: hostname() };
      expect(await leases.acquire(subject)).toMatchObject({ heldBy });
      expect(await leases.holderOf(subject)).toMatchObject(heldBy);
      world.clock.advance(60_000);
      expect((await take(leases, subject)).holder.actor).toBe('bob');
    });

    it('are not robbed when they do not say which boot they are of', async () => {
      await take(world.addMachine().leasesOf('alice', null), subject);
      expect(await world.addMachine().leasesOf('bob').acquire(subject)).toMatchObject({
        heldBy: { actor: 'alice' },
      });
    });

    it('lose a dead holder at once on the same boot', async () => {
      await leaveLease();
      expect((await take(world.addMachine().leasesOf('bob'), subject)).holder.actor).toBe('bob');
    });
  });
});
