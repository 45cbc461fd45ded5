/** What arrives together is stored together; what cannot be stored costs no other its place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommitQueue } from './commit-queue.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('CommitQueue', () => {
  it('writes what has arrived by then in one go, in its order', async () => {
    const written: number[][] = [];
    const queue = new CommitQueue<number, string>(async (items) => {
      written.push([...items]);
      await tick();
      return items.map((item) => `stored ${item}`);
    });
    const first = [1, 2, 3].map((item) => queue.add(item));
    await tick();
    const second = [4, 5].map((item) => queue.add(item));
    expect(await Promise.all([...first, ...second])).toEqual([1, 2, 3, 4, 5].map((item) => `stored ${item}`));
    expect(written).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(await queue.add(6)).toBe('stored 6');
  });

  it('says nothing before it is written', async () => {
    const written = Promise.withResolvers<string[]>();
    const queue = new CommitQueue<number, string>(() => written.promise);
    let answer = '';
    const added = queue.add(1).then((text) => {
      answer = text;
    });
    for (let round = 0; round < 5; round += 1) await tick();
    expect(answer).toBe('');
    written.resolve(['on disk']);
    await added;
    expect(answer).toBe('on disk');
  });

  it('turns away what is too much, and takes more when there is room again', async () => {
    const queue = new CommitQueue<number, number>(async (items) => [...items], {
      mostWaiting: 2,
      mostTogether: 10,
    });
    const taken = [queue.add(1), queue.add(2)];
    await expect(queue.add(3)).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    expect(await Promise.all(taken)).toEqual([1, 2]);
    expect(await queue.add(3)).toBe(3);
  });

  it('refuses the bad ones alone, whatever comes together', async () => {
    const batches = fc.array(fc.array(fc.boolean(), { maxLength: 12 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 5 }), async (groups, mostTogether) => {
        const stored: string[] = [];
        const queue = new CommitQueue<{ name: string; isBad: boolean }, string>(
          async (items) => {
            if (items.some(({ isBad }) => isBad)) throw new Error('bad');
            stored.push(...items.map(({ name }) => name));
            return items.map(({ name }) => name);
          },
          { mostWaiting: 1_000, mostTogether },
        );
        const results: Promise<boolean>[] = [];
        const wanted: string[] = [];
        for (const [group, members] of groups.entries()) {
          for (const [index, isBad] of members.entries()) {
            const name = `${group}/${index}`;
            if (!isBad) wanted.push(name);
            results.push(
              queue.add({ name, isBad }).then(
                (got) => got === name && !isBad,
                () => isBad,
              ),
            );
          }
          await tick();
        }
        expect(await Promise.all(results)).not.toContain(false);
        // Each once.
        expect(stored).toEqual(wanted);
      }),
    );
  });
});
