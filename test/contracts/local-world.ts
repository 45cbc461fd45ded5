/** A local forge over a new git repository, with one person for each permission. */
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { GitStore } from '../support/git-store.ts';
import { actors, bot, type ForgeWorld } from './forge-world.ts';
import { childEnvironment } from './run-children.ts';
import { makeStillClock } from './still-clock.ts';

/** Nothing of the machine's own settings for git. */
export const gitEnvironment = { ...childEnvironment, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

/** Made once and copied: the suite needs some hundreds. */
let template: string | undefined;

function makeProject(folder: string): GitStore {
  if (template === undefined) {
    template = mkdtempSync(join(tmpdir(), 'gw-template-'));
    GitStore.make(template);
    process.once('exit', () => rmSync(template ?? '', { recursive: true, force: true }));
  }
  cpSync(template, folder, { recursive: true });
  return GitStore.open(folder);
}

export interface LocalWorld extends ForgeWorld {
  readonly forge: LocalForge;
  forgeAs(actor: string): LocalForge;
  /** The database, for other processes to open; in memory unless asked for. */
  readonly file: string;
  readonly database: SqliteDatabase;
}

export async function makeLocalWorld(options: { readonly isOnDisk?: boolean } = {}): Promise<LocalWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-forge-')));
  const file = options.isOnDisk === true ? join(folder, 'gatewright.db') : ':memory:';
  const git = makeProject(join(folder, 'project'));
  const database = openDatabase(file);
  const clock = makeStillClock(Date.parse('2024-05-06T07:08:09.500Z'));
  const forgeAs = (actor: string): LocalForge => new LocalForge(database, clock, actor, gitEnvironment);
  const forge = forgeAs(actors.admin);
  const repository = await forge.registerRepository(git.folder, 'local/project');
  for (const permission of ['read', 'triage', 'write', 'maintain'] as const)
    await forge.setPermission(repository, actors[permission], permission);
  await forge.setPermission(repository, bot, 'write');
  return {
    forge,
    forgeAs,
    repository,
    actors,
    bot,
    git,
    file,
    database,
    seedCheckRun: (sha, check) => forge.recordCheckRun(repository, sha, check),
    seedWorkflowRun: (run) => forge.recordWorkflowRun(repository, run),
    pause: async () => clock.advance(1000),
    close: async () => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
