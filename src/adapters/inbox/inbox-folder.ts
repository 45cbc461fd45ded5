/** Where the inbox of a repository is, and what the file system says about it. */
import { join } from 'node:path';
import { GatewrightError, systemErrorCode } from '../../errors.ts';

/** All inboxes of a database: its ledger is where their deliveries go. */
export function inboxesOf(databaseFile: string): string {
  return `${databaseFile}.inbox`;
}

/** @param repository the number that a repository keeps for ever, or its name */
export function inboxOf(databaseFile: string, repository: string): string {
  return join(inboxesOf(databaseFile), encodeURIComponent(repository).replaceAll('.', '%2E'));
}

/** Turns what the file system says into an error of ours. */
export function explainInboxError(error: unknown, folder: string): unknown {
  if (error instanceof GatewrightError) return error;
  const code = systemErrorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO')
    return new GatewrightError('disk-full', `The disk refused to write the inbox ${folder} (${code}).`, {
      cause: error,
    });
  if (code === '') return error;
  return new GatewrightError('cannot-write', `The inbox ${folder} cannot be written or read (${code}).`, {
    cause: error,
    hint: 'Deliveries are stored there before they are acknowledged. Give yourself access to it, or name another database with --database FILE.',
  });
}
