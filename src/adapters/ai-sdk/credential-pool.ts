/** The keys for one model: which may be used now, which is out of quota until when, which was rejected for good. */
import { type Credential, limitName } from '../../domain/models/credential.ts';
import type { CredentialLimits } from '../../ports/credential-limits.ts';

export class CredentialPool {
  readonly #credentials: readonly Credential[];
  readonly #model: string;
  readonly #limits: CredentialLimits;
  readonly #dropped = new Set<Credential>();

  constructor(credentials: readonly Credential[], model: string, limits: CredentialLimits) {
    this.#credentials = credentials;
    this.#model = model;
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#credentials.length === 0;
  }

  get secrets(): string[] {
    return this.#credentials.map(({ key }) => key);
  }

  get droppedNames(): string[] {
    return this.#credentials.filter((one) => this.#dropped.has(one)).map(({ name }) => name);
  }

  /** The first that may be used; null when none may. */
  async next(now: Date): Promise<Credential | null> {
    const limits = await this.#limits.read(this.#model);
    return (
      this.#credentials.find((one) => {
        const until = limits.get(limitName(one.name, one.key));
        return !this.#dropped.has(one) && (until === undefined || until <= now);
      }) ?? null
    );
  }

  /** Recorded for all processes, so that no other one calls with this credential in vain. */
  async markExhausted({ name, key }: Credential, until: Date): Promise<void> {
    await this.#limits.keep(this.#model, limitName(name, key), until);
  }

  drop(credential: Credential): void {
    this.#dropped.add(credential);
  }

  /** When the first of those that are only out of quota comes back; null when all were rejected. */
  async earliestReset(): Promise<Date | null> {
    const limits = await this.#limits.read(this.#model);
    const times = this.#credentials
      .filter((one) => !this.#dropped.has(one))
      .flatMap((one) => limits.get(limitName(one.name, one.key)) ?? []);
    return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
  }
}
