/** A repository with a ledger on its git ref, and machines that share it: each with a mirror of its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BareGit } from '../../src/adapters/git/bare-git.ts';
import { GitLeases } from '../../src/adapters/git-ledger/git-leases.ts';
import { GitLedger } from '../../src/adapters/git-ledger/git-ledger.ts';
import { LedgerMirror } from '../../src/adapters/git-ledger/ledger-mirror.ts';
import {
  type LedgerPlace,
  type LedgerServer,
  LocalLedgerPlace,
  RemoteLedgerPlace,
} from '../../src/adapters/git-ledger/ledger-place.ts';
import { SharedLedger } from '../../src/adapters/git-ledger/shared-ledger.ts';
import { openDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { childEnvironment } from './run-children.ts';
import { makeStillClock } from './still-clock.ts';

const signingKey = 'ab'.repeat(32);

/** `local`: the ref of a repository on this machine. `remote`: that of a server, here one that is reached by its path. */
export type Where = 'local' | 'remote';

/** One machine: nothing of it is shared but the ref. */
export class LedgerMachine {
  readonly place: LedgerPlace;
  readonly database: SqliteDatabase;
  readonly shared: SharedLedger;
  readonly ledger: GitLedger;
  readonly clock: Pick<Clock, 'now'>;

  constructor(where: Where, repository: string, folder: string, clock: Pick<Clock, 'now'>) {
    const server: LedgerServer = { talk: (_, run) => run(repository, {}) };
    this.place =
      where === 'local'
        ? new LocalLedgerPlace(new BareGit(repository, childEnvironment))
        : new RemoteLedgerPlace(join(folder, 'ref.git'), childEnvironment, server);
    this.database = openDatabase(join(folder, 'mirror.db'));
    this.database.pragma('synchronous = OFF');
    this.clock = clock;
    const mirror = new LedgerMirror(this.database, signingKey);
    this.shared = new SharedLedger({ place: this.place, mirror, clock, freshFor: 0 });
    this.ledger = new GitLedger({ shared: this.shared, clock, signingKey });
  }

  /** @param machine as another boot of a machine of the same name, where it is given */
  leasesOf(actor: string, machine?: string | null): GitLeases {
    // As long as in a database, which is what the contract waits for.
    const more = machine === undefined ? {} : { machine };
    return new GitLeases(this.shared, this.clock, actor, { milliseconds: 30_000, ...more });
  }
}

export class GitLedgerWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'gw-git-ledger-'));
  readonly repository = join(this.folder, 'repository');
  readonly clock = makeStillClock();
  readonly #where: Where;
  readonly #machines: LedgerMachine[] = [];

  constructor(where: Where) {
    this.#where = where;
    this.git('init', '--quiet', this.repository);
    // As GitHub does: what is not asked for can stay there.
    this.git('-C', this.repository, 'config', 'uploadpack.allowFilter', 'true');
  }

  git(...words: string[]): string {
    return execFileSync('git', words, {
      ...{ cwd: this.folder, env: childEnvironment, encoding: 'utf8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  addMachine(): LedgerMachine {
    const folder = mkdtempSync(join(this.folder, 'machine-'));
    const machine = new LedgerMachine(this.#where, this.repository, folder, this.clock);
    this.#machines.push(machine);
    return machine;
  }

  remove(): void {
    for (const { database } of this.#machines) database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
