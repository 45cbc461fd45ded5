/** How many requests come in a time: a bucket for each session, one for links, and one for everything else without a session. */
import type { Sha256 } from '../../../../domain/ledger/hash.ts';
import { GatewrightError } from '../../../../errors.ts';

interface Bucket {
  left: number;
  at: number;
}

interface Limit {
  /** So many at once. */
  readonly burst: number;
  readonly perSecond: number;
}

const known: Limit = { burst: 200, perSecond: 20 };
/** Enough for a person who opens a link; guessing a code would take longer than the universe has. */
const unknown: Limit = { burst: 30, perSecond: 1 };
/** There are fewer sessions; beyond that, the fullest are forgotten, which loses nothing. */
const mostBuckets = 200;

export class RequestLimits {
  readonly #buckets = new Map<string, Bucket>();

  /** Throws when it was one too many. @param who the id of a session, or why there is none @param at of a clock that only goes on */
  take(who: Sha256 | 'link' | 'stranger', at: number): void {
    const limit = who === 'link' || who === 'stranger' ? unknown : known;
    const bucket = this.#buckets.get(who) ?? { left: limit.burst, at };
    const gained = ((at - bucket.at) / 1000) * limit.perSecond;
    bucket.left = Math.min(limit.burst, bucket.left + gained);
    bucket.at = at;
    if (this.#buckets.size >= mostBuckets) this.#forgetFull(at);
    this.#buckets.set(who, bucket);
    if (bucket.left < 1)
      throw new GatewrightError('request-limit', 'Too many requests came in a short time.', {
        facts: { retryAfter: Math.ceil((1 - bucket.left) / limit.perSecond) },
      });
    bucket.left -= 1;
  }

  #forgetFull(at: number): void {
    for (const [name, bucket] of this.#buckets)
      if (at - bucket.at > (1000 * known.burst) / known.perSecond) this.#buckets.delete(name);
  }
}
