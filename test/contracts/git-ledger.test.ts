/** The ledger on a git ref passes the contracts of ledgers, leases and views, on a repository here and on a server. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { makeGitRunViews } from '../../src/adapters/git-ledger/git-run-views.ts';
import { SqliteRunViews } from '../../src/adapters/sqlite/sqlite-run-views.ts';
import { GitLedgerWorld, type Where } from './git-ledger-world.ts';
import { LeaseChildren } from './lease-children.ts';
import { describeLeases } from './leases.contract.ts';
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
});
