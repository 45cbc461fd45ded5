/** Composition, the light part: the database and what lists read. `status` loads this and nothing more. */
import { countDeliveries } from '../adapters/inbox/count-deliveries.ts';
import { LocalClosedIssues } from '../adapters/local-forge/local-closed-issues.ts';
import { MovedRunViews } from '../adapters/local-forge/moved-run-views.ts';
import { openDatabase, openDatabaseToRead, type SqliteDatabase } from '../adapters/sqlite/database.ts';
import { SqliteLeases } from '../adapters/sqlite/sqlite-leases.ts';
import { isEventKnown } from '../adapters/sqlite/sqlite-run-views.ts';
import type { BaseConfig } from '../config/read-config.ts';
import type { ClosedIssues } from '../ports/closed-issues.ts';
import type { DeliveryCount } from '../ports/inbox.ts';
import type { Leases } from '../ports/leases.ts';
import type { RunViews } from '../ports/ledger.ts';
import type { Records } from '../runs/house.ts';

export function composeViews(
  config: BaseConfig,
): { views: RunViews; leases: Leases; closed: ClosedIssues; countDeliveries: () => DeliveryCount } | null {
  const database = openDatabaseToRead(config.databaseFile);
  if (database === null) return null;
  const clock = { now: () => new Date() };
  return {
    views: new MovedRunViews(database, () => process.cwd()),
    leases: new SqliteLeases(database, clock, config.actor),
    closed: new LocalClosedIssues(database),
    countDeliveries: () =>
      countDeliveries(config.databaseFile, (delivery) => isEventKnown(database, delivery)),
  };
}

/** Everything recorded, for writing; or for looking only, which works on a copy or a mount that cannot be written, too. */
export async function composeRecords(
  config: BaseConfig,
  use: 'write' | 'look' = 'write',
): Promise<{ records: Records; database: SqliteDatabase; signingKey: string; keepTexts: () => void }> {
  const [{ SqliteLedger }, { readSigningKey }, { systemClock }] = await Promise.all([
    import('../adapters/sqlite/sqlite-ledger.ts'),
    import('../adapters/sqlite/signing-key.ts'),
    import('../adapters/system/system-clock.ts'),
  ]);
  const database =
    (use === 'look' ? openDatabaseToRead(config.databaseFile) : null) ?? openDatabase(config.databaseFile);
  const signingKey = readSigningKey(config.databaseFile, database);
  const ledger = new SqliteLedger(database, systemClock, signingKey);
  const records: Records = {
    ledger,
    views: new MovedRunViews(database, () => process.cwd()),
    leases: new SqliteLeases(database, systemClock, config.actor),
    clock: systemClock,
    actor: config.actor,
  };
  return { records, database, signingKey, keepTexts: () => ledger.keepTexts() };
}
