/** Composition of records whose ledger is on the git ref of a repository: the local one's own, or that of GitHub's. */
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BareGit } from '../adapters/git/bare-git.ts';
import { GitLeases } from '../adapters/git-ledger/git-leases.ts';
import { GitLedger } from '../adapters/git-ledger/git-ledger.ts';
import { makeGitRunViews } from '../adapters/git-ledger/git-run-views.ts';
import { LedgerMirror, mirrorsIn } from '../adapters/git-ledger/ledger-mirror.ts';
import {
  type LedgerPlace,
  LocalLedgerPlace,
  RemoteLedgerPlace,
} from '../adapters/git-ledger/ledger-place.ts';
import { SharedLedger } from '../adapters/git-ledger/shared-ledger.ts';
import { WaitingCheckpoints } from '../adapters/git-ledger/waiting-checkpoints.ts';
import { countDeliveries } from '../adapters/inbox/count-deliveries.ts';
import { LocalClosedIssues } from '../adapters/local-forge/local-closed-issues.ts';
import { MovedRunViews } from '../adapters/local-forge/moved-run-views.ts';
import { listUnsent } from '../adapters/notifications/list-unsent.ts';
import { openDatabase, openDatabaseToRead } from '../adapters/sqlite/database.ts';
import { openCopy } from '../adapters/sqlite/open-copy.ts';
import { isEventKnown } from '../adapters/sqlite/sqlite-run-views.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { loadConfig } from '../config/load-config.ts';
import type { BaseConfig } from '../config/read-config.ts';
import { requireLedgerKey } from '../config/require-ledger-key.ts';
import { type Sha256, sha256, signText } from '../domain/ledger/hash.ts';
import type { RecordsUse } from '../entrypoints/cli/app.ts';
import { composeOnDatabase } from './compose-on-database.ts';
import type { ComposedRecords, ComposedViews, LedgerHome } from './compose-records.ts';
import { findPlace, remotesOf } from './find-place.ts';

/** What was fetched so long ago is new enough to be read, in milliseconds. What is written never depends on it. */
const freshFor = { local: 500, github: 5_000 } as const;

async function findHome(config: BaseConfig): Promise<LedgerHome> {
  const place = await findPlace(config, config.repositoryGiven);
  return { ...place, forge: loadConfig(config, place.root).forge };
}

/** The folder of a mirror, which can be removed at any time; one that goes away with the program where none can be kept. */
function makeFolder(config: BaseConfig, address: string, signingKey: string): string {
  // Another key is another ledger: nothing that one has checked counts for the other.
  const name = sha256(`${address}\n${signText(signingKey, 'ledger mirror')}`).slice(0, 16);
  const folder = join(mirrorsIn(config.dataFolder), name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    const passing = mkdtempSync(join(tmpdir(), 'gatewright-ledger-'));
    process.once('exit', () => rmSync(passing, { recursive: true, force: true }));
    return passing;
  }
}

async function openPlace(
  base: BaseConfig,
  { root, name, forge }: LedgerHome,
  signingKey: string,
): Promise<{ readonly place: LedgerPlace; readonly folder: string }> {
  if (forge === 'local') {
    const git = new BareGit(root, base.environment);
    const address = await git.findGitFolder();
    return { place: new LocalLedgerPlace(git), folder: makeFolder(base, address, signingKey) };
  }
  const { openGithubGit } = await import('./compose-github.ts');
  const { server, address } = await openGithubGit(loadConfig(base, root), name, remotesOf(base, root));
  const folder = makeFolder(base, address, signingKey);
  return { place: new RemoteLedgerPlace(join(folder, 'ref.git'), base.environment, server), folder };
}

async function openShared(config: BaseConfig, home: LedgerHome, signingKey: string): Promise<SharedLedger> {
  const { place, folder } = await openPlace(config, home, signingKey);
  const database = openDatabase(join(folder, 'mirror.db'));
  // The ref has everything; after a power failure the mirror is an earlier one.
  database.pragma('synchronous = NORMAL');
  const mirror = new LedgerMirror(database, signingKey);
  return new SharedLedger({ place, mirror, clock: systemClock, freshFor: freshFor[home.forge] });
}

const viewsOf = (shared: SharedLedger, { root }: LedgerHome) =>
  makeGitRunViews(shared, new MovedRunViews(shared.mirror.database, () => root, true));

export async function composeRefViews(config: BaseConfig): Promise<ComposedViews> {
  const signingKey = requireLedgerKey(config);
  const home = await findHome(config);
  const shared = await openShared(config, home, signingKey);
  const database = openDatabaseToRead(config.databaseFile) ?? shared.mirror.database;
  return {
    views: viewsOf(shared, home),
    leases: new GitLeases(shared, systemClock, config.actor),
    closed: new LocalClosedIssues(database),
    countDeliveries: () =>
      countDeliveries(config.databaseFile, (delivery) => isEventKnown(shared.mirror.database, delivery)),
    listUnsent: () => listUnsent(shared.mirror.database, new Date()),
  };
}

async function openCheckpoints(waiting: WaitingCheckpoints) {
  const { GitCheckpoints } = await import('../adapters/git-ledger/git-checkpoints.ts');
  return new GitCheckpoints(waiting);
}

export async function composeRefRecords(
  config: BaseConfig,
  use: RecordsUse,
  known?: LedgerHome,
): Promise<ComposedRecords> {
  const signingKey = requireLedgerKey(config);
  const home = known ?? (await findHome(config));
  const shared = await openShared(config, home, signingKey);
  const mirrored = shared.mirror.database;
  const database =
    (use === 'look' ? openDatabaseToRead(config.databaseFile) : null) ??
    (use === 'look' ? mirrored : openDatabase(config.databaseFile));
  if (use === 'scratch') {
    await shared.freshen();
    const copy = openCopy(mirrored);
    // The local forge is in the other one: what a scratch ledger leads to must not reach it either.
    const source = { database: openCopy(database), source: copy, signingKey, root: home.root };
    const findText = (hash: Sha256): Promise<string | null> => shared.findText(hash);
    const records = composeOnDatabase(config, { ...source, findText, folder: dirname(copy.name) });
    const checkpoints = new WaitingCheckpoints(new LedgerMirror(copy, signingKey), null);
    return { ...records, openCheckpoints: () => openCheckpoints(checkpoints) };
  }
  return {
    records: {
      ledger: new GitLedger({ shared, clock: systemClock, signingKey }),
      views: viewsOf(shared, home),
      leases: new GitLeases(shared, systemClock, config.actor),
      clock: systemClock,
      actor: config.actor,
    },
    database,
    signingKey,
    folder: null,
    openCheckpoints: () => openCheckpoints(shared.checkpoints),
  };
}
