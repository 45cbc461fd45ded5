/** The SQLite ledger passes the ledger contract; and many processes may write one chain. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../../src/adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { VerifyReport } from '../../src/ports/ledger.ts';
import { describeLedger, type LedgerWorld } from './ledger.contract.ts';
import { describeLedgerStates } from './ledger-states.contract.ts';
import { describeLedgerUsage } from './ledger-usage.contract.ts';
import { runChildren } from './run-children.ts';
import { SqliteWorld } from './sqlite-world.ts';

async function makeLedger(): Promise<LedgerWorld> {
  const world = new SqliteWorld();
  return {
    ledger: world.ledger,
    another: () => new SqliteLedger(world.database, world.clock, readSigningKey(world.file, world.database)),
    advance: (milliseconds) => world.clock.advance(milliseconds),
    now: () => world.clock.now(),
    async useEarlierAnswer(subject) {
      world.clock.advance(60_000);
      const got = await world.leasesOf('alice').acquire(subject);
      if (!('lease' in got)) throw new Error('The lease did not lapse.');
      return got.lease;
    },
    close: async () => world.remove(),
  };
}

describeLedger('SqliteLedger', makeLedger);
describeLedgerStates('SqliteLedger', makeLedger);
describeLedgerUsage('SqliteLedger', makeLedger);

// Other processes run the rules as they are, whatever a mutant does to them.
describe.skipIf(process.env.GATEWRIGHT_MUTATE_TESTS !== undefined)('SqliteLedger', () => {
  it('is one sound chain after six processes appended 100 entries each', async () => {
    const world = new SqliteWorld();
    const subject = 'local/project:load';
    const writers = Array.from({ length: 6 }, (_, index) => `writer-${index}`);
    const written = await runChildren<number[]>(
      new URL('./append-entries-child.ts', import.meta.url),
      writers.map((writer) => [world.file, subject, writer, '100']),
    );
    const entries = await world.ledger.readSubject(subject);
    const report = await world.ledger.verify();
    const own = await Promise.all(writers.map((writer) => world.ledger.readRun(writer)));
    world.remove();

    expect(report).toEqual({ subjects: 1, entries: 600, problems: [] });
    expect(entries.map((entry) => entry.seq)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
    expect(own.map((list) => list.map((entry) => entry.seq))).toEqual(written);
    // They did compete: no writer had the chain for itself.
    expect(written.some((sequence) => (sequence.at(-1) ?? 0) - (sequence[0] ?? 0) > 99)).toBe(true);
  });

  it('is made once by whichever of five processes that open it for the first time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gw-ledger-'));
    const twins = 5;
    // Making it takes a moment that is easily missed; many tries make sure that they meet in it.
    const count = 60;
    const failures = await runChildren<string[]>(
      new URL('./open-databases-child.ts', import.meta.url),
      Array.from({ length: twins }, () => [folder, String(count)]),
    );
    const reports: VerifyReport[] = [];
    for (let index = 0; index < count; index += 1) {
      const file = join(folder, String(index), 'gatewright.db');
      const database = openDatabase(file);
      reports.push(await new SqliteLedger(database, systemClock, readSigningKey(file, database)).verify());
      database.close();
    }
    rmSync(folder, { recursive: true, force: true });
    expect(failures.flat()).toEqual([]);
    expect(reports).toEqual(reports.map(() => ({ subjects: 1, entries: twins, problems: [] })));
  });
});
