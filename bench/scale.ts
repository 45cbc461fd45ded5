/** How much of a long bench is run: `BENCH_SCALE=0.1` runs a tenth of it, to see that it works. */
const scale = Number(process.env.BENCH_SCALE ?? '1');

export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale));
}
