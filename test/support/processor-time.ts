/**
 * How long a piece of work keeps the processor busy. For tests that say "at once": on a machine that has much else to do,
 * the clock on the wall tells how busy the others are.
 */
export function processorMilliseconds(work: () => unknown): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}
