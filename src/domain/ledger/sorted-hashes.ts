/**
 * A set of very many hashes in little memory: 16 bytes each. Half of a hash is kept, which is enough: to find a text whose
 * hash begins with the same 128 bits as a given one takes longer than anybody has.
 */
import type { Sha256 } from './hash.ts';

const wholeHash = /^[0-9a-f]{64}$/u;
const wordsKept = 4;
const digitsOfWord = 8;
const range = 2 ** 32;

type Words = readonly [number, number, number, number];

function wordsOf(hash: Sha256): Words {
  const word = (index: number): number =>
    Number.parseInt(hash.slice(index * digitsOfWord, (index + 1) * digitsOfWord), 16);
  return [word(0), word(1), word(2), word(3)];
}

export class SortedHashes {
  #words = new Uint32Array(1024 * wordsKept);
  #count = 0;

  /** To be called in the order of the hashes. What is no hash is left out. */
  add(hash: Sha256): void {
    if (!wholeHash.test(hash)) return;
    const at = this.#count * wordsKept;
    if (at + wordsKept > this.#words.length) {
      const larger = new Uint32Array(Math.ceil(this.#count * 1.5) * wordsKept);
      larger.set(this.#words);
      this.#words = larger;
    }
    const words = wordsOf(hash);
    this.#words.set(words, at);
    if (this.#count > 0 && this.#compare(this.#count - 1, words) > 0)
      throw new RangeError('The hashes are not in order.');
    this.#count += 1;
  }

  has(hash: Sha256): boolean {
    if (!wholeHash.test(hash)) return false;
    // Hashes are spread evenly: where one would be follows from its beginning, give or take a few places.
    const words = wordsOf(hash);
    const guess = Math.floor((words[0] / range) * this.#count);
    let [low, high] = this.#around(guess, words);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, words);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  }

  /** A range that holds it if it is there, found by steps that double. */
  #around(guess: number, words: Words): [low: number, high: number] {
    let [low, high, step] = [guess, guess, 16];
    while (low > 0 && this.#compare(low, words) >= 0) {
      low = Math.max(0, low - step);
      step *= 2;
    }
    step = 16;
    while (high < this.#count && this.#compare(high, words) <= 0) {
      high = Math.min(this.#count, high + step);
      step *= 2;
    }
    return [low, high];
  }

  /** Negative when the one at the place comes before, 0 when it is the same. */
  #compare(place: number, words: Words): number {
    const at = place * wordsKept;
    for (let index = 0; index < wordsKept; index += 1) {
      const order = (this.#words[at + index] ?? 0) - (words[index] ?? 0);
      if (order !== 0) return order;
    }
    return 0;
  }
}
