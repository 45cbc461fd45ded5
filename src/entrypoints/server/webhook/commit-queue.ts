/** Stores deliveries that arrive together in one write, so that all of them wait for the disk only once. */
import { setTimeout as sleep } from 'node:timers/promises';
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
}

const usual: CommitQueueOptions = { mostWaiting: 2_000, mostTogether: 200, gatherMilliseconds: 2 };

export class CommitQueue<Item> {
  readonly #store: Store<Item>;
  readonly #options: CommitQueueOptions;
  #waiting: Waiting<Item>[] = [];
  #isWriting = false;

  constructor(store: Store<Item>, options: CommitQueueOptions = usual) {
    this.#store = store;
    this.#options = options;
  }

  /** Resolves when it is on disk. */
  add(item: Item): Promise<void> {
    if (this.#waiting.length >= this.#options.mostWaiting) return Promise.reject(new Refusal(503, 'busy', 1));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isWriting) return;
      this.#isWriting = true;
      // What else has arrived by now is read first, and goes with it.
      setImmediate(() => void this.#writeAll());
    });
  }

  async #writeAll(): Promise<void> {
    const { mostTogether, gatherMilliseconds } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostTogether);
      await this.#write(batch);
      // A single sender that waits for each answer is not kept waiting.
      if (batch.length > 1) await sleep(gatherMilliseconds);
    }
    this.#isWriting = false;
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
