/** Composition, the light part: the database and what lists read. `status` loads this and nothing more. */

import { dirname } from 'node:path';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { countDeliveries } from '../adapters/inbox/count-deliveries.ts';
import { LocalClosedIssues } from '../adapters/local-forge/local-closed-issues.ts';
import { MovedRunViews } from '../adapters/local-forge/moved-run-views.ts';
import { listUnsent } from '../adapters/notifications/list-unsent.ts';
import { openDatabase, openDatabaseToRead, type SqliteDatabase } from '../adapters/sqlite/database.ts';
import { SqliteLeases } from '../adapters/sqlite/sqlite-leases.ts';
import { isEventKnown } from '../adapters/sqlite/sqlite-run-views.ts';
import type { BaseConfig, ForgeKind } from '../config/read-config.ts';
import type { RecordsUse } from '../entrypoints/cli/app.ts';
import type { ClosedIssues } from '../ports/closed-issues.ts';
import type { DeliveryCount } from '../ports/inbox.ts';
import type { Leases } from '../ports/leases.ts';
import type { RunViews } from '../ports/ledger.ts';
import type { UnsentMessage } from '../ports/notifications/notification-channel.ts';
import type { Records } from '../runs/house.ts';
import type { Place } from './find-place.ts';

export interface ComposedViews {
  readonly views: RunViews;
  readonly leases: Leases;
  readonly closed: ClosedIssues;
  readonly countDeliveries: () => DeliveryCount;
  readonly listUnsent: () => readonly UnsentMessage[];
}

export interface ComposedRecords {
  readonly records: Records;
  /** Of this machine: the local forge is in it, and what no other machine needs to know. */
  readonly database: SqliteDatabase;
  readonly signingKey: string;
  readonly openCheckpoints: () => Promise<BaseCheckpointSaver>;
  /** Where all else goes that is made for a scratch copy; it goes away with the program. */
  readonly folder: string | null;
}

/** Which repository a ledger on a git ref belongs to. */
export interface LedgerHome extends Place {
  readonly forge: ForgeKind;
}

export async function composeViews(config: BaseConfig): Promise<ComposedViews | null> {
  if (config.ledger === 'ref') return (await import('./compose-ref-records.ts')).composeRefViews(config);
  const database = openDatabaseToRead(config.databaseFile);
  if (database === null) return null;
  const clock = { now: () => new Date() };
  return {
    views: new MovedRunViews(database, () => process.cwd()),
    leases: new SqliteLeases(database, clock, config.actor),
    closed: new LocalClosedIssues(database),
    countDeliveries: () =>
      countDeliveries(config.databaseFile, (delivery) => isEventKnown(database, delivery)),
    listUnsent: () => listUnsent(database, clock.now()),
  };
}

/**
 * Everything recorded: for writing; for looking only, which works on a copy or a mount that cannot be written, too; or as
 * a copy that goes away with the program. @param home when it is known already; else it is looked for
 */
export async function composeRecords(
  config: BaseConfig,
  use: RecordsUse = 'write',
  home?: LedgerHome,
): Promise<ComposedRecords> {
  if (config.ledger === 'ref')
    return (await import('./compose-ref-records.ts')).composeRefRecords(config, use, home);
  const [{ readSigningKey }, { composeOnDatabase }] = await Promise.all([
    import('../adapters/sqlite/signing-key.ts'),
    import('./compose-on-database.ts'),
  ]);
  const database =
    (use === 'look' ? openDatabaseToRead(config.databaseFile) : null) ?? openDatabase(config.databaseFile);
  const signingKey = readSigningKey(config.databaseFile, database);
  if (use !== 'scratch')
    return composeOnDatabase(config, { database, source: database, signingKey, root: null, folder: null });
  const copy = (await import('../adapters/sqlite/open-copy.ts')).openCopy(database);
  const folder = dirname(copy.name);
  return composeOnDatabase(config, { database: copy, source: copy, signingKey, root: null, folder });
}
