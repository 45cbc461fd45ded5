/**
 * Composition for replays: a scratch folder, with what a recording pins in place of the real models, clock and forge.
 */
import { dirname, join } from 'node:path';
import { CassetteFiles } from '../adapters/cassette/cassette-files.ts';
import { makeRecordedModel } from '../adapters/cassette/recorded-model.ts';
import { ReplayClock, replayFiles, replayForge, replayMoments } from '../adapters/cassette/replay-world.ts';
import { GitRepository } from '../adapters/git/git-repository.ts';
import { LocalForge } from '../adapters/local-forge/local-forge.ts';
import { PackagePrompts } from '../adapters/package-files/package-prompts.ts';
import { openDatabase } from '../adapters/sqlite/database.ts';
import { readSigningKey } from '../adapters/sqlite/signing-key.ts';
import { SqliteCheckpoints } from '../adapters/sqlite/sqlite-checkpoints.ts';
import { SqliteLeases } from '../adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../adapters/sqlite/sqlite-ledger.ts';
import { SqliteRunViews } from '../adapters/sqlite/sqlite-run-views.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { Config } from '../config/load-config.ts';
import type { Recording } from '../domain/recordings/recording.ts';
import { quoteForShell } from '../domain/text/quote-for-shell.ts';
import type { Scratch } from '../entrypoints/cli/app.ts';
import { GatewrightError } from '../errors.ts';
import type { House } from '../runs/house.ts';
import { composeSandbox } from './compose-sandbox.ts';

/** The actor of a replay: a name that neither the forge nor the ledger takes for a person. */
const actor = 'replay';

/** The issue that a design was made for, as it read then; also for a fork, which looks whether it still does. */
/** Agents have no part in a replay. */
function makeIdleWorkshop(): Pick<
  House,
  'workspaces' | 'trees' | 'parcels' | 'templates' | 'commands' | 'tapes'
> {
  const refuse = async (): Promise<never> => {
    throw new GatewrightError('internal', 'A replay has no workspaces.');
  };
  return {
    workspaces: {
      open: refuse,
      takeSnapshot: refuse,
      takeEarlySnapshot: refuse,
      listChanges: refuse,
      diff: refuse,
      readFile: refuse,
      mergeTrees: refuse,
      mergeWithMarkers: refuse,
      commit: refuse,
      remove: refuse,
    },
    parcels: { checkPacking: refuse, pack: refuse, open: refuse },
    trees: {
      listFiles: refuse,
      listChanges: refuse,
      findUnsafe: refuse,
      putFiles: refuse,
      takePaths: refuse,
      mergePaths: refuse,
      treeOf: refuse,
      hasCommit: refuse,
      findMergeBase: refuse,
    },
    templates: { fetchTemplate: refuse },
    commands: { run: refuse },
    tapes: {
      version: '',
      begin: () => {
        throw new GatewrightError('internal', 'A replay has no tapes.');
      },
      read: refuse,
    },
  };
}

export async function seedScratch(
  config: Pick<Config, 'environment'>,
  scratch: Scratch,
  recording: Recording,
  admin: string,
): Promise<void> {
  const { issue, brief } = recording;
  if (issue === undefined) return;
  const database = openDatabase(scratch.database);
  try {
    const forge = new LocalForge(database, systemClock, admin, config.environment);
    const name = await forge.registerRepository(scratch.repository, recording.repository);
    const [heading = '', ...body] = brief.text.split('\n');
    await forge.startNumbersAt(name, issue.number);
    await forge.createIssue(name, { title: heading.replace(/^# /u, ''), body: body.join('\n'), labels: [] });
    await forge.setPermission(name, actor, 'admin');
  } finally {
    database.close();
  }
}

export async function composeReplay(
  config: Config,
  packageRoot: string,
  scratch: Scratch,
  recording: Recording,
): Promise<House & { close(): void }> {
  const database = openDatabase(scratch.database);
  const signingKey = readSigningKey(scratch.database, database);
  const clock = new ReplayClock(recording, systemClock);
  const forge = new LocalForge(database, clock, actor, config.environment);
  const repositoryName = await forge.registerRepository(scratch.repository, recording.repository);
  const repository = new GitRepository(scratch.repository, {
    environment: config.environment,
    clock: systemClock,
    worktreeFolder: join(dirname(scratch.database), 'worktrees'),
  });
  const ledger = new SqliteLedger(database, clock, signingKey);
  return {
    ledger: replayMoments(ledger, recording, clock),
    views: new SqliteRunViews(database),
    leases: new SqliteLeases(database, systemClock, actor),
    clock,
    actor,
    repository: replayFiles(repository, recording, clock),
    repositoryName,
    commandSuffix: ` --database ${quoteForShell(scratch.database)}`,
    forge: replayForge(forge, recording),
    transport: forge.transport,
    eventFeed: forge.eventFeed,
    cassettes: new CassetteFiles(() => []),
    // A replay asks no person.
    editor: { command: null, chosen: null, edit: async () => undefined, show: async () => false },
    prompts: new PackagePrompts(packageRoot, repository),
    budget: config.budget,
    signingKey,
    modelsFor: () => ({ drafter: 'record', reviewer: 'record' }),
    maxIterations: config.maxIterations,
    fleet: config.fleet,
    namedModels: {},
    agentModels: { coder: 'record', planner: 'record', reviewer: 'record', writer: 'record' },
    makeModel: (_, role) => makeRecordedModel(role),
    makeCodingAgent: () => {
      throw new GatewrightError('model-unknown', 'A replay has no coding agent.');
    },
    ...makeIdleWorkshop(),
    sandbox: composeSandbox(config),
    openCheckpoints: async () => new SqliteCheckpoints(database, () => ledger.keepTexts()),
    close: () => database.close(),
  };
}
