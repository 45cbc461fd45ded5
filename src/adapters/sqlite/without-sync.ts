/** Writes that need no wait for the disk of their own. */
import type { SqliteDatabase } from './database.ts';

/** Of `PRAGMA synchronous`: waits for the disk at checkpoints only. At 2 and above, every commit waits. */
const atCheckpoints = 1;

/**
 * Commits without waiting for the disk. What is committed outlives the process; a machine that loses power may forget it,
 * and with it everything that was committed later. The next commit that waits for the disk waits for this one too: all
 * commits of a database go to one log, in order, whichever process makes them.
 */
export function withoutSync<T>(database: SqliteDatabase, write: () => T): T {
  const usual = Number(database.pragma('synchronous', { simple: true }));
  if (usual <= atCheckpoints) return write();
  database.pragma(`synchronous = ${atCheckpoints}`);
  try {
    return write();
  } finally {
    database.pragma(`synchronous = ${usual}`);
  }
}
