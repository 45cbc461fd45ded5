import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from './hash.ts';
import { SortedHashes } from './sorted-hashes.ts';

const digits = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 });
/** Evenly spread, as they are; and all in one corner, as somebody might put them there. */
const hashes = fc.oneof(
  fc.string().map(sha256),
  digits.map((all) => all.join('')),
  digits.map((all) => `${'0'.repeat(30)}${all.slice(30).join('')}`),
  digits.map((all) => `${'f'.repeat(30)}${all.slice(30).join('')}`),
);

function setOf(some: readonly string[]): SortedHashes {
  const set = new SortedHashes();
  for (const hash of [...some].sort()) set.add(hash);
  return set;
}

describe('a set of hashes', () => {
  it('has what was put in, and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hashes), fc.array(hashes), (some, others) => {
        const set = setOf(some);
        const beginnings = new Set(some.map((hash) => hash.slice(0, 32)));
        for (const hash of some) expect(set.has(hash)).toBe(true);
        for (const hash of others) expect(set.has(hash)).toBe(beginnings.has(hash.slice(0, 32)));
      }),
      { numRuns: 300 },
    );
  });

  it('finds each of many, and tells a neighbour from it', () => {
    const some = Array.from({ length: 5_000 }, (_, index) => sha256(String(index)));
    const set = setOf(some);
    for (const hash of some) {
      expect(set.has(hash)).toBe(true);
      const last = hash[31] === '0' ? '1' : '0';
      expect(set.has(`${hash.slice(0, 31)}${last}${hash.slice(32)}`)).toBe(false);
    }
  });

  it('has room for very many', () => {
    const hashAt = (index: number): string => (index * 9_007).toString(16).padStart(12, '0').padEnd(64, '7');
    const set = new SortedHashes();
    for (let index = 0; index < 120_000; index += 1) set.add(hashAt(index));
    const lost = Array.from({ length: 120_000 }, (_, index) => index).filter(
      (index) => !set.has(hashAt(index)) || set.has(hashAt(index).replace('7', '8')),
    );
    expect(lost).toEqual([]);
  });

  it('is empty at first, leaves out what is no hash, and takes them in order only', () => {
    const set = new SortedHashes();
    expect(set.has(sha256('x'))).toBe(false);
    set.add('');
    set.add('A'.repeat(64));
    set.add('b'.repeat(64));
    expect([set.has(''), set.has('A'.repeat(64)), set.has('b'.repeat(64))]).toEqual([false, false, true]);
    expect(() => set.add('a'.repeat(64))).toThrow(RangeError);
  });
});
