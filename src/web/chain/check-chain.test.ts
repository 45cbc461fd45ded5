/** What a browser computes has to be what the ledger computed, and has to name the first link that is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkEntry } from '../../domain/ledger/chain.ts';
import { canonicalJson as canonicalInLedger } from '../../domain/ledger/hash.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Entry } from '../data/answers.ts';
import { canonicalJson, checkLines, hashEntry } from './check-chain.ts';

const subject = 'acme/reports#7';

/** A chain as the ledger makes it, as the API tells it: what was JSON is JSON again. */
function makeChain(texts: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const [index, text] of texts.entries()) {
    const last = entries.at(-1);
    const entry: NewEntry = {
      ...{ subject, run: '01J0000000000000000000000A', actor: 'ali"ce\u202E', kind: 'effect-failed' },
      ...{ data: { code: 'internal', message: text }, ...(index === 1 ? { key: 'k\u0000' } : {}) },
    };
    const end = { seq: last?.seq ?? 0, hash: last?.hash ?? '' };
    const linked = linkEntry(entry, '2026-11-19T04:00:00.000Z', end);
    entries.push({ ...linked, data: JSON.parse(linked.data) });
  }
  return entries;
}

function toStream(text: string, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

function check(entries: readonly unknown[], size = 97) {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return checkLines(subject, toStream(lines, size), () => undefined);
}

describe('a chain', () => {
  it('is sound as the ledger made it, in whatever pieces it comes', async () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 300 }), async (some, size) => {
        const chain = makeChain(some);
        const report = await check(chain, size);
        expect(report).toEqual({ checked: some.length, end: chain.at(-1)?.hash, broken: null });
      }),
      { numRuns: 60 },
    );
  });

  it('without entries is sound', async () => {
    expect(await check([])).toMatchObject({ checked: 0, broken: null });
  });

  const chain = makeChain(['one', 'two', 'three', 'four']);
  const change = (at: number, how: (entry: Entry) => Entry): Entry[] =>
    chain.map((entry, index) => (index === at ? how(entry) : entry));
  it.each([
    ['a text was changed in', 3, change(2, (one) => ({ ...one, data: { ...one.data, message: 'x' } }))],
    ['an actor was changed in', 1, change(0, (one) => ({ ...one, actor: 'mallory' }))],
    ['the moment was changed of', 4, change(3, (one) => ({ ...one, at: '2026-11-19T05:00:00.000Z' }))],
    ['was taken out', 3, chain.filter(({ seq }) => seq !== 2)],
    ['comes twice', 1, [...chain.slice(0, 1), ...chain]],
    ['were swapped', 3, [chain[0], chain[2], chain[1], chain[3]]],
    ['is of another subject', 2, change(1, (one) => ({ ...one, subject: 'acme/reports#8' }))],
  ])('in which an entry %s is broken at entry %i', async (_, seq, entries) => {
    expect((await check(entries)).broken?.seq).toBe(seq);
  });

  it('that was written anew from a place on is broken there', async () => {
    const other = makeChain(['one', 'forged', 'three']);
    const { hash: _, ...forged } = { ...other[1], previous: 'f'.repeat(64) } as Entry;
    const entries = [chain[0], { ...forged, hash: await hashEntry(forged) }, other[2]];
    expect(await check(entries)).toMatchObject({ checked: 1, broken: { seq: 2, kind: 'effect-failed' } });
  });
});

it('writes JSON as the ledger does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const parsed = JSON.parse(JSON.stringify(value));
      expect(canonicalJson(parsed)).toBe(canonicalInLedger(parsed));
    }),
    { numRuns: 500 },
  );
});
