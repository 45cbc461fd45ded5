/** The composition root: where adapters meet ports and the program begins. Heavy parts are loaded when they are needed. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knowsHyperlinks } from './config/knows-hyperlinks.ts';
import { isActionsJob } from './config/read-actions-run.ts';
import { type BaseConfig, isPlainTerminal, readConfig } from './config/read-config.ts';
import { agentRoleNames, agentRoles } from './domain/fleet/agent-models.ts';
import type { App, ForgeCare, HousePlace } from './entrypoints/cli/app.ts';
import { runCli } from './entrypoints/cli/run-cli.ts';
import { expectRunner } from './entrypoints/cli/views/output-stream.ts';
import { Terminal } from './entrypoints/cli/views/terminal.ts';
import { type WaitMessage, waitChannel } from './ports/progress.ts';
import type { House } from './runs/house.ts';

/** The folder with prompts and templates: the nearest one above this file that holds a package.json. */
function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

type OpenHouse = (config: BaseConfig, packageRoot: string, place: HousePlace) => Promise<House & ForgeCare>;

const openRealHouse: OpenHouse = async (config, packageRoot, place) => {
  const { composeHouse } = await import('./compose/compose-house.ts');
  return composeHouse(config, packageRoot, place);
};

function makeApp(
  config: BaseConfig,
  packageRoot: string,
  version: string,
  terminal: Terminal,
  openHouse: OpenHouse,
): App {
  const loadCassettes = async () => {
    const { composeCassettes } = await import('./compose/compose-cassettes.ts');
    return composeCassettes(config);
  };
  return {
    config,
    version,
    terminal,
    openViews: async () => (await import('./compose/compose-records.ts')).composeViews(config),
    openRecords: async (use) =>
      (await (await import('./compose/compose-records.ts')).composeRecords(config, use)).records,
    openCommittedFiles: async () => {
      const { GitCommittedFiles } = await import('./adapters/git/git-committed-files.ts');
      return new GitCommittedFiles(config.environment);
    },
    readDelivery: async (name, delivery, payload) =>
      (await import('./adapters/github/payloads/read-webhook.ts')).readWebhook(name, delivery, payload),
    startReceiver: async (options, signingKey, tell) =>
      (await import('./compose/compose-receiver.ts')).composeReceiver(config, signingKey, options, tell),
    startApi: async (repository, listening, listener) => {
      const { composeApi } = await import('./compose/compose-api.ts');
      return composeApi({ config, packageRoot, version, repository, listening }, listener);
    },
    openNotifications: async (signingKey) =>
      (await import('./compose/compose-notifications.ts')).composeNotifications(config, signingKey),
    findRoot: async (repository) => {
      const { findPlaceIfAny } = await import('./compose/find-place.ts');
      return (await findPlaceIfAny(config, repository))?.root ?? null;
    },
    openCheckup: async (repository) =>
      (await import('./compose/compose-checkup.ts')).composeCheckup(config, repository),
    lookAround: async (root) => (await import('./compose/compose-checkup.ts')).lookAround(config, root),
    openHouse: (repository, on = { forge: null, name: null }) =>
      openHouse(config, packageRoot, { repository, ...on }),
    cassettes: {
      readText: async (file) => (await loadCassettes()).readText(file),
      whyNotWritable: async (file, run) => (await loadCassettes()).whyNotWritable(file, run),
      writeText: async (file, text, run) => (await loadCassettes()).writeText(file, text, run),
    },
    openTapes: async () => {
      const { composePackagePrompts, composeTapes, listFolders } = await import('./compose/compose-tapes.ts');
      return {
        tapes: composeTapes(config, packageRoot),
        prompts: composePackagePrompts(packageRoot),
        foldersOf: (repository) => listFolders(config, repository),
      };
    },
    makeScratch: async (recording, into) => {
      const { makeScratchFolder } = await import('./adapters/cassette/scratch-folder.ts');
      const scratch = await makeScratchFolder(recording, into, config.environment);
      const { seedScratch } = await import('./compose/compose-replay.ts');
      try {
        await seedScratch(config, scratch, recording, config.actor || 'replay');
      } catch (error) {
        if (into === null) scratch.remove();
        throw error;
      }
      return scratch;
    },
    openReplay: async (scratch, recording) => {
      const { composeReplay } = await import('./compose/compose-replay.ts');
      const { loadConfig } = await import('./config/load-config.ts');
      return composeReplay(loadConfig(config, null), packageRoot, scratch, recording);
    },
    prepareDemo: async () => {
      const { makeDemoRepository } = await import('./adapters/demo/demo-repository.ts');
      return makeDemoRepository(packageRoot, config.environment);
    },
    withDatabase: (file, environment) =>
      makeApp(
        readConfig({ ...config.environment, ...environment }, { database: file }),
        packageRoot,
        version,
        terminal,
        openHouse,
      ),
  };
}

/** Shows every wait that an adapter tells of, until it is called. */
function showWaits({ waits }: Terminal): () => void {
  const onWait = (message: unknown): void => {
    const { wait, isOver } = message as WaitMessage;
    if (isOver) waits.end(wait);
    else waits.begin(wait, wait.text);
  };
  subscribe(waitChannel, onWait);
  return () => unsubscribe(waitChannel, onWait);
}

/**
 * With these set, for another project on the same machine, LangChain would send drafts and briefs to its maker's service
 * or print them among our results.
 */
function forgetTracing(): void {
  for (const name of Object.keys(process.env))
    if (/^LANG(?:CHAIN|SMITH)_/u.test(name)) delete process.env[name];
}

/** Runs the program on a list of words; resolves with the exit code. Tests pass a house of their own. */
export async function main(argv: readonly string[], openHouse: OpenHouse = openRealHouse): Promise<number> {
  const environment = { ...process.env };
  forgetTracing();
  const packageRoot = findPackageRoot();
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  expectRunner(isActionsJob(environment));
  const terminal = new Terminal({
    mayAsk: !argv.includes('--no-input') && !argv.includes('--json'),
    isPlain: isPlainTerminal(environment),
    hasLinks: knowsHyperlinks(environment),
    isDumb: environment.TERM === 'dumb',
  });
  const hideWaits = showWaits(terminal);
  return runCli(argv, terminal, version, (parsed) =>
    makeApp(
      readConfig(environment, {
        database: parsed.given.text('database') ?? undefined,
        repository: parsed.given.text('repo') ?? undefined,
        forge: parsed.given.text('forge') ?? undefined,
        drafter: parsed.given.text('drafter') ?? undefined,
        agents: Object.fromEntries(
          agentRoles.map((role) => [role, parsed.given.text(agentRoleNames[role].option) ?? undefined]),
        ),
        reviewer: parsed.given.text('reviewer') ?? undefined,
        maxIterations: parsed.given.count('max-iterations') ?? undefined,
      }),
      packageRoot,
      version,
      terminal,
      openHouse,
    ),
  ).finally(hideWaits);
}
