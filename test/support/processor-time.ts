/**
 * How long a piece of work keeps the processor busy. For tests that say "at once": on a machine that has much else to do,
 * the clock on the wall tells how busy the others are.
 */

/** Gives the milliseconds since now; for work that does not wait. */
export function startProcessorClock(): () => number {
  const begun = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
}

export function processorMilliseconds(work: () => unknown): number {
  const elapsed = startProcessorClock();
  work();
  return elapsed();
}
