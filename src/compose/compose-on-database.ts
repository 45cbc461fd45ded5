/** Composition of records that are in one database of this machine, or in a copy of one. */
import { dirname } from 'node:path';
import { MovedRunViews } from '../adapters/local-forge/moved-run-views.ts';
import type { SqliteDatabase } from '../adapters/sqlite/database.ts';
import { openCopy } from '../adapters/sqlite/open-copy.ts';
import { SqliteLeases } from '../adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { BaseConfig } from '../config/read-config.ts';
import type { ComposedRecords } from './compose-records.ts';

interface Source {
  /** Of this machine. */
  readonly database: SqliteDatabase;
  /** Where the ledger is. */
  readonly source: SqliteDatabase;
  readonly signingKey: string;
  readonly isScratch: boolean;
  /** Whether other machines wrote it. */
  readonly isShared: boolean;
}

export function composeOnDatabase(
  { actor }: Pick<BaseConfig, 'actor'>,
  { database, source, signingKey, isScratch, isShared }: Source,
): ComposedRecords {
  const own = isScratch ? openCopy(source) : source;
  // The local forge is there, too: what a scratch ledger leads to must not reach it.
  const beside = isScratch ? (source === database ? own : openCopy(database)) : database;
  const ledger = new SqliteLedger(own, systemClock, signingKey);
  return {
    records: {
      ledger,
      views: new MovedRunViews(own, () => process.cwd(), isShared),
      leases: new SqliteLeases(own, systemClock, actor),
      clock: systemClock,
      actor,
    },
    database: beside,
    signingKey,
    folder: isScratch ? dirname(own.name) : null,
    openCheckpoints: async () => {
      const { SqliteCheckpoints } = await import('../adapters/sqlite/sqlite-checkpoints.ts');
      return new SqliteCheckpoints(own, () => ledger.keepTexts());
    },
  };
}
