/** Composition, the full part: a repository with its forge, models, editor and checkpoints. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { chooseEditor } from './adapters/editor/command-editor.ts';
import { findRepositoryRoot, GitRepository } from './adapters/git/git-repository.ts';
import { LocalForge } from './adapters/local-forge/local-forge.ts';
import { PackagePrompts } from './adapters/package-files/package-prompts.ts';
import { systemClock } from './adapters/system/system-clock.ts';
import { composeModels } from './compose-models.ts';
import { composeRecords } from './compose-records.ts';
import type { Config } from './config/read-config.ts';
import type { House } from './dispatch/house.ts';
import { isRepositoryName } from './domain/subject.ts';
import type { ForgePermissions } from './entrypoints/cli/app.ts';
import { GatewrightError } from './errors.ts';

/** A folder's name as a repository name on the local forge. */
function localName(root: string): string {
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]+/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(0, 80);
  return `local/${name === '' ? 'repository' : name}`;
}

interface Place {
  readonly root: string;
  /** Named explicitly; null means the one that belongs to the folder. */
  readonly name: string | null;
}

/** `--repo` is a folder if there is one, else the name of a repository on the forge. */
async function findPlace(config: Config, typed: string | null): Promise<Place> {
  const here = process.cwd();
  if (typed === null) return { root: await findRepositoryRoot(here, config.environment), name: null };
  const folder = resolve(typed);
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    return { root: await findRepositoryRoot(folder, config.environment), name: null };
  }
  if (!isRepositoryName(typed)) {
    throw new GatewrightError(
      'usage',
      `--repo "${typed}" is neither a folder nor a name such as owner/name.`,
    );
  }
  return { root: await findRepositoryRoot(here, config.environment), name: typed };
}

export async function composeHouse(
  config: Config,
  packageRoot: string,
  repository: string | null,
): Promise<House & { readonly permissions: ForgePermissions }> {
  const place = await findPlace(config, repository);
  const { records, database, signingKey } = await composeRecords(config);
  const forge = new LocalForge(database, systemClock, config.actor);
  const own = await forge.registerRepository(place.root, localName(place.root));
  const repositoryName = place.name ?? own;
  if (place.name !== null) await forge.permissionOf(place.name, config.actor);
  const gitRepository = new GitRepository(place.root, {
    environment: config.environment,
    clock: systemClock,
    worktreeFolder: join(dirname(config.databaseFile), 'worktrees'),
  });
  return {
    ...records,
    repository: gitRepository,
    repositoryName,
    forge,
    editor: chooseEditor(config.editorCommands, { ...config.environment }),
    prompts: new PackagePrompts(packageRoot, gitRepository),
    budget: config.budget,
    signingKey,
    defaultModels: { drafter: config.drafter, reviewer: config.reviewer },
    makeModel: composeModels(config),
    openCheckpoints: async () => {
      const { SqliteCheckpoints } = await import('./adapters/sqlite/sqlite-checkpoints.ts');
      return new SqliteCheckpoints(database);
    },
    permissions: {
      list: () => forge.listPermissions(repositoryName),
      set: (actor, permission) => forge.setPermission(repositoryName, actor, permission),
    },
  };
}
