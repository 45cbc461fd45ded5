/**
 * What models cost, in USD for a million tokens: list prices to the best of our knowledge, which providers change. They
 * serve the budgets, not your bill. One that is not listed has no price: only its tokens and turns are limited.
 */
import type { Price } from './budget.ts';

const price = (inputPerMillion: number, outputPerMillion: number): Price => ({
  inputPerMillion,
  outputPerMillion,
});

/** By the beginning of the name; the first that fits counts, so longer names stand before shorter ones. */
const prices: readonly (readonly [prefix: string, price: Price])[] = [
  ['claude-opus-4-0', price(15, 75)],
  ['claude-opus-4-1', price(15, 75)],
  ['claude-opus-4-2', price(15, 75)],
  ['claude-opus-4', price(5, 25)],
  ['claude-sonnet-4', price(3, 15)],
  ['claude-haiku-4', price(1, 5)],
  ['gemini-3-pro', price(2, 12)],
  ['gemini-2.5-pro', price(1.25, 10)],
  ['gemini-2.5-flash-lite', price(0.1, 0.4)],
  ['gemini-2.5-flash', price(0.3, 2.5)],
  ['gpt-5-nano', price(0.05, 0.4)],
  ['gpt-5-mini', price(0.25, 2)],
  ['gpt-5', price(1.25, 10)],
  ['gpt-4.1-mini', price(0.4, 1.6)],
  ['gpt-4.1', price(2, 8)],
];

export function findPrice(model: string): Price | null {
  const name = model.toLowerCase();
  return prices.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}

export interface TokenCounts {
  /** All that was read, with what came from a cache or went into one. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Reading a cached token costs a tenth, writing one a quarter more. */
export function costOf(price: Price | null, tokens: TokenCounts): number {
  if (price === null) return 0;
  const plain = Math.max(0, tokens.input - tokens.cacheRead - tokens.cacheWrite);
  const input = plain + tokens.cacheRead * 0.1 + tokens.cacheWrite * 1.25;
  return (input * price.inputPerMillion + tokens.output * price.outputPerMillion) / 1_000_000;
}
