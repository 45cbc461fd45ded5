/** What `doctor` says about inboxes: files from which deliveries could not be taken. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from '../../errors.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';
import { inboxesOf } from './inbox-folder.ts';

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function inspectInboxes(databaseFile: string): ReturnType<CheckupWorld['inspectInboxes']> {
  const [damaged, unreadable]: [string[], string[]] = [[], []];
  const look = (folder: string, visit: (path: string) => void): void => {
    try {
      for (const name of readdirSync(folder).sort()) visit(join(folder, name));
    } catch (error) {
      const code = systemErrorCode(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') unreadable.push(folder);
    }
  };
  look(inboxesOf(databaseFile), (folder) =>
    look(folder, (file) => {
      if (file.endsWith('.damaged')) damaged.push(file);
      else if (!isReadable(file)) unreadable.push(file);
    }),
  );
  return { damaged, unreadable };
}
