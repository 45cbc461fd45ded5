/**
 * Stores deliveries that arrive together in one transaction, so that all of them wait for the disk only once. If they
 * cannot be stored together, they are stored one by one, so that one bad delivery does not keep out another.
 */
import { Refusal } from './check-delivery.ts';

/** Writes them all or none; says of each what became of it. */
type Store<Item, Outcome> = (items: readonly Item[]) => Promise<readonly Outcome[]>;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitQueueOptions {
  /** The most deliveries that wait to be stored; further ones are refused, with an answer that says so. */
  readonly mostWaiting: number;
  /** In one transaction. */
  readonly mostTogether: number;
}

const usual: CommitQueueOptions = { mostWaiting: 2_000, mostTogether: 200 };

export class CommitQueue<Item, Outcome> {
  readonly #store: Store<Item, Outcome>;
  readonly #options: CommitQueueOptions;
  #waiting: Waiting<Item, Outcome>[] = [];
  #isWriting = false;

  constructor(store: Store<Item, Outcome>, options: CommitQueueOptions = usual) {
    this.#store = store;
    this.#options = options;
  }

  /** Resolves when it is on disk. */
  add(item: Item): Promise<Outcome> {
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
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#options.mostTogether);
      await this.#write(batch);
      // Requests that came meanwhile are read before the next transaction.
      await new Promise(setImmediate);
    }
    this.#isWriting = false;
  }

  async #write(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#store(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only?.reject(error);
      else for (const one of batch) await this.#write([one]);
    }
  }
}
