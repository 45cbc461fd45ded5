/** A database file of its own, with what the SQLite adapters need, and a second connection for those who tamper. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../../src/adapters/sqlite/signing-key.ts';
import { SqliteLeases } from '../../src/adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { makeStillClock } from './still-clock.ts';

export class SqliteWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'gw-sqlite-'));
  readonly file = join(this.folder, 'gatewright.db');
  readonly clock = makeStillClock();
  readonly database: SqliteDatabase = openDatabase(this.file);
  readonly signingKey = readSigningKey(this.file, this.database);
  readonly ledger = new SqliteLedger(this.database, this.clock, this.signingKey);
  #raw: SqliteDatabase | undefined;

  leasesOf(actor: string): SqliteLeases {
    return new SqliteLeases(this.database, this.clock, actor);
  }

  /** A connection that knows nothing of our rules. */
  get raw(): SqliteDatabase {
    if (this.#raw === undefined) {
      this.#raw = new Database(this.file);
      this.#raw.pragma('synchronous = OFF');
    }
    return this.#raw;
  }

  /** Closes the connections, so that the file holds everything. */
  disconnect(): void {
    this.#raw?.close();
    this.#raw = undefined;
    this.database.close();
  }

  remove(): void {
    this.disconnect();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
