import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeBatch, mergeInSteps, nextBatch } from './merge-queue.ts';

interface Change {
  readonly name: number;
  readonly isBad: boolean;
}

/** A base that remembers what went onto it and refuses to have been red. */
async function play(batch: readonly Change[], spoils: (onBase: readonly Change[]) => boolean) {
  const base: Change[] = [];
  const tested: string[] = [];
  const outcome = await mergeBatch(batch, {
    test: async (onTop) => {
      tested.push([...base, ...onTop].map((one) => one.name).join());
      return !spoils([...base, ...onTop]);
    },
    land: async (changes) => {
      base.push(...changes);
      // Only what was tested as a whole may land.
      expect(tested).toContain(base.map((one) => one.name).join());
      expect(spoils(base)).toBe(false);
    },
    reject: async () => undefined,
  });
  return { outcome, base };
}

const hasBad = (changes: readonly Change[]) => changes.some((one) => one.isBad);
const changes = (...bad: boolean[]) => bad.map((isBad, name) => ({ name, isBad }));

describe('mergeBatch', () => {
  it('lands a good batch with one test', async () => {
    const { outcome } = await play(changes(false, false, false, false, false), hasBad);
    expect(outcome).toMatchObject({ tests: 1, rejected: [] });
    expect(outcome.landed).toHaveLength(5);
  });

  it('finds the bad one and lands the others', async () => {
    for (let bad = 0; bad < 5; bad += 1) {
      const { outcome } = await play(changes(...[0, 1, 2, 3, 4].map((index) => index === bad)), hasBad);
      expect(outcome.rejected.map((one) => one.name)).toEqual([bad]);
      expect(outcome.landed).toHaveLength(4);
      expect(outcome.tests).toBeLessThanOrEqual(5);
    }
  });

  it('never turns the base red and settles every change, whatever is bad', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 9 }), async (bad) => {
        const { outcome } = await play(changes(...bad), hasBad);
        expect(outcome.rejected.map((one) => one.name)).toEqual(
          bad.flatMap((isBad, name) => (isBad ? [name] : [])),
        );
        expect(outcome.landed.length + outcome.rejected.length).toBe(bad.length);
      }),
    );
  });

  it('never turns the base red when two good changes do not go together', async () => {
    const clash = (onBase: readonly Change[]) =>
      onBase.some((one) => one.name === 1) && onBase.some((one) => one.name === 3);
    const { outcome, base } = await play(changes(false, false, false, false), clash);
    expect(outcome.rejected.map((one) => one.name)).toEqual([3]);
    expect(base.map((one) => one.name)).toEqual([0, 1, 2]);
  });
});

/** The same base, onto which changes go one after the other: each state that it is in has to have been tested. */
async function playSteps(
  batch: readonly Change[],
  atOnce: number,
  spoils: (onBase: readonly Change[]) => boolean,
) {
  const base: Change[] = [];
  const tested = new Set<string>();
  const nameOf = (state: readonly Change[]) => state.map((one) => one.name).join();
  const outcome = await mergeInSteps(batch, atOnce, {
    testEach: async (beginnings) => {
      expect(beginnings.length).toBeLessThanOrEqual(atOnce);
      return beginnings.map((onTop) => {
        tested.add(nameOf([...base, ...onTop]));
        return !spoils([...base, ...onTop]);
      });
    },
    land: async (change) => {
      base.push(change);
      expect(tested).toContain(nameOf(base));
      expect(spoils(base)).toBe(false);
    },
    reject: async () => undefined,
  });
  return { outcome, base };
}

describe('mergeInSteps', () => {
  it('tests each beginning of a good batch, and waits once', async () => {
    const { outcome } = await playSteps(changes(false, false, false, false, false), 5, hasBad);
    expect(outcome).toMatchObject({ tests: 5, waits: 1, rejected: [] });
  });

  it('needs as many test runs as one after the other when nothing runs beside it', async () => {
    const { outcome } = await playSteps(changes(false, true, false, false), 1, hasBad);
    expect(outcome).toMatchObject({ tests: 4, waits: 4 });
    expect(outcome.landed.map((one) => one.name)).toEqual([0, 2, 3]);
  });

  it('lets the base be nothing that was not tested, whatever is bad and however many run at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 9 }),
        fc.integer({ min: 1, max: 5 }),
        async (bad, atOnce) => {
          const { outcome } = await playSteps(changes(...bad), atOnce, hasBad);
          expect(outcome.rejected.map((one) => one.name)).toEqual(
            bad.flatMap((isBad, name) => (isBad ? [name] : [])),
          );
          expect(outcome.landed.length + outcome.rejected.length).toBe(bad.length);
        },
      ),
    );
  });

  it('keeps out one that only a later one would repair', async () => {
    const needsSecond = (onBase: readonly Change[]) =>
      onBase.some((one) => one.name === 0) && !onBase.some((one) => one.name === 1);
    const { outcome } = await playSteps(changes(false, false), 5, needsSecond);
    expect(outcome.rejected.map((one) => one.name)).toEqual([0]);
    expect((await play(changes(false, false), needsSecond)).outcome).toMatchObject({
      tests: 1,
      rejected: [],
    });
  });
});

describe('nextBatch', () => {
  it('takes up to five, and not two that touch one file', () => {
    const queue = [['a'], ['b'], ['a'], ['c'], ['d'], ['e'], ['f']].map((paths, number) => ({
      number,
      paths,
    }));
    expect(nextBatch(queue).map((one) => one.number)).toEqual([0, 1, 3, 4, 5]);
    expect(nextBatch([])).toEqual([]);
  });
});
