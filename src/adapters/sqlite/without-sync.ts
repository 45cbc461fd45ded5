/** Writes that need no wait for the disk of their own. */
import type { SqliteDatabase } from './database.ts';

/** Of `PRAGMA synchronous`: waits for the disk at checkpoints only. At 2 and above, every commit waits. */
const atCheckpoints = 1;

/**
 * As it was when a database was opened; nothing else changes it. To ask for it takes as long as a small write, and so does
 * a statement for it that is made anew each time: SQLite obeys this one while it reads it, so it cannot be kept.
 */
const usualOf = new WeakMap<SqliteDatabase, number>();
const isWriting = new WeakSet<SqliteDatabase>();

function readUsual(database: SqliteDatabase): number {
  const known = usualOf.get(database) ?? Number(database.pragma('synchronous', { simple: true }));
  usualOf.set(database, known);
  return known;
}

/**
 * Commits without waiting for the disk. What is committed outlives the process; a machine that loses power may forget it,
 * and with it everything that was committed later. The next commit that waits for the disk waits for this one too: all
 * commits of a database go to one log, in order, whichever process makes them.
 */
export function withoutSync<T>(database: SqliteDatabase, write: () => T): T {
  const usual = readUsual(database);
  if (usual <= atCheckpoints || isWriting.has(database)) return write();
  isWriting.add(database);
  database.exec(`PRAGMA synchronous = ${atCheckpoints}`);
  try {
    return write();
  } finally {
    isWriting.delete(database);
    database.exec(`PRAGMA synchronous = ${usual}`);
  }
}
