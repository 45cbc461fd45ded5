import { describe, expect, it } from 'vitest';
import { costOf, findPrice } from './model-prices.ts';

describe('findPrice', () => {
  it.each([
    ['claude-opus-4-1-20250805', 15],
    ['claude-opus-4-20250514', 15],
    ['claude-opus-4-5', 5],
    ['claude-sonnet-4-5', 3],
    ['gemini-2.5-flash-lite', 0.1],
    ['gemini-2.5-flash', 0.3],
    ['GPT-5-mini', 0.25],
    ['claude-opus-5-5', 4],
    ['claude-opus-5', 5],
    ['claude-opus-4-8', 5],
    ['claude-sonnet-5-5', 2],
    ['gpt-5', 1.25],
    ['gpt-5-2025-08-07', 1.25],
    ['gpt-5.5', 5],
    ['gpt-5.4-nano', 0.2],
    ['gemini-3.1-pro-preview', 2],
  ])('%s costs %d for a million tokens of input', (model, expected) => {
    expect(findPrice(model)?.inputPerMillion).toBe(expected);
  });

  it.each(['default', 'llama-3-8b', '', 'my-gpt-5', 'gpt-5.9', 'gpt-50', 'gemini-3.5-flash-lite'])(
    'does not know %j',
    (model) => {
      expect(findPrice(model)).toBeNull();
    },
  );
});

describe('costOf', () => {
  const price = { inputPerMillion: 10, outputPerMillion: 20 };
  it.each([
    ['plain', { input: 1e6, output: 1e6, cacheRead: 0, cacheWrite: 0 }, 30],
    ['read from a cache', { input: 1e6, output: 0, cacheRead: 1e6, cacheWrite: 0 }, 1],
    ['written to a cache', { input: 1e6, output: 0, cacheRead: 0, cacheWrite: 1e6 }, 12.5],
  ])('%s', (_, tokens, expected) => expect(costOf(price, tokens)).toBeCloseTo(expected));

  it('is nothing without a price', () => {
    expect(costOf(null, { input: 1e6, output: 1e6, cacheRead: 0, cacheWrite: 0 })).toBe(0);
  });
});
