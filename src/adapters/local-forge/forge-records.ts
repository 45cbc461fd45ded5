/** The local forge's rows, for one actor: transactions, who may do what, and how people are shown. */
import { isBotLogin } from '../../domain/forge/login.ts';
import { isAtLeast, type Permission } from '../../domain/forge/permission.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ActorKind, Association } from '../../ports/forge/forge.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';
import { withoutSync } from '../sqlite/without-sync.ts';

interface Person {
  readonly author: string;
  readonly authorKind: ActorKind;
  readonly association: Association;
}

export function kindOfActor(login: string): ActorKind {
  return isBotLogin(login) ? 'bot' : 'person';
}

/** What the forge does not accept, said in one sentence. */
export function reject(message: string, hint?: string): GatewrightError {
  return new GatewrightError('forge-rejected', message, hint === undefined ? {} : { hint });
}

/** A moment as the rows hold it, whatever form of ISO 8601 it was given in; null when none was. */
export function toMoment(text: string | undefined): string | null {
  return text === undefined ? null : new Date(text).toISOString();
}

/** What a forge is used for. */
export interface ForgeUse {
  /**
   * Every change is an effect of a run: its intent is on the disk before it, and the end of the run waits for the disk
   * after it. The ledger is in the same database, so both are forgotten or neither, and no change waits by itself.
   */
  readonly isForEffects?: boolean;
}

export class ForgeRecords {
  readonly actor: string;
  readonly database: SqliteDatabase;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isForEffects: boolean;

  constructor(
    database: SqliteDatabase,
    clock: Pick<Clock, 'now'>,
    actor: string,
    { isForEffects = false }: ForgeUse = {},
  ) {
    this.database = database;
    this.#clock = clock;
    this.actor = actor;
    this.#isForEffects = isForEffects;
  }

  now(): string {
    return this.#clock.now().toISOString();
  }

  /**
   * All changes or none, and no other connection sees a state in between.
   *
   * @param isBeforeGit git is changed next because of it, so it has to be on the disk first
   */
  transact<T>(work: () => T, isBeforeGit = false): T {
    const commit = (): T => this.database.transaction(work).immediate();
    const mayWait = this.#isForEffects && !isBeforeGit;
    return this.look(() => (mayWait ? withoutSync(this.database, commit) : commit()));
  }

  look<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof GatewrightError) throw error;
      return explainDatabaseError(error, this.database.name);
    }
  }

  /** Rows are our own and have the shape that the migrations gave them. */
  all<Row>(sql: string, ...values: unknown[]): Row[] {
    return prepareOnce(this.database, sql).all(...values) as Row[];
  }

  one<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return prepareOnce(this.database, sql).get(...values) as Row | undefined;
  }

  run(sql: string, ...values: unknown[]): { readonly changes: number; readonly id: number } {
    const { changes, lastInsertRowid } = prepareOnce(this.database, sql).run(...values);
    return { changes, id: Number(lastInsertRowid) };
  }

  requireRepository(repository: string): void {
    if (this.one('SELECT 1 FROM forge_repositories WHERE name = ?', repository) === undefined)
      throw new GatewrightError('forge-not-found', `The local forge has no repository ${repository}.`);
  }

  requireLogin(): string {
    if (this.actor === '') throw new GatewrightError('forge-not-authenticated', 'No login is known for you.');
    return this.actor;
  }

  permissionOf(repository: string, actor: string): Permission {
    const found = this.one<{ permission: Permission }>(
      'SELECT permission FROM forge_permissions WHERE repository = ? AND actor = ?',
      repository,
      actor,
    );
    return found?.permission ?? 'none';
  }

  /** Everybody who knows the repository may read, talk and open things, as on a public GitHub repository. */
  require(repository: string, needed: Permission): void {
    this.requireRepository(repository);
    this.requireLogin();
    if (isAtLeast(this.permissionOf(repository, this.actor), needed)) return;
    throw new GatewrightError(
      'forge-forbidden',
      `${this.actor} needs "${needed}" permission on ${repository}.`,
    );
  }

  describePerson(repository: string, login: string): Person {
    return {
      author: login,
      authorKind: kindOfActor(login),
      association: this.#associationOf(repository, login),
    };
  }

  #associationOf(repository: string, login: string): Association {
    const permission = this.permissionOf(repository, login);
    if (permission === 'admin') return 'owner';
    if (isAtLeast(permission, 'write')) return 'collaborator';
    const merged = this.one(
      `SELECT 1 FROM forge_pull_requests p JOIN forge_issues i USING (repository, number)
       WHERE p.repository = ? AND p.merged_at IS NOT NULL AND i.author = ? LIMIT 1`,
      repository,
      login,
    );
    return merged === undefined ? 'none' : 'contributor';
  }
}
