/** Guesses are near, few, in order, and quick. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { nearestWord, nearestWords } from './nearest-word.ts';

/** The whole table, as the textbook has it. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, row) => [row, ...Array<number>(b.length).fill(0)]);
  for (let column = 0; column <= b.length; column += 1) (rows[0] as number[])[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const [above, here] = [rows[row - 1] as number[], rows[row] as number[]];
      here[column] = Math.min(
        (above[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1),
        (above[column] as number) + 1,
        (here[column - 1] as number) + 1,
      );
    }
  }
  return (rows[a.length] as number[])[b.length] as number;
}

describe('nearestWords', () => {
  it.each([
    ['statsu', ['status', 'start', 'show'], ['status']],
    ['status', ['status', 'stats'], ['status', 'stats']],
    ['x', ['status'], []],
    [
      'src/report.ts',
      ['src/reports.ts', 'src/export.ts', 'docs/guide.md'],
      ['src/reports.ts', 'src/export.ts'],
    ],
    ['', ['a', 'abc'], ['a']],
    ['x'.repeat(101), ['x'.repeat(101)], []],
  ])('%s', (word, known, near) => {
    expect(nearestWords(word, known, 3)).toEqual(near);
    expect(nearestWord(word, known)).toBe(near[0] ?? null);
  });

  it('finds what comparing everything with everything finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 14 });
    fc.assert(
      fc.property(
        word,
        fc.uniqueArray(word, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        (typed, known, most) => {
          const furthest = Math.max(2, Math.floor(typed.length / 3));
          const expected = known
            .map((name) => ({ name, steps: distance(typed, name) }))
            .filter(({ steps }) => steps <= furthest)
            .sort((a, b) => a.steps - b.steps)
            .slice(0, most)
            .map(({ name }) => name);
          expect(nearestWords(typed, known, most)).toEqual(expected);
        },
      ),
      { numRuns: propertyRuns(3_000) },
    );
  });
});
