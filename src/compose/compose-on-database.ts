/** Composition of records that are in one database of this machine. */
import { MovedRunViews } from '../adapters/local-forge/moved-run-views.ts';
import type { SqliteDatabase } from '../adapters/sqlite/database.ts';
import { SqliteLeases } from '../adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { BaseConfig } from '../config/read-config.ts';
import type { Sha256 } from '../domain/ledger/hash.ts';
import type { ComposedRecords } from './compose-records.ts';

interface Source {
  /** Of this machine. */
  readonly database: SqliteDatabase;
  /** Where the ledger is. */
  readonly source: SqliteDatabase;
  readonly signingKey: string;
  /** The repository that all runs are in, where other machines wrote the ledger; else each run names its own. */
  readonly root: string | null;
  /** Looks for a text that this ledger does not have. */
  readonly findText?: (hash: Sha256) => Promise<string | null>;
  /** Where the rest goes that is made for a scratch copy; null where both are the originals. */
  readonly folder: string | null;
}

export function composeOnDatabase(
  { actor }: Pick<BaseConfig, 'actor'>,
  { database, source: own, signingKey, root, folder, findText }: Source,
): ComposedRecords {
  const ledger = new SqliteLedger(own, systemClock, signingKey, findText === undefined ? {} : { findText });
  return {
    records: {
      ledger,
      views: new MovedRunViews(own, () => root ?? process.cwd(), root !== null),
      leases: new SqliteLeases(own, systemClock, actor),
      clock: systemClock,
      actor,
    },
    database,
    signingKey,
    folder,
    openCheckpoints: async () => {
      const { SqliteCheckpoints } = await import('../adapters/sqlite/sqlite-checkpoints.ts');
      return new SqliteCheckpoints(own, () => ledger.keepTexts());
    },
  };
}
