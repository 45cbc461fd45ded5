/** A copy of a database as it is at this moment, to work in; it goes away with the program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type SqliteDatabase } from './database.ts';

export function openCopy(database: SqliteDatabase): SqliteDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-scratch-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'scratch.db');
    database.prepare('VACUUM INTO ?').run(file);
    const copy = openDatabase(file);
    copy.pragma('synchronous = OFF');
    process.once('exit', () => {
      copy.close();
      remove();
    });
    return copy;
  } catch (error) {
    remove();
    throw error;
  }
}
