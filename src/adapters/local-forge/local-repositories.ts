/** Which folder is which repository of the local forge, and who may do what there. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '../../domain/forge/permission.ts';
import { GatewrightError } from '../../errors.ts';
import { BareGit } from '../git/bare-git.ts';
import type { Environment } from '../git/git-environment.ts';
import type { ForgeRecords } from './forge-records.ts';

interface RepositoryRow {
  readonly name: string;
  readonly folder: string | null;
  readonly identity: string | null;
  readonly default_branch: string | null;
}

/** Names that default branches have, the likeliest first. */
const usualDefaults = ['main', 'master', 'trunk'];

/**
 * What stays the same when a folder is moved and differs when it is copied: the number and birth of its `.git` on the
 * disk. Null where the file system does not say.
 */
function identify(folder: string): string | null {
  try {
    const { ino, birthtimeNs } = statSync(join(folder, '.git'), { bigint: true });
    return ino === 0n || birthtimeNs === 0n ? null : `${ino}-${birthtimeNs}`;
  } catch {
    return null;
  }
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
   * folder that was moved is recognised; a copy of one is new. If another folder already has the name, a number is
   * added.
   */
  register(folder: string, wantedName: string): string {
    const identity = identify(folder);
    return this.#records.transact(() => {
      const known = this.#find(folder, identity);
      if (known !== null) {
        this.#adoptOrphan(known.name);
        if (known.folder !== folder || known.identity !== identity)
          this.#records.run(
            'UPDATE forge_repositories SET folder = ?, identity = ? WHERE name = ?',
            folder,
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
        folder,
        identity,
        this.#records.now(),
      );
      if (this.#records.actor !== '') this.#putPermission(name, this.#records.actor, 'admin');
      return name;
    });
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

  #find(folder: string, identity: string | null): RepositoryRow | null {
    const here = this.#records.one<RepositoryRow>(
      'SELECT * FROM forge_repositories WHERE folder = ?',
      folder,
    );
    if (here !== undefined) return here;
    if (identity === null) return null;
    const moved = this.#records
      .all<RepositoryRow>('SELECT * FROM forge_repositories WHERE identity = ?', identity)
      // Still where it was: then this is another name for the same folder, not a new place for it.
      .filter((row) => row.folder !== null && identify(row.folder) !== identity);
    return moved[0] ?? null;
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
