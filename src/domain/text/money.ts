/** An amount of US dollars, for people. */
export function money(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
