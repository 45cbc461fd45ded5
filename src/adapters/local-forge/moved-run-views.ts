/**
 * The runs of a database, each with the folder where its repository is now. A repository is known by the random name in
 * its git folder; it is looked for where the person is and where the local forge last saw it. Reads git's own files only:
 * `status` must not wait for a process.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { activeFolder } from '../../domain/drafts/lineage.ts';
import { matchRequest, type RunRequest, type RunSummary } from '../../domain/ledger/run.ts';
import type { OpenGate, Page, RunFilter, RunViews } from '../../ports/ledger.ts';
import { findPlaceOf, readIdentity } from '../git/repository-identity.ts';
import { prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';
import { SqliteRunViews } from '../sqlite/sqlite-run-views.ts';

interface KnownRepository {
  readonly folder: string | null;
  readonly identity: string | null;
}

/** The work tree that a folder is in; null when it is in none. */
function findRoot(folder: string): string | null {
  try {
    for (let at = realpathSync(folder); ; at = dirname(at)) {
      if (existsSync(join(at, '.git'))) return at;
      if (at === dirname(at)) return null;
    }
  } catch {
    return null;
  }
}

function identityAt(folder: string): string | null {
  const place = findPlaceOf(folder);
  return place === null ? null : readIdentity(place);
}

/** Whether what a run needs in its folder is there: its files are not committed before it is done. */
function holdsFilesOf(folder: string, request: RunRequest): boolean {
  return matchRequest(request, {
    authoring: ({ slug }) => existsSync(join(folder, activeFolder(slug))),
    agent: () => true,
    loop: () => true,
    pipeline: () => true,
  });
}

/** Looks each folder up once; made anew for each list, since folders are moved while a server runs. */
class Finder {
  readonly #database: SqliteDatabase;
  readonly #here: string | null;
  readonly #isShared: boolean;
  readonly #identities = new Map<string, string | null>();
  readonly #places = new Map<string, boolean>();

  constructor(database: SqliteDatabase, folder: string, isShared: boolean) {
    this.#database = database;
    this.#here = findRoot(folder);
    this.#isShared = isShared;
  }

  #identityOf(folder: string): string | null {
    const known = this.#identities.get(folder);
    if (known !== undefined) return known;
    const identity = identityAt(folder);
    this.#identities.set(folder, identity);
    return identity;
  }

  #isPlace(folder: string): boolean {
    const known = this.#places.get(folder) ?? findPlaceOf(folder) !== null;
    this.#places.set(folder, known);
    return known;
  }

  #registered(repository: string): KnownRepository | null {
    const sql = 'SELECT folder, identity FROM forge_repositories WHERE name = ?';
    return (prepareOnce(this.#database, sql).get(repository) as KnownRepository | undefined) ?? null;
  }

  /** Where the run's folder is now; null when it is where it was, or is not found. */
  find({ request }: Pick<RunSummary, 'request'>): string | null {
    const { root, home, repository, forge = 'local' } = request;
    if (this.#isShared) return this.#here;
    if (this.#isPlace(root)) {
      const there = this.#identityOf(root);
      // Without a name on one of the sides, the place is all there is to go by.
      if (home === undefined || there === null || there === home) return null;
    }
    const registered = forge === 'local' ? this.#registered(repository) : null;
    const identity = home ?? registered?.identity ?? null;
    if (identity === null) return null;
    const here = this.#here === null ? [] : [this.#here, findPlaceOf(this.#here)?.folder ?? this.#here];
    const candidates = [...here, registered?.folder ?? null].filter((one) => one !== null);
    return (
      candidates.find((folder) => this.#identityOf(folder) === identity && holdsFilesOf(folder, request)) ??
      null
    );
  }
}

export class MovedRunViews extends SqliteRunViews implements RunViews {
  readonly #database: SqliteDatabase;
  readonly #folder: () => string;
  readonly #isShared: boolean;

  /**
   * @param folder where the person is
   * @param isShared whether other machines write to it, where the folder of a run says nothing: all runs are those of the
   *   repository in that folder
   */
  constructor(database: SqliteDatabase, folder: () => string, isShared = false) {
    super(database);
    this.#database = database;
    this.#folder = folder;
    this.#isShared = isShared;
  }

  #place(runs: readonly RunSummary[]): RunSummary[] {
    if (runs.length === 0) return [];
    const finder = new Finder(this.#database, this.#folder(), this.#isShared);
    return runs.map((run) => {
      const root = finder.find(run);
      return root === null || root === run.request.root
        ? run
        : { ...run, request: { ...run.request, root }, movedFrom: run.request.root };
    });
  }

  override async findRun(id: string): Promise<RunSummary | null> {
    const run = await super.findRun(id);
    return run === null ? null : (this.#place([run])[0] ?? null);
  }

  override async listRuns(filter: RunFilter = {}, page?: Page): Promise<RunSummary[]> {
    const { root, ...others } = filter;
    // The folder that is asked for is the one of today.
    const runs = this.#place(await super.listRuns(others, page));
    return root === undefined ? runs : runs.filter(({ request }) => request.root === root);
  }

  override async listOpenGates(filter: Pick<RunFilter, 'subject'> = {}): Promise<OpenGate[]> {
    const gates = await super.listOpenGates(filter);
    const runs = this.#place(gates.map(({ run }) => run));
    return gates.map((gate, index) => ({ ...gate, run: runs[index] ?? gate.run }));
  }
}
