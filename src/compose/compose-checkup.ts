/** Composition of what `doctor` and `init` look at. It opens nothing for writing. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readClaudeLogin } from '../adapters/claude-code/claude-login.ts';
import { chooseEditor } from '../adapters/editor/command-editor.ts';
import { GitRepository } from '../adapters/git/git-repository.ts';
import { inspectInboxes } from '../adapters/inbox/inspect-inbox.ts';
import { findTools } from '../adapters/sandbox/find-tools.ts';
import { inspectDatabase, inspectLocalForge } from '../adapters/sqlite/inspect-database.ts';
import { LocalMachine } from '../adapters/system/local-machine.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { type Config, inspectConfigFiles, loadConfig, loadConfigLeniently } from '../config/load-config.ts';
import type { BaseConfig } from '../config/read-config.ts';
import { describeProblem } from '../config/read-config-file.ts';
import { readCredentials } from '../config/read-credentials.ts';
import { readNotifications } from '../config/read-notifications.ts';
import { knownVariables } from '../config/setting-rules.ts';
import { withoutSecrets } from '../domain/machine/secret-variables.ts';
import { type DetectedProject, detectProject } from '../domain/project/detect-project.ts';
import { nearestWord } from '../domain/text/nearest-word.ts';
import type { Surroundings } from '../entrypoints/cli/app.ts';
import { isGatewrightError } from '../errors.ts';
import type { CheckupWorld } from '../ports/checkup.ts';
import { noCredentialLimits } from '../ports/credential-limits.ts';
import { definitions } from '../workflows/authoring/definitions.ts';
import { type GitRemotes, proposeGithub } from './compose-github-place.ts';
import { composeModels } from './compose-models.ts';
import { composeNetworkTrial } from './compose-network-trial.ts';
import { composeNotifications } from './compose-notifications.ts';
import { composeViews } from './compose-records.ts';
import { composeSandbox } from './compose-sandbox.ts';
import { findPlaceIfAny, remotesOf } from './find-place.ts';

/** Those that the settings of channels name; settings that cannot be used are a finding of their own. */
function variablesOfChannels(config: BaseConfig): readonly string[] {
  try {
    return readNotifications(config)?.variables ?? [];
  } catch (error) {
    if (isGatewrightError(error)) return [];
    throw error;
  }
}

/** Variables that look like ours, but that the program does not read. */
function findStrays(config: BaseConfig): CheckupWorld['strayVariables'] {
  const { environment } = config;
  const read = [...knownVariables, ...variablesOfChannels(config)];
  return Object.keys(environment)
    .filter((name) => name.startsWith('GATEWRIGHT_') && !read.includes(name))
    .sort()
    .map((name) => ({ name, meant: nearestWord(name, knownVariables) }));
}

const noRemotes: GitRemotes = { readOrigin: async () => null, readRemotes: async () => [] };

const remotesIn = (config: Config, root: string | null): GitRemotes =>
  root === null ? noRemotes : remotesOf(config, root);

async function readGithub(
  config: Config,
  root: string | null,
  name: string | null,
): ReturnType<CheckupWorld['readGithub']> {
  const { inspectGithub } = await import('./compose-github.ts');
  return inspectGithub(config, name, remotesIn(config, root));
}

/** Broken configuration files are reported and otherwise left out, so that the rest can be looked at. */
export async function composeCheckup(base: BaseConfig, repository: string | null): Promise<CheckupWorld> {
  const place = await findPlaceIfAny(base, repository);
  const root = place?.root ?? null;
  const name = place?.name ?? null;
  const config = loadConfigLeniently(base, root);
  const files = inspectConfigFiles(base, root);
  const chosen = config.editorCommands.findIndex((command) => command.trim() !== '');
  const editor = chooseEditor(config.editorCommands, withoutSecrets(config.environment), root ?? undefined);
  const sandbox = composeSandbox(config);
  return {
    machine: new LocalMachine(config.environment),
    actor: config.actor,
    repository:
      root === null
        ? null
        : new GitRepository(root, {
            environment: config.environment,
            clock: systemClock,
            worktreeFolder: root,
          }),
    forge: config.forge,
    readGithub: () => readGithub(config, root, name),
    readActionsSettings: async () =>
      (await import('./compose-github.ts')).inspectActions(config, name, remotesIn(config, root)),
    readLocalForge: () => inspectLocalForge(config.databaseFile, root ?? '', config.actor),
    editor: {
      command: editor.command ?? config.editorCommands[chosen] ?? '',
      isChosen: chosen !== config.editorCommands.length - 1,
      isRunnable: () => editor.command !== null,
    },
    models: config.models,
    agentModels: config.agentModels,
    ...composeModels(config, noCredentialLimits, sandbox),
    sandbox: {
      inspect: () => sandbox.inspect(),
      inspectLimits: () => sandbox.inspectLimits(),
      demand: config.sandbox,
      findTools: () => findTools(config.environment, config.tools),
    },
    network: composeNetworkTrial(config),
    notifications: {
      listChannels: async () => {
        // Where a channel leads is of no interest here, so nothing has to be signed.
        const opened = composeNotifications(config, '');
        return opened === null ? [] : [...opened.channels.values()];
      },
      listUnsent: async () => (await composeViews(config))?.listUnsent() ?? [],
    },
    databaseFile: config.databaseFile,
    inspectDatabase: () => inspectDatabase(config.databaseFile),
    inspectInboxes: () => inspectInboxes(config.databaseFile),
    configuration: {
      files,
      problems: files.flatMap(({ file, problems }) => problems.map((one) => describeProblem(file, one))),
    },
    listCredentials: () => readCredentials(config.environment, config.credentialsFile),
    credentialsFile: config.credentialsFile,
    strayVariables: findStrays(config),
    writtenFolders: [...new Set(Object.values(definitions).flatMap((one) => one.folders('name')))],
  };
}

/** Large enough for any manifest; a larger file is not read. */
const largestManifest = 1024 * 1024;

/** Reads names and small files in the root; a link is not followed, since it may lead anywhere. */
function lookAtProject(root: string, environment: BaseConfig['environment']): DetectedProject | null {
  const machine = new LocalMachine(environment);
  return detectProject({
    names: new Set(readdirSync(root)),
    textOf: (name) => {
      const file = join(root, name);
      const facts = lstatSync(file, { throwIfNoEntry: false });
      return facts?.isFile() === true && facts.size <= largestManifest ? readFileSync(file, 'utf8') : null;
    },
    hasProgram: (name) => machine.findProgram(name) !== null,
  });
}

export async function lookAround(base: BaseConfig, root: string): Promise<Surroundings> {
  const config = loadConfig(base, root);
  const credentials = readCredentials(config.environment, config.credentialsFile);
  return {
    github: await proposeGithub(config, remotesOf(config, root)),
    claude: await readClaudeLogin(config.environment),
    project: lookAtProject(root, config.environment),
    providers: [...new Set(credentials.map(({ provider }) => provider))],
  };
}
