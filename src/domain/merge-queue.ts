/**
 * Merges several changes with one test run where it can, and finds the one that spoils a batch by halving. A change is
 * put onto the base only as part of a combination that was tested as a whole, so the base never turns red.
 */

/** As large as bisection still pays for itself at the usual share of bad changes. */
export const largestBatch = 5;

interface QueueOutcome<T> {
  /** In the order in which they went onto the base. */
  readonly landed: readonly T[];
  readonly rejected: readonly T[];
  readonly tests: number;
}

interface QueueWork<T> {
  /** Tests the base with these on top, in this order. The same question may be asked again after a crash. */
  readonly test: (onTop: readonly T[]) => Promise<boolean>;
  /** Puts these onto the base: exactly what was tested. */
  readonly land: (batch: readonly T[]) => Promise<void>;
  readonly reject: (change: T) => Promise<void>;
}

/** Works off one batch: all at once if it is good, else the good ones before and after each that spoils it. */
export async function mergeBatch<T>(batch: readonly T[], work: QueueWork<T>): Promise<QueueOutcome<T>> {
  const landed: T[] = [];
  const rejected: T[] = [];
  let tests = 0;
  const isGreen = async (changes: readonly T[]): Promise<boolean> => {
    tests += 1;
    return work.test(changes);
  };
  const land = async (changes: readonly T[]): Promise<void> => {
    if (changes.length === 0) return;
    await work.land(changes);
    landed.push(...changes);
  };
  for (let rest = batch; rest.length > 0; ) {
    if (await isGreen(rest)) {
      await land(rest);
      break;
    }
    // The longest good beginning is found by halving; what comes right after it is what spoils it.
    let green = 0;
    let red = rest.length;
    while (red - green > 1) {
      const middle = Math.floor((green + red) / 2);
      if (await isGreen(rest.slice(0, middle))) green = middle;
      else red = middle;
    }
    await land(rest.slice(0, green));
    for (const spoiler of rest.slice(green, red)) {
      await work.reject(spoiler);
      rejected.push(spoiler);
    }
    rest = rest.slice(red);
  }
  return { landed, rejected, tests };
}

/** The next batch: in the order they came, none that touches a file of an earlier one if that can be helped. */
export function nextBatch<T extends { readonly paths: readonly string[] }>(queue: readonly T[]): T[] {
  const batch: T[] = [];
  const touched = new Set<string>();
  for (const change of queue) {
    if (batch.length === largestBatch) break;
    if (batch.length > 0 && change.paths.some((path) => touched.has(path))) continue;
    batch.push(change);
    for (const path of change.paths) touched.add(path);
  }
  return batch;
}
