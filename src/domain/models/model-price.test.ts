import { describe, expect, it } from 'vitest';
import { costOf, flatPrice, type Price } from './model-price.ts';

const tokens = (input: number, output = 0, cacheRead = 0, cacheWrite = 0) => ({
  ...{ input, output, cacheRead, cacheWrite },
});

describe('costOf', () => {
  const price = flatPrice(10, 20, { read: 1, write: 12.5 });
  it.each([
    ['plain', tokens(1e6, 1e6), 30],
    ['read from a cache', tokens(1e6, 0, 1e6), 1],
    ['written to a cache', tokens(1e6, 0, 0, 1e6), 12.5],
    ['a little of each', tokens(4e6, 1e6, 1e6, 1e6), 20 + 1 + 12.5 + 20],
    // A provider may count so.
    ['more cached than read', tokens(0, 0, 1e6), 1],
  ])('%s', (_, counts, expected) => expect(costOf(price, counts)).toBeCloseTo(expected));

  it('takes another price for all tokens of a long prompt', () => {
    const tiered: Price = {
      ...flatPrice(1, 10),
      input: {
        base: 1,
        above: [
          { tokens: 200_000, rate: 2 },
          { tokens: 400_000, rate: 4 },
        ],
      },
      output: { base: 10, above: [{ tokens: 200_000, rate: 15 }] },
    };
    expect(costOf(tiered, tokens(200_000, 1_000))).toBeCloseTo(0.2 + 0.01);
    expect(costOf(tiered, tokens(200_001, 1_000))).toBeCloseTo(0.400002 + 0.015);
    expect(costOf(tiered, tokens(500_000, 1_000))).toBeCloseTo(2 + 0.015);
  });

  it('is nothing without a price', () => {
    expect(costOf(null, tokens(1e6, 1e6))).toBe(0);
  });
});
