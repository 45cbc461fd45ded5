import { describe, expect, it } from 'vitest';
import { areIds, isSettled, knownAnswersOf } from './known-answers.ts';

const [one, other] = ['a'.repeat(40), 'b'.repeat(64)];

describe('an answer of git', () => {
  it.each([
    [['ls-tree', '-r', '-z', one], true],
    [['diff-tree', '-r', '-M', one, other], true],
    [['diff', '--end-of-options', one, other], true],
    // Names mean something else tomorrow, and so does a path in a work tree.
    [['ls-tree', '-r', 'main'], false],
    [['ls-tree', '-r', one.slice(1)], false],
    [['diff-tree', '-r', one, 'HEAD'], false],
    [['diff-tree', '-p', one, other, '--', 'src/sum.mjs'], false],
    [['diff', '--cached', one], false],
    [['diff', '--cached', one, other], false],
    [['diff', one], false],
    [['ls-tree', '-r'], false],
    [['rev-parse', one], false],
    [['cat-file', '-t', one], false],
    [['-c', 'diff.renames=false', 'diff-tree', one, other], false],
  ])('%j is the same for ever: %s', (args, expected) => {
    expect(isSettled(args)).toBe(expected);
  });

  it('is about ids only if all of them are whole', () => {
    expect(areIds([one, other])).toBe(true);
    expect(areIds([one, 'main'])).toBe(false);
    expect(areIds([one.toUpperCase()])).toBe(false);
  });

  it('is asked for once in a repository, and not kept when it failed', async () => {
    let asked = 0;
    const ask = (folder: string) =>
      knownAnswersOf(folder).ask(['ls-tree', one], async () => {
        asked += 1;
        if (asked === 1) throw new Error('no such object');
        return `answer ${asked}`;
      });
    await expect(ask('/x')).rejects.toThrow('no such object');
    expect([await ask('/x'), await ask('/x'), await ask('/y'), await ask('/x')]).toEqual([
      'answer 2',
      'answer 2',
      'answer 3',
      'answer 2',
    ]);
  });

  it('is forgotten when others need the room, and never kept when it is very long', async () => {
    const known = knownAnswersOf('/room');
    let asked = 0;
    const ask = (key: string, length: number) =>
      known.ask([key], async () => {
        asked += 1;
        return 'x'.repeat(length);
      });
    await ask('long', 300_000);
    await ask('long', 300_000);
    expect(asked).toBe(2);
    for (let index = 0; index < 60; index += 1) await ask(`k${index}`, 200_000);
    asked = 0;
    await ask('k59', 200_000);
    expect(asked).toBe(0);
    await ask('k0', 200_000);
    expect(asked).toBe(1);
  });
});
