/** A copy of a database as it is at this moment, to work in; it goes away with the program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type SqliteDatabase } from './database.ts';

const removals = new Set<() => void>();

/** One listener for all of them: a process that makes many would be warned of a leak. */
function removeAtEnd(remove: () => void): void {
  if (removals.size === 0)
    process.once('exit', () => {
      for (const one of removals) one();
    });
  removals.add(remove);
}

export function openCopy(database: SqliteDatabase): SqliteDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-scratch-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'scratch.db');
    database.prepare('VACUUM INTO ?').run(file);
    const copy = openDatabase(file);
    copy.pragma('synchronous = OFF');
    removeAtEnd(() => {
      copy.close();
      remove();
    });
    return copy;
  } catch (error) {
    remove();
    throw error;
  }
}
