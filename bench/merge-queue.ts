/**
 * How many test runs the merge queue needs, and how many have to be waited for, against merging one change after the other
 * (each tested on the latest base). The queue is the real one; what is simulated is which changes are bad, and that a test
 * run takes as long beside others as alone, which it does only on a machine with cores for all of them.
 */
import { largestBatch, mergeBatch, mergeInSteps } from '../src/domain/fleet/merge-queue.ts';
import type { Row } from './measure.ts';

const changes = 20_000;

/** The same numbers on every machine (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Effort {
  readonly tests: number;
  readonly waits: number;
}

type Queue = (batch: readonly boolean[]) => Promise<Effort & { readonly landed: readonly boolean[] }>;

const isGood = (onTop: readonly boolean[]): boolean => onTop.every((isBad) => !isBad);
const nothing = async (): Promise<void> => undefined;

/** Onto a forge that takes a batch in one move. */
const together: Queue = (batch) =>
  mergeBatch(batch, { test: async (onTop) => isGood(onTop), land: nothing, reject: nothing });

/** Onto one that takes a pull request at a time: every state of the base is tested, so many beside each other. */
const inSteps =
  (atOnce: number): Queue =>
  (batch) =>
    mergeInSteps(batch, atOnce, {
      testEach: async (beginnings) => beginnings.map(isGood),
      land: nothing,
      reject: nothing,
    });

async function measureEffort(bad: readonly boolean[], batch: number, queue: Queue): Promise<Effort> {
  let [tests, waits, landed] = [0, 0, 0];
  for (let from = 0; from < bad.length; from += batch) {
    const outcome = await queue(bad.slice(from, from + batch));
    tests += outcome.tests;
    waits += outcome.waits;
    landed += outcome.landed.length;
  }
  if (landed !== bad.filter((isBad) => !isBad).length) throw new Error('The queue lost or let in a change.');
  return { tests: tests / bad.length, waits: waits / bad.length };
}

/** A change on its own needs one test run, and its author waits for one. */
export async function benchMergeQueue(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [share, goal] of [
    [0.02, 3],
    [0.05, 2],
    [0.1, 1.5],
  ] as const) {
    const random = makeRandom(7);
    const bad = Array.from({ length: changes }, () => random() < share);
    const serial = await measureEffort(bad, 1, together);
    const compare = (name: string, ours: number, peer: number, isGoal: boolean): void => {
      rows.push({
        name: `merge queue, ${share * 100} % bad changes: ${name}`,
        unit: 'runs',
        ours,
        peer,
        peerName: 'one after the other',
        ratio: ours / peer,
        goal: isGoal ? `≤ ${(1 / goal).toFixed(2)}× (${goal} times as fast)` : '',
        isMet: isGoal ? peer / ours >= goal : null,
        spread: { ours: [ours, ours], peer: [peer, peer] },
        rounds: 1,
      });
    };
    const batches = await measureEffort(bad, largestBatch, together);
    compare('test runs a change, one move', batches.tests, serial.tests, true);
    for (const atOnce of [2, largestBatch]) {
      const steps = await measureEffort(bad, largestBatch, inSteps(atOnce));
      const name = `step by step, ${atOnce} test runs at once`;
      compare(`runs waited for a change, ${name}`, steps.waits, serial.waits, atOnce === largestBatch);
      compare(`test runs a change, ${name}`, steps.tests, serial.tests, false);
    }
  }
  return rows;
}
