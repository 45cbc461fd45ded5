/**
 * Stores deliveries that arrive together in one write, so that all of them wait for the disk only once. Two writes may be
 * under way: a disk that confirms one after milliseconds confirms two of them in hardly more, and while both wait, the
 * processor reads the next deliveries.
 */
import { Refusal } from './check-delivery.ts';

/** Writes them all or none. */
type Store<Item> = (items: readonly Item[]) => Promise<void>;

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitQueueOptions {
  /** The most deliveries that wait to be stored; further ones are refused, with an answer that says so. */
  readonly mostWaiting: number;
  /** In one write. */
  readonly mostTogether: number;
  /** How long more are waited for when several came at once: more in one write cost less than two writes. */
  readonly gatherMilliseconds: number;
  /** At the same time. */
  readonly mostWrites: number;
}

const usual: CommitQueueOptions = {
  ...{ mostWaiting: 2_000, mostTogether: 200, gatherMilliseconds: 2, mostWrites: 2 },
};

/** Of the deliveries that were last written together: so many are enough for the next write. */
const enoughShare = 0.5;

export class CommitQueue<Item> {
  readonly #store: Store<Item>;
  readonly #options: CommitQueueOptions;
  #waiting: Waiting<Item>[] = [];
  #writes = 0;
  #lastCount = 0;
  /** The next write begins when this ends: soon, or when more have come. */
  #soon: NodeJS.Immediate | null = null;
  #later: NodeJS.Timeout | null = null;

  constructor(store: Store<Item>, options: CommitQueueOptions = usual) {
    this.#store = store;
    this.#options = options;
  }

  /** Resolves when it is on disk. */
  add(item: Item): Promise<void> {
    if (this.#waiting.length >= this.#options.mostWaiting) return Promise.reject(new Refusal(503, 'busy', 1));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#plan();
    });
  }

  #plan(): void {
    const { mostWrites, gatherMilliseconds } = this.#options;
    if (this.#writes >= mostWrites || this.#soon !== null) return;
    // A single sender that waits for each answer is not kept waiting.
    const isEnough = this.#waiting.length >= this.#lastCount * enoughShare;
    // What else has arrived by now is read first, and goes with it.
    if (isEnough) this.#soon = setImmediate(() => this.#begin());
    else this.#later ??= setTimeout(() => this.#begin(), gatherMilliseconds);
  }

  #begin(): void {
    if (this.#soon !== null) clearImmediate(this.#soon);
    if (this.#later !== null) clearTimeout(this.#later);
    [this.#soon, this.#later] = [null, null];
    const batch = this.#waiting.splice(0, this.#options.mostTogether);
    // After a time without any, the next one is not kept waiting.
    this.#lastCount = batch.length;
    if (batch.length === 0) return;
    this.#writes += 1;
    void this.#write(batch).finally(() => {
      this.#writes -= 1;
      if (this.#lastCount > 1 || this.#waiting.length > 0) this.#plan();
    });
  }

  async #write(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.#store(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
