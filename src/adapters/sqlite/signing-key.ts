/** The secret beside the database. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import { explainDatabaseError, keyFile, type SqliteDatabase } from './database.ts';

/**
 * The secret that signs chain heads and markers. It lies beside the database and not in it, so that an attacker who can
 * change only the database cannot sign the changes.
 */
export function readSigningKey(file: string, database: SqliteDatabase): string {
  const path = keyFile(file);
  try {
    if (!existsSync(path) && !isInUse(database, path)) {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
      try {
        linkSync(draft, path);
      } catch (error) {
        // Another process was first: its key is the one that counts.
        if (systemErrorCode(error) !== 'EEXIST') throw error;
      } finally {
        rmSync(draft, { force: true });
      }
    }
    const key = readFileSync(path, 'utf8').trim();
    if (/^[0-9a-f]{64}$/u.test(key)) return key;
    throw new GatewrightError(
      'database-corrupt',
      `The key ${path} is damaged, so nothing can be signed or checked with it.`,
      {
        hint: 'Restore it from a backup together with the database.',
      },
    );
  } catch (error) {
    if (error instanceof GatewrightError) throw error;
    return explainDatabaseError(error, path);
  }
}

/** A new key would sign again what the old key had signed, and would not recognise the markers of earlier effects. */
function isInUse(database: SqliteDatabase, path: string): boolean {
  if (database.prepare('SELECT 1 FROM ledger_heads LIMIT 1').get() === undefined) return false;
  // Nothing is signed before the key is there: another process may have made both since we looked.
  if (existsSync(path)) return true;
  throw new GatewrightError(
    'database-corrupt',
    `The key ${path} is gone, although the ledger was signed with it.`,
    {
      hint: 'Restore it from a backup. Without it nothing can be proved about what was recorded.',
    },
  );
}
