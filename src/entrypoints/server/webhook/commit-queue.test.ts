/** What arrives together is stored together; what cannot be stored is refused, and keeps nothing out that comes later. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommitQueue } from './commit-queue.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('CommitQueue', () => {
  it('writes what has arrived by then in one go, in its order', async () => {
    const written: number[][] = [];
    const queue = new CommitQueue<number>(async (items) => {
      written.push([...items]);
      await tick();
    });
    const first = [1, 2, 3].map((item) => queue.add(item));
    await tick();
    const second = [4, 5].map((item) => queue.add(item));
    await Promise.all([...first, ...second]);
    expect(written).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    await queue.add(6);
    expect(written.at(-1)).toEqual([6]);
  });

  it('says nothing before it is written', async () => {
    const written = Promise.withResolvers<void>();
    const queue = new CommitQueue<number>(() => written.promise);
    let isAnswered = false;
    const added = queue.add(1).then(() => {
      isAnswered = true;
    });
    for (let round = 0; round < 5; round += 1) await tick();
    expect(isAnswered).toBe(false);
    written.resolve();
    await added;
    expect(isAnswered).toBe(true);
  });

  it('begins a second write while the first one waits for the disk, and no third', async () => {
    const disk: PromiseWithResolvers<void>[] = [];
    const written: number[][] = [];
    const queue = new CommitQueue<number>((items) => {
      const one = Promise.withResolvers<void>();
      disk.push(one);
      written.push([...items]);
      return one.promise;
    });
    const answered: number[] = [];
    const add = (item: number): void => void queue.add(item).then(() => answered.push(item));
    for (const item of [1, 2]) add(item);
    await tick();
    for (const item of [3, 4]) add(item);
    await tick();
    for (const item of [5, 6]) add(item);
    for (let round = 0; round < 5; round += 1) await tick();
    expect(written).toEqual([
      [1, 2],
      [3, 4],
    ]);
    disk[1]?.resolve();
    await tick();
    await tick();
    expect(answered).toEqual([3, 4]);
    expect(written.at(-1)).toEqual([5, 6]);
    for (const { resolve } of disk) resolve();
    await tick();
    expect(answered).toEqual([3, 4, 1, 2, 5, 6]);
  });

  it('waits a moment for more when many came last, and then writes the few', async () => {
    const written: number[][] = [];
    const queue = new CommitQueue<number>(async (items) => void written.push([...items]));
    await Promise.all([1, 2, 3, 4, 5, 6].map((item) => queue.add(item)));
    await Promise.all([queue.add(7), tick().then(() => queue.add(8))]);
    expect(written).toEqual([
      [1, 2, 3, 4, 5, 6],
      [7, 8],
    ]);
  });

  it('turns away what is too much, and takes more when there is room again', async () => {
    const stored: number[] = [];
    const limits = { mostWaiting: 2, mostTogether: 10, gatherMilliseconds: 1, mostWrites: 2 };
    const queue = new CommitQueue<number>(async (items) => void stored.push(...items), limits);
    const taken = [queue.add(1), queue.add(2)];
    await expect(queue.add(3)).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    await Promise.all(taken);
    await queue.add(3);
    expect(stored).toEqual([1, 2, 3]);
  });

  it('acknowledges exactly what was stored, whatever fails in between', async () => {
    const groups = fc.array(fc.nat({ max: 12 }), { maxLength: 6 });
    const failures = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        groups,
        failures,
        fc.integer({ min: 1, max: 5 }),
        async (sizes, fails, mostTogether) => {
          const stored: string[] = [];
          let writes = 0;
          const limits = { mostWaiting: 1_000, mostTogether, gatherMilliseconds: 0, mostWrites: 2 };
          const queue = new CommitQueue<string>(async (items) => {
            writes += 1;
            await tick();
            if (fails[writes % fails.length]) throw new Error('The disk is full.');
            stored.push(...items);
          }, limits);
          const acknowledged: string[] = [];
          const answers: Promise<void>[] = [];
          for (const [group, size] of sizes.entries()) {
            for (let index = 0; index < size; index += 1) {
              const name = `${group}/${index}`;
              const note = (): void => void acknowledged.push(name);
              answers.push(queue.add(name).then(note, () => undefined));
            }
            await tick();
          }
          await Promise.all(answers);
          // Each once, in their order.
          expect(stored).toEqual(acknowledged);
        },
      ),
    );
  });
});
