/** Which folder is which repository of the local forge, and who may do what there. */
import type { Permission } from '../../domain/forge/permission.ts';
import { GatewrightError } from '../../errors.ts';
import { BareGit } from '../git/bare-git.ts';
import type { Environment } from '../git/git-environment.ts';
import {
  findPlaceOf,
  makeIdentity,
  type RepositoryPlace,
  readIdentity,
  readOldIdentity,
} from '../git/repository-identity.ts';
import type { ForgeRecords } from './forge-records.ts';

interface RepositoryRow {
  readonly name: string;
  readonly folder: string | null;
  readonly identity: string | null;
  readonly default_branch: string | null;
}

/** Names that default branches have, the likeliest first. */
const usualDefaults = ['main', 'master', 'trunk'];

/** Whether a row means this repository: it is in the same git folder, or is not where it was any more. */
function isStillThat(row: RepositoryRow, place: RepositoryPlace, identity: string): boolean {
  const there = row.folder === null ? null : findPlaceOf(row.folder);
  if (there === null || there.gitFolder === place.gitFolder) return true;
  return readIdentity(there) !== identity;
}

export class LocalRepositories {
  readonly #records: ForgeRecords;
  readonly #environment: Environment;
  readonly #gits = new Map<string, BareGit>();

  constructor(records: ForgeRecords, environment: Environment) {
    this.#records = records;
    this.#environment = environment;
  }

  #row(repository: string): RepositoryRow {
    this.#records.requireRepository(repository);
    return this.#records.one<RepositoryRow>(
      'SELECT * FROM forge_repositories WHERE name = ?',
      repository,
    ) as RepositoryRow;
  }

  /** The commits of a repository. */
  gitOf(repository: string): BareGit {
    const folder = this.#records.look(() => this.#row(repository).folder);
    if (folder === null)
      throw new GatewrightError('not-a-repository', `No folder is known for ${repository}.`);
    const git = this.#gits.get(folder) ?? new BareGit(folder, this.#environment);
    this.#gits.set(folder, git);
    return git;
  }

  /**
   * Decided at the first request, so that it does not change with the branch that a person checks out: the default of
   * `origin`, a usual name, or the branch that is checked out.
   */
  async findDefaultBranch(repository: string): Promise<string> {
    const git = this.gitOf(repository);
    const branches = await git.listBranches();
    const settled = this.#records.look(() => this.#row(repository).default_branch);
    if (settled !== null && branches.has(settled)) return settled;
    const wanted = [await git.readOriginHead(), ...usualDefaults, await git.readHead()];
    const found = wanted.find((name) => name !== null && branches.has(name)) ?? [...branches.keys()][0];
    // Nothing is committed yet: what the first commit will be on.
    if (found === undefined || found === null) return (await git.readHead()) ?? 'main';
    this.#records.transact(() =>
      this.#records.run('UPDATE forge_repositories SET default_branch = ? WHERE name = ?', found, repository),
    );
    return found;
  }

  /**
   * The forge repository of a folder; made when the folder is new, with the current actor as its administrator. A
   * folder that was moved and a linked work tree belong to the repository that they came from; a copy is new. If another
   * folder already has the name, a number is added.
   */
  register(folder: string, wantedName: string): string {
    const place = findPlaceOf(folder);
    return this.#records.transact(() => {
      const home = place?.folder ?? folder;
      const known = this.#find(folder, place);
      const identity = this.#settleIdentity(home, place, known);
      if (known !== null) {
        this.#adoptOrphan(known.name);
        if (known.folder !== home || known.identity !== identity)
          this.#records.run(
            'UPDATE forge_repositories SET folder = ?, identity = ? WHERE name = ?',
            home,
            identity,
            known.name,
          );
        return known.name;
      }
      let name = wantedName;
      for (let number = 2; this.#isTaken(name); number += 1) name = `${wantedName}-${number}`;
      this.#records.run(
        'INSERT INTO forge_repositories (name, folder, identity, created_at) VALUES (?, ?, ?, ?)',
        name,
        home,
        identity,
        this.#records.now(),
      );
      if (this.#records.actor !== '') this.#putPermission(name, this.#records.actor, 'admin');
      return name;
    });
  }

  /** The name in its git folder; made when there is none, and made anew for a copy, which came with that of another. */
  #settleIdentity(home: string, place: RepositoryPlace | null, known: RepositoryRow | null): string | null {
    if (place === null) return known?.identity ?? null;
    const identity = readIdentity(place);
    const isCopy = known === null && identity !== null && this.#withIdentity(identity).length > 0;
    const settled = identity !== null && !isCopy ? identity : makeIdentity(place, { isCopy });
    return settled ?? readOldIdentity(home);
  }

  startNumbersAt(repository: string, number: number): void {
    this.#records.transact(() => {
      this.#records.require(repository, 'admin');
      this.#records.run(
        'UPDATE forge_repositories SET next_number = max(next_number, ?) WHERE name = ?',
        number,
        repository,
      );
    });
  }

  #withIdentity(identity: string): RepositoryRow[] {
    return this.#records.all<RepositoryRow>('SELECT * FROM forge_repositories WHERE identity = ?', identity);
  }

  #at(folder: string): RepositoryRow | null {
    return (
      this.#records.one<RepositoryRow>('SELECT * FROM forge_repositories WHERE folder = ?', folder) ?? null
    );
  }

  #find(folder: string, place: RepositoryPlace | null): RepositoryRow | null {
    if (place === null) return this.#at(folder);
    const identity = readIdentity(place);
    if (identity !== null) {
      const [same] = this.#withIdentity(identity).filter((row) => isStillThat(row, place, identity));
      if (same !== undefined) return same;
      // It has a name that this database knows from another folder, which is still there: a copy of that one.
      if (this.#withIdentity(identity).length > 0) return this.#notNamed(this.#at(place.folder), identity);
    }
    return this.#at(place.folder) ?? this.#at(folder) ?? this.#findMoved(place.folder);
  }

  /** A repository was here before, and a copy of another one was put in its place. */
  #notNamed(row: RepositoryRow | null, identity: string): RepositoryRow | null {
    return row?.identity === identity ? null : row;
  }

  /** Moved on the same disk, before its git folder had a name. */
  #findMoved(folder: string): RepositoryRow | null {
    const old = readOldIdentity(folder);
    if (old === null) return null;
    const isElsewhere = (row: RepositoryRow): boolean =>
      row.folder !== null && readOldIdentity(row.folder) !== old;
    return this.#withIdentity(old).find(isElsewhere) ?? null;
  }

  #isTaken(name: string): boolean {
    return this.#records.one('SELECT 1 FROM forge_repositories WHERE name = ?', name) !== undefined;
  }

  /** A repository that was first used without a login has no administrator: the first actor with a login becomes it. */
  #adoptOrphan(repository: string): void {
    if (this.#records.actor === '') return;
    const anybody = this.#records.one('SELECT 1 FROM forge_permissions WHERE repository = ?', repository);
    if (anybody === undefined) this.#putPermission(repository, this.#records.actor, 'admin');
  }

  listPermissions(repository: string): { actor: string; permission: Permission }[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records.all(
        'SELECT actor, permission FROM forge_permissions WHERE repository = ? ORDER BY actor',
        repository,
      );
    });
  }

  setPermission(repository: string, actor: string, permission: Permission): void {
    this.#records.transact(() => {
      this.#records.require(repository, 'admin');
      this.#putPermission(repository, actor, permission);
    });
  }

  #putPermission(repository: string, actor: string, permission: Permission): void {
    this.#records.run(
      'INSERT OR REPLACE INTO forge_permissions (repository, actor, permission) VALUES (?, ?, ?)',
      repository,
      actor,
      permission,
    );
  }
}
