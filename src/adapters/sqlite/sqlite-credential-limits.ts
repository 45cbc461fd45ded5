/** Which credentials are out of quota until when, in the database, so that the next process does not call in vain. */
import type { Clock } from '../../ports/clock.ts';
import type { CredentialLimits } from '../../ports/credential-limits.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';

export class SqliteCredentialLimits implements CredentialLimits {
  readonly #database: SqliteDatabase;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(database: SqliteDatabase, clock: Pick<Clock, 'now'>) {
    this.#database = database;
    this.#clock = clock;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      return explainDatabaseError(error, this.#database.name);
    }
  }

  async read(model: string): Promise<ReadonlyMap<string, Date>> {
    const rows = this.#guard(
      () =>
        prepareOnce(
          this.#database,
          'SELECT credential, until FROM credential_limits WHERE model = ? AND until > ?',
        ).all(model, this.#clock.now().toISOString()) as { credential: string; until: string }[],
    );
    return new Map(rows.map(({ credential, until }) => [credential, new Date(until)]));
  }

  async keep(model: string, credential: string, until: Date): Promise<void> {
    this.#guard(() => {
      const write = this.#database.transaction(() => {
        prepareOnce(this.#database, 'DELETE FROM credential_limits WHERE until <= ?').run(
          this.#clock.now().toISOString(),
        );
        prepareOnce(
          this.#database,
          `INSERT INTO credential_limits (model, credential, until) VALUES (@model, @credential, @until)
             ON CONFLICT (model, credential) DO UPDATE SET until = @until`,
        ).run({ model, credential, until: until.toISOString() });
      });
      write.immediate();
    });
  }
}
