/**
 * Words that a person has typed at a gate and that did not arrive yet. They outlive the field: a session that ends, a page
 * that is loaded anew, and another person who is faster. The tab keeps them, and no other tab sees them.
 */
import { useSyncExternalStore } from 'react';

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class KeptWords {
  readonly #place: () => Place;
  readonly #parts = new Set<() => void>();
  readonly #onTheWay = new Set<string>();

  /** @param place throws where the browser lets nothing be kept */
  constructor(place: () => Place) {
    this.#place = place;
  }

  read(gate: string): string {
    try {
      return this.#place().getItem(nameOf(gate)) ?? '';
    } catch {
      return '';
    }
  }

  keep(gate: string, words: string): void {
    try {
      if (words === '') this.#place().removeItem(nameOf(gate));
      else this.#place().setItem(nameOf(gate), words);
    } catch {
      // What cannot be kept is still in its field.
    }
    this.#tell();
  }

  /** Nothing that is on its way is called unsent until it is known. */
  async send<T>(gate: string, sending: Promise<T>): Promise<T> {
    this.#onTheWay.add(gate);
    try {
      const answered = await sending;
      this.keep(gate, '');
      return answered;
    } finally {
      this.#onTheWay.delete(gate);
      this.#tell();
    }
  }

  readUnsent(gate: string): string {
    return this.#onTheWay.has(gate) ? '' : this.read(gate).trim();
  }

  watch(onChange: () => void): () => void {
    const part = (): void => onChange();
    this.#parts.add(part);
    return () => {
      this.#parts.delete(part);
    };
  }

  #tell(): void {
    for (const part of this.#parts) part();
  }
}

function nameOf(gate: string): string {
  return `gatewright-words-${gate}`;
}

export const keptWords = new KeptWords(() => sessionStorage);

const watchWords = (onChange: () => void): (() => void) => keptWords.watch(onChange);

export function useUnsentWords(gate: string): string {
  return useSyncExternalStore(watchWords, () => keptWords.readUnsent(gate));
}
