/** An amount of US dollars, for people. */
export function money(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/**
 * A cost. If a part of it is only an upper bound, the sum is marked as an upper bound too. What a model without a known
 * price has cost is not 0: it is not known.
 */
export function describeCost(spent: {
  readonly costUsd: number;
  readonly costAtMostUsd?: number | undefined;
  readonly hasUnpriced?: boolean | undefined;
}): string {
  const { costUsd, costAtMostUsd = 0, hasUnpriced = false } = spent;
  if (hasUnpriced && costUsd === 0) return 'price unknown';
  const known = costAtMostUsd > 0 ? `≤ ${money(costUsd)}` : money(costUsd);
  return hasUnpriced ? `${known} and calls of unknown price` : known;
}
