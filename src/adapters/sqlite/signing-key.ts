/** The secret beside the database. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { systemErrorCode } from '../../errors.ts';
import { explainDatabaseError, keyFile } from './database.ts';

/**
 * The secret that signs chain heads and markers. It lies beside the database and not in it, so that somebody who can
 * change the database alone cannot sign what they changed.
 */
export function readSigningKey(file: string): string {
  const path = keyFile(file);
  try {
    if (!existsSync(path)) {
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
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    return explainDatabaseError(error, path);
  }
}
