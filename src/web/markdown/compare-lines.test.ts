import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLines, foldSame } from './compare-lines.ts';

const show = (old: string, young: string): string[] =>
  compareLines(old, young).map(({ change, text }) => `${{ same: ' ', out: '-', in: '+' }[change]}${text}`);

describe('two texts', () => {
  it.each([
    ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
    ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['', 'a', ['-', '+a']],
  ])('%j and %j differ in the fewest lines', (old, young, lines) => {
    expect(show(old, young)).toEqual(lines);
  });

  it('are both there, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (old, young) => {
        const lines = compareLines(old, young);
        const without = (left: string): string =>
          lines
            .filter(({ change }) => change !== left)
            .map((line) => line.text)
            .join('\n');
        expect(without('in')).toBe(old);
        expect(without('out')).toBe(young);
      }),
      { numRuns: 500 },
    );
  });

  it('with little in common are shown whole, and soon', () => {
    const many = (letter: string): string =>
      Array.from({ length: 3_000 }, (_, at) => `${letter}${at}`).join('\n');
    expect(compareLines(many('a'), many('b'))).toHaveLength(6_000);
  });
});

it('leaves out what is far from any change', () => {
  const lines = compareLines(
    Array.from({ length: 20 }, (_, at) => String(at)).join('\n'),
    Array.from({ length: 20 }, (_, at) => (at === 10 ? 'x' : String(at))).join('\n'),
  );
  const folded = foldSame(lines, 2).map((line) => line?.text ?? null);
  expect(folded).toEqual([null, '8', '9', '10', 'x', '11', '12', null]);
});
