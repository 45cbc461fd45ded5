/**
 * How many test runs the merge queue needs, against merging one change after the other (each tested on the latest base).
 * The queue is the real one; what is simulated is which changes are bad.
 */
import { largestBatch, mergeBatch } from '../src/domain/merge-queue.ts';
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

async function countTests(bad: readonly boolean[], batch: number): Promise<number> {
  let tests = 0;
  let landed = 0;
  for (let from = 0; from < bad.length; from += batch) {
    const outcome = await mergeBatch(bad.slice(from, from + batch), {
      test: async (onTop) => onTop.every((isBad) => !isBad),
      land: async () => undefined,
      reject: async () => undefined,
    });
    tests += outcome.tests;
    landed += outcome.landed.length;
  }
  if (landed !== bad.filter((isBad) => !isBad).length) throw new Error('The queue lost or let in a change.');
  return tests;
}

/** Test runs a merged change; the peer needs one for each. */
export async function benchMergeQueue(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [share, goal] of [
    [0.02, 3],
    [0.05, 2],
    [0.1, 1.5],
  ] as const) {
    const random = makeRandom(7);
    const bad = Array.from({ length: changes }, () => random() < share);
    const [ours, peer] = [
      (await countTests(bad, largestBatch)) / changes,
      (await countTests(bad, 1)) / changes,
    ];
    rows.push({
      name: `merge queue, ${share * 100} % bad changes: test runs a change`,
      unit: 'runs',
      ours,
      peer,
      peerName: 'one after the other',
      ratio: ours / peer,
      goal: `≤ ${(1 / goal).toFixed(2)}× (${goal} times as fast)`,
      isMet: peer / ours >= goal,
      spread: { ours: [ours, ours], peer: [peer, peer] },
      rounds: 1,
    });
  }
  return rows;
}
