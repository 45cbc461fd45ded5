/**
 * Decides how long the handling of events pauses between two transactions, so that a burst of deliveries is received before
 * it is handled: a sender waits for its answer, and nothing waits for the handling. The pause gets shorter as more waits to
 * be handled, so that a burst without an end is handled as well.
 */

/** The rate is counted over this time. */
const windowMilliseconds = 100;
/** More than this many in that time are a burst: 1,500 a second. */
const burst = 150;
const longestPause = 500;
/** With more waiting than the first number the pause gets shorter, and with the second there is none. */
const [manyWaiting, mostWaiting] = [25_000, 75_000];

export class ReceivingRate {
  readonly #now: () => number;
  #windowStart: number;
  #count = 0;
  #lastCount = 0;
  #waiting = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#windowStart = now();
  }

  #turn(): void {
    const passed = this.#now() - this.#windowStart;
    if (passed < windowMilliseconds) return;
    this.#lastCount = passed < 2 * windowMilliseconds ? this.#count : 0;
    this.#count = 0;
    this.#windowStart = this.#now();
  }

  received(count: number): void {
    this.#turn();
    this.#count += count;
    this.#waiting += count;
  }

  handled(count: number): void {
    this.#waiting = Math.max(0, this.#waiting - count);
  }

  /** In milliseconds; 0 when there is no burst. */
  pause(): number {
    this.#turn();
    if (Math.max(this.#count, this.#lastCount) <= burst) return 0;
    const share = (mostWaiting - this.#waiting) / (mostWaiting - manyWaiting);
    return longestPause * Math.min(1, Math.max(0, share));
  }
}
