/** Reads a file that holds a secret, and refuses one that other users could read too. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { GatewrightError, systemErrorCode } from '../errors.ts';

/**
 * The text of the file, or null when there is none. `what` names it in messages. The open file is what is checked, so it
 * cannot be swapped in between.
 */
export function readPrivateFile(file: string, what: string): string | null {
  const refuse = (why: string, hint: string): never => {
    throw new GatewrightError('config-invalid', `${what} ${file} ${why}.`, { hint });
  };
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error))) return null;
    return refuse(`cannot be read (${systemErrorCode(error)})`, 'Make it readable for yourself.');
  }
  try {
    // Windows keeps access lists instead of these bits.
    if (process.platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0) {
      refuse('is open to other users', `Close it to them with: chmod 600 ${file}`);
    }
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof GatewrightError) throw error;
    return refuse(`cannot be read (${systemErrorCode(error)})`, 'It has to be a file.');
  } finally {
    closeSync(descriptor);
  }
}
