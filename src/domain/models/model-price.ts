/** What a model costs, in USD for a million tokens, and what that makes of a call. Prices serve the budgets, not your bill. */

/** What a million tokens cost; of long prompts some models take another price, for all their tokens. */
export interface Rate {
  readonly base: number;
  /** With more tokens of input than that. In rising order. */
  readonly above: readonly { readonly tokens: number; readonly rate: number }[];
}

export interface Price {
  readonly input: Rate;
  readonly output: Rate;
  /** Of the input: what a cache held already, and what went into one. */
  readonly cacheRead: Rate;
  readonly cacheWrite: Rate;
}

export function flatRate(base: number): Rate {
  return { base, above: [] };
}

/** Without further words, a cached token costs as much as any other: rather too much than too little. */
export function flatPrice(
  input: number,
  output: number,
  cache: { readonly read?: number | undefined; readonly write?: number | undefined } = {},
): Price {
  return {
    input: flatRate(input),
    output: flatRate(output),
    cacheRead: flatRate(cache.read ?? input),
    cacheWrite: flatRate(cache.write ?? input),
  };
}

export interface TokenCounts {
  /** All that was read, with what came from a cache or went into one. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

function rateFor({ base, above }: Rate, inputTokens: number): number {
  return above.findLast(({ tokens }) => inputTokens > tokens)?.rate ?? base;
}

/** Nothing for a model whose price is not known: say that beside the number, since it is not free. */
export function costOf(price: Price | null, tokens: TokenCounts): number {
  if (price === null) return 0;
  const { input, output, cacheRead, cacheWrite } = tokens;
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  const parts = [
    [price.input, plain],
    [price.cacheRead, cacheRead],
    [price.cacheWrite, cacheWrite],
    [price.output, output],
  ] as const;
  return parts.reduce((sum, [rate, count]) => sum + rateFor(rate, input) * count, 0) / 1_000_000;
}
