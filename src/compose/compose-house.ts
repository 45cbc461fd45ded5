/** Composition, the full part: a repository with its forge, models, editor and checkpoints. */
import { basename, join, resolve } from 'node:path';
import { chooseEditor } from '../adapters/editor/command-editor.ts';
import { GitRepository } from '../adapters/git/git-repository.ts';
import { GitTemplates } from '../adapters/git/git-templates.ts';
import { GitTrees } from '../adapters/git/git-trees.ts';
import { GitWorkspaces } from '../adapters/git/git-workspaces.ts';
import { GitParcels } from '../adapters/git/parcels/git-parcels.ts';
import { LocalForge } from '../adapters/local-forge/local-forge.ts';
import { PackagePrompts } from '../adapters/package-files/package-prompts.ts';
import { SandboxedCommands } from '../adapters/sandbox/sandboxed-commands.ts';
import type { SqliteDatabase } from '../adapters/sqlite/database.ts';
import { SqliteCredentialLimits } from '../adapters/sqlite/sqlite-credential-limits.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import type { BaseConfig } from '../config/read-config.ts';
import { type AgentModels, agentRoleNames, agentRoles, specsOf } from '../domain/fleet/agent-models.ts';
import { type FleetSettings, isTemplateAddress } from '../domain/fleet/fleet-settings.ts';
import { isAtLeast } from '../domain/forge/permission.ts';
import { withoutSecrets } from '../domain/machine/secret-variables.ts';
import { quoteForShell } from '../domain/text/quote-for-shell.ts';
import type { ForgeCare, HousePlace, RecordsUse } from '../entrypoints/cli/app.ts';
import { GatewrightError } from '../errors.ts';
import type { EventFeed } from '../ports/event-feed.ts';
import type { Forge } from '../ports/forge/forge.ts';
import type { WorkflowStarter } from '../ports/forge/workflow-starter.ts';
import type { KeptWork } from '../ports/proposals/kept-work.ts';
import type { Transport } from '../ports/transport.ts';
import type { House } from '../runs/house.ts';
import { composeCassettes } from './compose-cassettes.ts';
import { composeModels } from './compose-models.ts';
import { composeRecords } from './compose-records.ts';
import { composeSandbox } from './compose-sandbox.ts';
import { composeTapes } from './compose-tapes.ts';
import { findPlace, type Place, remotesOf } from './find-place.ts';

/** A folder's name as a repository name on the local forge. */
function localName(root: string): string {
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]+/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(0, 80);
  return `local/${name === '' ? 'repository' : name}`;
}

interface ForgeSide extends ForgeCare {
  readonly forge: Forge;
  readonly transport: Transport;
  readonly workflows?: WorkflowStarter;
  readonly keptWork?: KeptWork;
  readonly eventFeed: EventFeed | null;
  readonly repositoryName: string;
  readonly actor: string;
}

/**
 * The login of agents on the local forge. It differs from the login of the person who runs them, because that person's
 * word counts as an order.
 */
const localAgent = 'gatewright[bot]';

async function openLocal(
  config: Config,
  database: SqliteDatabase,
  place: Place,
  asAgent: boolean,
): Promise<ForgeSide> {
  const forge = new LocalForge(database, systemClock, config.actor, config.environment);
  const own = await forge.registerRepository(place.root, localName(place.root));
  const repositoryName = place.name ?? own;
  if (place.name !== null) await forge.permissionOf(place.name, config.actor);
  if (asAgent) {
    const isAdmin = isAtLeast(await forge.permissionOf(repositoryName, config.actor), 'admin');
    if (isAdmin && (await forge.permissionOf(repositoryName, localAgent)) === 'none')
      await forge.setPermission(repositoryName, localAgent, 'write');
    const refuse = async (): Promise<never> => {
      throw new GatewrightError('forge-forbidden', 'Agents cannot change permissions or report builds.');
    };
    const agents = new LocalForge(database, systemClock, localAgent, config.environment, {
      isForEffects: true,
    });
    return {
      forge: agents,
      transport: agents.transport,
      eventFeed: agents.eventFeed,
      repositoryName,
      actor: localAgent,
      permissions: { list: refuse, set: refuse },
      reportBuild: refuse,
      reportCheck: refuse,
    };
  }
  return {
    forge,
    transport: forge.transport,
    eventFeed: forge.eventFeed,
    repositoryName,
    actor: config.actor,
    permissions: {
      list: () => forge.listPermissions(repositoryName),
      set: (actor, permission) => forge.setPermission(repositoryName, actor, permission),
    },
    reportBuild: ({ name, commit, branch, conclusion, step, log }) =>
      forge.recordWorkflowRun(repositoryName, {
        ...{ name, branch, headSha: commit, event: 'push', status: 'completed', conclusion },
        jobs: [{ name, steps: [{ name: step, conclusion, log }] }],
      }),
    reportCheck: ({ commit, ...check }) => forge.recordCheckRun(repositoryName, commit, check),
  };
}

async function openElsewhere(config: Config, place: Place, use?: RecordsUse): Promise<ForgeSide> {
  const { openGithub } = await import('./compose-github.ts');
  const refuse = async (): Promise<never> => {
    throw new GatewrightError('forge-local-only', 'GitHub keeps its own permissions and builds.', {
      hint: `See and change them in the settings of ${place.name ?? 'the repository'} on GitHub.`,
    });
  };
  const side = await openGithub(config, place.name, remotesOf(config, place.root), place.root, use);
  return {
    ...side,
    eventFeed: null,
    permissions: { list: refuse, set: refuse },
    reportBuild: refuse,
    reportCheck: refuse,
  };
}

/** A template's folder is meant from the root of the repository, wherever the program was started. */
function placeFleet(fleet: FleetSettings, root: string): FleetSettings {
  const { template } = fleet;
  return template === null || isTemplateAddress(template)
    ? fleet
    : { ...fleet, template: resolve(root, template) };
}

/** The models that the command line names; a recording by its full path, so that the option works in every folder. */
function readNamedModels({ given }: BaseConfig): Partial<AgentModels> {
  return Object.fromEntries(
    agentRoles.flatMap((role) => {
      const value = given.options.get(agentRoleNames[role].setting)?.value;
      if (typeof value !== 'string') return [];
      const file = /^cassette:(.+)$/su.exec(value)?.[1];
      return [[role, file === undefined ? value : `cassette:${resolve(file)}`]];
    }),
  );
}

export async function composeHouse(
  base: BaseConfig,
  packageRoot: string,
  wanted: HousePlace,
): Promise<House & ForgeCare> {
  const found = await findPlace(base, wanted.repository);
  const given = loadConfig(base, found.root);
  const place = { root: found.root, name: wanted.name ?? found.name };
  const forge = wanted.forge ?? given.forge;
  const { records, database, signingKey, openCheckpoints, folder } = await composeRecords(given, wanted.use, {
    ...place,
    forge,
  });
  const config = folder === null ? given : { ...given, dataFolder: folder };
  const side =
    forge === 'local'
      ? await openLocal(config, database, place, wanted.asAgent === true)
      : await openElsewhere(config, place, wanted.use);
  const gitRepository = new GitRepository(place.root, {
    environment: config.environment,
    clock: systemClock,
    worktreeFolder: join(config.dataFolder, 'worktrees'),
  });
  const sandbox = composeSandbox(config);
  return {
    ...records,
    ...side,
    repository: gitRepository,
    commandSuffix: config.isDatabaseGiven ? ` --database ${quoteForShell(config.databaseFile)}` : '',
    cassettes: composeCassettes(config),
    editor: chooseEditor(config.editorCommands, withoutSecrets(config.environment)),
    prompts: new PackagePrompts(packageRoot, gitRepository),
    budget: config.budget,
    signingKey,
    modelsFor: (workflow) => config.models[workflow],
    agentModels: specsOf(config.agentModels),
    namedModels: readNamedModels(config),
    maxIterations: config.maxIterations,
    fleet: placeFleet(config.fleet, place.root),
    tapes: composeTapes(config, packageRoot),
    trees: new GitTrees(place.root, config.environment),
    parcels: new GitParcels(place.root, config.environment),
    templates: new GitTemplates(place.root, config.environment),
    workspaces: new GitWorkspaces({
      root: place.root,
      environment: config.environment,
      folder: join(config.dataFolder, 'workspaces'),
    }),
    ...composeModels(config, new SqliteCredentialLimits(database, systemClock), sandbox),
    sandbox,
    commands: new SandboxedCommands(sandbox, config.environment),
    openCheckpoints,
  };
}
