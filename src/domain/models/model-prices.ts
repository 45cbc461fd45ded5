/**
 * What models cost, in USD for a million tokens: list prices to the best of our knowledge, which providers change. They
 * serve the budgets, not your bill. One that is not listed has no price: only its tokens and turns are limited.
 */
import type { Price } from './budget.ts';

const price = (inputPerMillion: number, outputPerMillion: number): Price => ({
  inputPerMillion,
  outputPerMillion,
});

/**
 * By the beginning of the name, up to a hyphen: `gpt-5` is not `gpt-5.5`. The first that fits counts, so longer names stand
 * before shorter ones. Where a long prompt costs more, this is the price of a short one; where a price is lowered for a
 * time, this is the one that comes after.
 */
const prices: readonly (readonly [beginning: string, price: Price])[] = [
  // Read on Anthropic's own price pages in November 2026.
  ['claude-fable-5', price(10, 50)],
  ['claude-mythos-5', price(10, 50)],
  ['claude-opus-5-5', price(4, 20)],
  ['claude-opus-5', price(5, 25)],
  ['claude-opus-4-0', price(15, 75)],
  ['claude-opus-4-1', price(15, 75)],
  ['claude-opus-4-20250514', price(15, 75)],
  ['claude-opus-4', price(5, 25)],
  ['claude-sonnet-5', price(2, 10)],
  ['claude-sonnet-4', price(3, 15)],
  ['claude-haiku-5-5', price(0.1, 0.5)],
  ['claude-haiku-4', price(1, 5)],
  // What the Claude Code CLI calls the newest of a size: at the price of the dearest that it may mean.
  ['opus', price(5, 25)],
  ['sonnet', price(3, 15)],
  ['haiku', price(1, 5)],
  ['fable', price(10, 50)],
  // Quoted from Google's price page by others, some of it in several places; not seen on the page itself.
  ['gemini-3.8-flash', price(1.5, 7.5)],
  ['gemini-3.7-flash', price(1.5, 7.5)],
  ['gemini-3.6-flash', price(1.5, 7.5)],
  ['gemini-3.5-flash', price(1.5, 9)],
  ['gemini-3.1-flash-lite', price(0.25, 1.5)],
  ['gemini-3.1-pro', price(2, 12)],
  ['gemini-3-flash', price(0.5, 3)],
  ['gemini-3-pro', price(2, 12)],
  ['gemini-2.5-pro', price(1.25, 10)],
  ['gemini-2.5-flash-lite', price(0.1, 0.4)],
  ['gemini-2.5-flash', price(0.3, 2.5)],
  // Likewise for OpenAI, of whose newest models no price is known here.
  ['gpt-5.5-pro', price(30, 180)],
  ['gpt-5.5', price(5, 30)],
  ['gpt-5.4-pro', price(30, 180)],
  ['gpt-5.4-mini', price(0.75, 4.5)],
  ['gpt-5.4-nano', price(0.2, 1.25)],
  ['gpt-5.4', price(2.5, 15)],
  ['gpt-5.3', price(1.75, 14)],
  ['gpt-5.2-pro', price(21, 168)],
  ['gpt-5.2', price(1.75, 14)],
  ['gpt-5.1', price(1.25, 10)],
  ['gpt-5-pro', price(15, 120)],
  ['gpt-5-nano', price(0.05, 0.4)],
  ['gpt-5-mini', price(0.25, 2)],
  ['gpt-5', price(1.25, 10)],
  ['gpt-4.1-nano', price(0.1, 0.4)],
  ['gpt-4.1-mini', price(0.4, 1.6)],
  ['gpt-4.1', price(2, 8)],
];

/** Cheaper than their namesakes, at a price that is not known here. */
const unknown = ['gemini-3.5-flash-lite'];

export function findPrice(model: string): Price | null {
  const name = model.toLowerCase();
  const begins = (beginning: string): boolean => name === beginning || name.startsWith(`${beginning}-`);
  if (unknown.some(begins)) return null;
  return prices.find(([beginning]) => begins(beginning))?.[1] ?? null;
}

/** Of a model that the Claude Code CLI knows by another name, such as its default: of a large one, to be on the safe side. */
export function findClaudePrice(model: string): Price {
  return findPrice(model) ?? price(5, 25);
}

export interface TokenCounts {
  /** All that was read, with what came from a cache or went into one. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Reading a cached token costs a tenth (of some models less), writing one a quarter more. */
export function costOf(price: Price | null, tokens: TokenCounts): number {
  if (price === null) return 0;
  const plain = Math.max(0, tokens.input - tokens.cacheRead - tokens.cacheWrite);
  const input = plain + tokens.cacheRead * 0.1 + tokens.cacheWrite * 1.25;
  return (input * price.inputPerMillion + tokens.output * price.outputPerMillion) / 1_000_000;
}
