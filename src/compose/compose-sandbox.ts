/** Makes the sandbox of this machine. Nothing is tried before a caller asks for it. */
import { mirrorsIn } from '../adapters/git-ledger/ledger-mirror.ts';
import { inboxesOf } from '../adapters/inbox/inbox-folder.ts';
import { makeLocalSandbox } from '../adapters/sandbox/local-sandbox.ts';
import { keyFile } from '../adapters/sqlite/database.ts';
import type { Config } from '../config/load-config.ts';
import type { Sandbox } from '../ports/sandbox.ts';

export function composeSandbox({
  databaseFile,
  dataFolder,
  credentialsFile,
  userFile,
  environment,
  sandbox,
  tools,
}: Config): Sandbox {
  return makeLocalSandbox({
    environment,
    demand: sandbox,
    tools,
    // None of these files is near a workspace, unless a person put the database into the repository.
    hidden: [
      ...['', '-wal', '-shm', '-journal'].map((ending) => `${databaseFile}${ending}`),
      ...[keyFile(databaseFile), mirrorsIn(dataFolder), inboxesOf(databaseFile), credentialsFile, userFile],
    ],
  });
}
