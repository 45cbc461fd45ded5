/**
 * Opens a database for looking only, wherever it stands. SQLite's write-ahead log needs a file beside the database even for
 * reading; in a folder that cannot be written (a backup, a read-only mount, another person's) a private copy is read instead.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import { nativeBinding } from './native-binding.ts';

/** A writer elsewhere may change the files while they are copied; the copy is made again then. */
const mostCopies = 5;

/** What changes whenever one of the files does. */
function stampOf(file: string): string {
  return [file, `${file}-wal`]
    .map((one) => statSync(one, { throwIfNoEntry: false, bigint: true }))
    .map((found) => (found === undefined ? '' : `${found.ino}/${found.size}/${found.mtimeNs}`))
    .join(' ');
}

function copyTo(folder: string, file: string): string {
  const copy = join(folder, 'copy.db');
  for (let count = 0; count < mostCopies; count += 1) {
    const before = stampOf(file);
    rmSync(`${copy}-wal`, { force: true });
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    if (stampOf(file) === before) return copy;
  }
  throw new GatewrightError('database-busy', `The database ${file} changes faster than it can be copied.`);
}

/** Reads once, so that SQLite says now, not later, that it cannot. */
function open(file: string, timeout: number): Database.Database {
  const database = new Database(file, { readonly: true, timeout, ...nativeBinding() });
  try {
    database.pragma('schema_version');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function openForReading(file: string, timeout: number): Database.Database {
  try {
    return open(file, timeout);
  } catch (error) {
    const code = systemErrorCode(error);
    if (!code.startsWith('SQLITE_CANTOPEN') && !code.startsWith('SQLITE_READONLY')) throw error;
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-read-'));
    try {
      return open(copyTo(folder, file), timeout);
    } finally {
      // An open file stays readable; nothing is left behind even if we are killed from here on.
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
