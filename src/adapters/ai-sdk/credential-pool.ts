/** The keys for one model: which may be used now, which is out of quota until when, which was rejected for good. */
import type { Credential } from '../../domain/credential.ts';

export class CredentialPool {
  readonly #credentials: readonly Credential[];
  readonly #exhausted = new Map<Credential, Date>();
  readonly #dropped = new Set<Credential>();

  constructor(credentials: readonly Credential[]) {
    this.#credentials = credentials;
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
  next(now: Date): Credential | null {
    return (
      this.#credentials.find((one) => {
        const until = this.#exhausted.get(one);
        return !this.#dropped.has(one) && (until === undefined || until <= now);
      }) ?? null
    );
  }

  markExhausted(credential: Credential, until: Date): void {
    this.#exhausted.set(credential, until);
  }

  drop(credential: Credential): void {
    this.#dropped.add(credential);
  }

  /** When the first of those that are only out of quota comes back; null when all were rejected. */
  earliestReset(): Date | null {
    const times = this.#credentials
      .filter((one) => !this.#dropped.has(one))
      .flatMap((one) => this.#exhausted.get(one) ?? []);
    return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
  }
}
