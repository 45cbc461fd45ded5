/**
 * Merges several changes so that every state of the base was tested as a whole: it never turns red. Where a batch can
 * be put onto the base in one move, one test run is enough for it, and halving finds the change that spoils it. Where
 * changes go in one after the other, the base stands at each beginning of the batch for a while, so each beginning is
 * tested; that saves no test runs, but they run beside each other.
 */

/** As large as bisection still pays for itself at the usual share of bad changes. */
export const largestBatch = 5;

interface QueueOutcome<T> {
  /** In the order in which they went onto the base. */
  readonly landed: readonly T[];
  readonly rejected: readonly T[];
  readonly tests: number;
  /** How many times test runs had to be waited for: those beside each other count as one. */
  readonly waits: number;
}

interface QueueWork<T> {
  /** Tests the base with these on top, in this order. The same question may be asked again after a crash. */
  readonly test: (onTop: readonly T[]) => Promise<boolean>;
  /** Puts these onto the base in one move: exactly what was tested. */
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
  return { landed, rejected, tests, waits: tests };
}

interface StepWork<T> {
  /** Tests the base with each of these on top, one beside the other. */
  readonly testEach: (beginnings: readonly (readonly T[])[]) => Promise<readonly boolean[]>;
  /** Puts one onto the base: the next of a beginning that was tested. */
  readonly land: (change: T) => Promise<void>;
  readonly reject: (change: T) => Promise<void>;
}

/** Works off one batch step by step: a change goes in only if the base as it then is was tested. */
export async function mergeInSteps<T>(
  batch: readonly T[],
  atOnce: number,
  work: StepWork<T>,
): Promise<QueueOutcome<T>> {
  const landed: T[] = [];
  const rejected: T[] = [];
  let tests = 0;
  let waits = 0;
  for (let rest = batch; rest.length > 0; ) {
    const ahead = rest.slice(0, Math.max(1, atOnce));
    const results = await work.testEach(ahead.map((_, index) => ahead.slice(0, index + 1)));
    tests += ahead.length;
    waits += 1;
    const firstRed = results.indexOf(false);
    for (const change of firstRed === -1 ? ahead : ahead.slice(0, firstRed)) {
      await work.land(change);
      landed.push(change);
    }
    const spoiler = firstRed === -1 ? [] : ahead.slice(firstRed, firstRed + 1);
    for (const change of spoiler) await work.reject(change);
    rejected.push(...spoiler);
    rest = rest.slice(firstRed === -1 ? ahead.length : firstRed + 1);
  }
  return { landed, rejected, tests, waits };
}

/**
 * The next batch: in the order of their arrival, and if possible without a change that touches a file of an earlier
 * one.
 */
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
