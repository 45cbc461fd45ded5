/**
 * Opens the one database file: checks that it is ours and sound, sets it to lose nothing, brings its schema up to date.
 * All access is synchronous and every transaction is finished within one turn of the event loop, so one connection
 * serves the ledger, the leases, the local forge and the checkpoints without ever waiting for itself.
 */
import { accessSync, constants, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import { migrations } from './migrations.ts';
import { nativeBinding } from './native-binding.ts';
import { openForReading } from './open-for-reading.ts';

export type SqliteDatabase = Database.Database;

/** "GATE" in ASCII, SQLite's way to tell whose file it is. */
const applicationId = 0x47415445;

const busyMilliseconds = 30_000;

const statements = new WeakMap<SqliteDatabase, Map<string, Database.Statement>>();

/** A prepared statement, kept for the next time: preparing takes longer than most of them do. */
export function prepareOnce(database: SqliteDatabase, sql: string): Database.Statement {
  const known = statements.get(database) ?? new Map<string, Database.Statement>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/** A database that cannot be used where it is. */
function unusable(message: string, cause?: unknown): GatewrightError {
  return new GatewrightError('cannot-write', message, {
    cause,
    hint: 'Name another file with --database FILE or GATEWRIGHT_DATABASE_URL, in a folder that you may write; or give yourself write access to this one.',
  });
}

const unusablePlaces = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOENT', 'ENAMETOOLONG', 'ELOOP']);

/** Turns what SQLite and the file system say into an error of ours; everything else is rethrown as it is. */
export function explainDatabaseError(error: unknown, file: string): never {
  const code = systemErrorCode(error);
  if (code === 'SQLITE_CORRUPT' || code.startsWith('SQLITE_CORRUPT_') || code === 'SQLITE_NOTADB') {
    throw new GatewrightError('database-corrupt', `The database ${file} is damaged or is something else.`, {
      cause: error,
    });
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    throw new GatewrightError('disk-full', `No room left to write the database ${file}.`, { cause: error });
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    throw unusable(`The database ${file} cannot be written.`, error);
  }
  if (code.startsWith('SQLITE_CANTOPEN') || unusablePlaces.has(code)) {
    throw unusable(`The database ${file} cannot be opened or made.`, error);
  }
  if (code.startsWith('SQLITE_BUSY')) {
    throw new GatewrightError('database-busy', `The database ${file} stayed locked.`, { cause: error });
  }
  if (code.startsWith('SQLITE_IOERR')) {
    throw new GatewrightError('disk-full', `The disk refused to write the database ${file} (${code}).`, {
      cause: error,
    });
  }
  throw error;
}

function versionOf(database: SqliteDatabase): number {
  return database.pragma('user_version', { simple: true }) as number;
}

function checkVersion(database: SqliteDatabase, file: string): void {
  const version = versionOf(database);
  if (version <= migrations.length) return;
  throw new GatewrightError(
    'database-newer',
    `The database ${file} has schema ${version}; this version knows ${migrations.length}.`,
  );
}

function migrate(database: SqliteDatabase): void {
  if (versionOf(database) === migrations.length) return;
  const step = database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    for (const sql of migrations.slice(versionOf(database))) database.exec(sql);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${migrations.length}`);
  });
  step.immediate();
}

function checkOwner(database: SqliteDatabase, file: string): void {
  // The key is made after the tables. Because it is looked for first, a key that is found cannot belong to a database
  // that another process is just making.
  const hasKey = existsSync(keyFile(file));
  // One snapshot: another process may make the tables between two reads.
  const read = database.transaction(() => ({
    owner: database.pragma('application_id', { simple: true }),
    tables: database.prepare('SELECT count(*) FROM sqlite_master').pluck().get(),
  }));
  const { owner, tables } = read();
  if (owner === applicationId) return;
  if (owner !== 0 || tables !== 0) {
    throw new GatewrightError(
      'database-corrupt',
      `The file ${file} is a database, but not one of Gatewright's.`,
    );
  }
  if (hasKey) {
    throw new GatewrightError(
      'database-corrupt',
      `The database ${file} is empty although it was in use before.`,
      { hint: `Restore it from a backup. To start anew, remove ${keyFile(file)} as well.` },
    );
  }
}

/**
 * SQLite does not wait here as it does elsewhere: while another process uses the database, it answers "busy" at once,
 * so the code waits itself.
 */
function useWriteAheadLog(database: SqliteDatabase): void {
  for (let waited = 0; ; waited += 10) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!systemErrorCode(error).startsWith('SQLITE_BUSY') || waited > busyMilliseconds) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Opens the database for work, making it if it is missing. */
export function openDatabase(file: string): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    lookAt(file);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    database = new Database(file, { timeout: busyMilliseconds, ...nativeBinding() });
    checkOwner(database, file);
    checkVersion(database, file);
    useWriteAheadLog(database);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof GatewrightError) throw error;
    return explainDatabaseError(error, file);
  }
}

/** What is where the database should be: a file, nothing, or something that can never be one. */
function lookAt(file: string): Stats | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) throw unusable(`The database ${file} is a folder.`);
  if (found !== undefined && !found.isFile()) throw unusable(`The database ${file} is not a file.`);
  return found;
}

/** Whether there is a database; says why when none could ever be made there. */
export function findDatabase(file: string): boolean {
  try {
    return isThere(file);
  } catch (error) {
    if (error instanceof GatewrightError) throw error;
    return explainDatabaseError(error, file);
  }
}

function isThere(file: string): boolean {
  const found = lookAt(file);
  if (found !== undefined && found.size > 0) return true;
  if (existsSync(keyFile(file))) {
    throw new GatewrightError(
      'database-corrupt',
      `The database ${file} is missing or empty although it was in use before.`,
    );
  }
  // A missing database counts as "nothing yet" only where one can be made.
  let place = found === undefined ? dirname(file) : file;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  accessSync(place, constants.W_OK);
  if (place !== file && !statSync(place).isDirectory())
    throw unusable(`The database ${file} cannot be made: ${place} is not a folder.`);
  return false;
}

/** Opens the database for looking only; null when there is none yet. Never makes or changes a file of ours. */
export function openDatabaseToRead(file: string): SqliteDatabase | null {
  if (!findDatabase(file)) return null;
  try {
    const database = openForReading(file, busyMilliseconds);
    checkOwner(database, file);
    if (versionOf(database) === migrations.length) return database;
    database.close();
    return openDatabase(file);
  } catch (error) {
    if (error instanceof GatewrightError) throw error;
    return explainDatabaseError(error, file);
  }
}

export function keyFile(file: string): string {
  return `${file}.key`;
}
