/** Answers of GitHub that may be used again if GitHub says that nothing has changed since. In memory, bounded. */

export interface CachedAnswer {
  readonly etag: string;
  readonly contentType: string;
  /** Pages that follow; empty when there are none. */
  readonly link: string;
  readonly body: string;
}

/** Losing or forgetting an answer only costs a request, so nothing here ever fails. */
export interface AnswerCache {
  get(key: string): CachedAnswer | null;
  set(key: string, answer: CachedAnswer): void;
}

export interface CacheLimits {
  readonly entries: number;
  readonly bytes: number;
}

export const usualLimits: CacheLimits = { entries: 1000, bytes: 32 * 1024 * 1024 };
/** A larger answer would push out too many others. */
export const largestAnswer = 1024 * 1024;

export class MemoryAnswerCache implements AnswerCache {
  readonly #limits: CacheLimits;
  /** The one that was not used for the longest time comes first. */
  readonly #answers = new Map<string, CachedAnswer>();
  #bytes = 0;

  constructor(limits: CacheLimits = usualLimits) {
    this.#limits = limits;
  }

  get(key: string): CachedAnswer | null {
    const answer = this.#answers.get(key);
    if (answer === undefined) return null;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  set(key: string, answer: CachedAnswer): void {
    this.#drop(key);
    this.#answers.set(key, answer);
    this.#bytes += answer.body.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#answers.get(key)?.body.length ?? 0;
    this.#answers.delete(key);
  }
}
