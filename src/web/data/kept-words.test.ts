/** What a person typed is there until it arrived. */
import { beforeEach, describe, expect, it } from 'vitest';
import { KeptWords } from './kept-words.ts';

let stored: Map<string, string>;
let words: KeptWords;
let told = 0;

beforeEach(() => {
  stored = new Map();
  words = new KeptWords(() => ({
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => void stored.set(name, value),
    removeItem: (name) => void stored.delete(name),
  }));
  told = 0;
  words.watch(() => {
    told += 1;
  });
});

describe('words', () => {
  it('are kept for their gate, and gone when the field is empty again', () => {
    words.keep('GA', 'Say more');
    expect([words.read('GA'), words.read('GB'), words.readUnsent('GA')]).toEqual([
      'Say more',
      '',
      'Say more',
    ]);
    words.keep('GA', '');
    expect([words.read('GA'), stored.size, told]).toEqual(['', 0, 2]);
  });

  it('on their way are not called unsent, and are gone when they arrived', async () => {
    words.keep('GA', 'Say more');
    const way = Promise.withResolvers<string>();
    const sent = words.send('GA', way.promise);
    expect([words.readUnsent('GA'), words.read('GA')]).toEqual(['', 'Say more']);
    way.resolve('taken');
    expect(await sent).toBe('taken');
    expect([words.read('GA'), stored.size]).toEqual(['', 0]);
  });

  it('that were refused are there again', async () => {
    words.keep('GA', ' Say more\n');
    const before = told;
    await expect(words.send('GA', Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([words.readUnsent('GA'), told > before]).toEqual(['Say more', true]);
  });

  it('stay in their field where nothing can be kept', () => {
    const full = new KeptWords(() => {
      throw new Error('SecurityError');
    });
    expect(() => full.keep('GA', 'Say more')).not.toThrow();
    expect([full.read('GA'), full.readUnsent('GA')]).toEqual(['', '']);
  });
});
