/**
 * GitHub answers from many machines. What was pushed or made a moment ago is not known to all of them at once, and a
 * refusal that only says so must not stop work that was paid for. It is tried again, a few times at most; then the run
 * pauses and goes on from there.
 */
import { GatewrightError } from '../../../errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import { hasStatus, refusalWords } from './explain-github-error.ts';

/** Half a minute in all, when one is a second. */
const pauses: readonly number[] = [1, 2, 4, 8, 15];
/** For a thing of which only its number makes it likely that it is new: three seconds. */
const shortPauses: readonly number[] = [1, 2];
/** What we made or pushed ourselves counts as new for this long. */
const newFor = 120_000;
/** When a run that gave up waiting may go on. */
const goOnAfter = 60_000;

type Parameters = Readonly<Record<string, unknown>>;

export class CatchUp {
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #unit: number;
  /** What we made, with when. */
  readonly #made = new Map<string, number>();
  /** By repository, the highest number of an issue or pull request that GitHub has told us about. */
  readonly #highest = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now' | 'sleep'>, unit: number) {
    this.#clock = clock;
    this.#unit = unit;
  }

  /** Tries again while `isLate` says of a refusal that it will pass. The last refusal is thrown as it is. */
  async retry<T>(
    work: () => Promise<T>,
    isLate: (error: unknown) => boolean,
    waits: readonly number[] = pauses,
  ): Promise<T> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        const wait = waits[tried];
        if (wait === undefined || !isLate(error)) throw error;
        await this.#clock.sleep(wait * this.#unit);
      }
    }
  }

  /** That it has not caught up, for a run that pauses. */
  explain(what: string, words: string): GatewrightError {
    const until = new Date(this.#clock.now().getTime() + goOnAfter).toISOString();
    const said = words === '' ? '' : `: ${words}`;
    return new GatewrightError('forge-lagging', `GitHub has not caught up yet (${what})${said}`, { until });
  }

  /** By a name such as `owner/name#12`, `owner/name:branch` or the hash of a commit. */
  noteMade(name: string): void {
    this.#made.set(name.toLowerCase(), this.#clock.now().getTime());
  }

  isNew(name: string): boolean {
    const made = this.#made.get(name.toLowerCase());
    return made !== undefined && this.#clock.now().getTime() - made < newFor;
  }

  /** How long a request about something that GitHub does not know is worth repeating. */
  #waitsFor(place: string, number: unknown, sha: unknown): readonly number[] {
    if (typeof sha === 'string' && this.isNew(sha)) return pauses;
    if (typeof number !== 'number') return [];
    if (this.isNew(`${place}#${number}`)) return pauses;
    // Numbers grow: one beyond all that we know of may have come into the world a moment ago.
    return number > (this.#highest.get(place) ?? 0) ? shortPauses : [];
  }

  /** Sends a request; "there is no such thing" is not believed at once about what is new. Nothing was done by then. */
  async send<T>(parameters: Parameters, request: () => Promise<T>): Promise<T> {
    const { owner, repo, issue_number: issue, pull_number: pull, sha } = parameters;
    const place = `${String(owner)}/${String(repo)}`.toLowerCase();
    const number = issue ?? pull;
    const isUnknown = (error: unknown) =>
      hasStatus(error, 404) || (hasStatus(error, 422) && /\bno commit found\b/iu.test(refusalWords(error)));
    const answer = await this.retry(request, isUnknown, this.#waitsFor(place, number, sha));
    if (typeof number === 'number') this.#highest.set(place, Math.max(number, this.#highest.get(place) ?? 0));
    return answer;
  }
}
