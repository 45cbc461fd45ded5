/** Patterns come from a file in a repository: they may be wrong or made to keep the program busy for years. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startProcessorClock } from '../../../../../test/support/processor-time.ts';
import { compilePattern } from './linear-pattern.ts';

function matches(source: string, text: string, isFolded = false): boolean | string {
  const made = compilePattern(source, isFolded);
  return 'problem' in made ? made.problem : made.pattern.test(text);
}

describe('a pattern', () => {
  it.each([
    ['TODO\\b', '// TODO: later', true],
    ['TODO\\b', '// TODOS', false],
    ['(^|/)test(s)?/', 'src/tests/a.ts', true],
    ['(^|/)test(s)?/', 'src/contest/a.ts', false],
    ['\\.md$', 'docs/a.md', true],
    ['\\.md$', 'docs/a.mdx', false],
    ['[[:space:]]stub', 'a stub', true],
    ['a{2,3}b', 'xaab', true],
    ['^a{2,3}b', 'aaaab', false],
    ['a{0}b', 'b', true],
    ['(?:ab|a)*c', 'abaabc', true],
    ['[^a-c]', 'abc', false],
    ['[\\]\\-x]', '-', true],
    ['', '', 'is empty'],
  ] as const)('%s on "%s" is %s', (source, text, result) => {
    expect(matches(source, text)).toBe(result);
  });

  it.each(['not implemented', 'Not Implemented', '[a-n]OT implemented'])(
    'can take capitals for small letters: %s',
    (source) => {
      expect(matches(source, 'throw new Error("NOT IMPLEMENTED")', true)).toBe(true);
    },
  );

  it.each([
    '(?=a)',
    '(?<!a)',
    '(?<name>a)',
    '\\1',
    '\\p{L}',
    '\\k<a>',
    '(a',
    'a)',
    '[a',
    '*a',
    'a**',
    'a{',
    'a{5,2}',
    'a{999}',
    '[z-a]',
    '\\',
    '((a{90}){90}){90}',
    'x'.repeat(301),
    '[[:nonsense:]]',
    '\\u0041',
    '[]',
  ])('is refused with a reason when it has signs that are not known: %s', (source) => {
    expect(matches(source, 'a')).toMatch(/pattern|characters/u);
  });

  it('takes no longer for a text that would keep another engine busy', () => {
    const elapsed = startProcessorClock();
    for (const source of [
      '(a+)+$',
      '^(a|a)*$',
      '(a|aa)+$',
      '(.*)(.*)(.*)(.*)=',
      '(x+x+)+y',
      '([a-z]+)*!',
      '^(a|a?)+$',
    ])
      expect(matches(source, `${'a'.repeat(15_000)}b`)).toBe(false);
    expect(elapsed()).toBeLessThan(5000);
  });
});

// Patterns drawn from the grammar that is read here, short enough for JavaScript's own engine, which is the judge.
const { part } = fc.letrec<{ part: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(
      'a',
      'b',
      'c',
      ' ',
      '_',
      '1',
      '.',
      '\\w',
      '\\d',
      '\\s',
      '\\W',
      '\\.',
      '[ab]',
      '[^a]',
      '[a-c1]',
      '\\b',
      '\\B',
      '^',
      '$',
      '-',
      ',',
    ),
    tie('part').map((inside) => `(${inside})`),
    tie('part').map((inside) => `(?:${inside})`),
  ),
  part: fc
    .array(
      fc.tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,1}', '*?', '+?')),
      { minLength: 1, maxLength: 4 },
    )
    .chain((items) =>
      fc
        .constantFrom('', '|b', '|')
        .map(
          (ending) =>
            `${items.map(([atom, times]) => `${atom}${/^[\^$]$|^\\[bB]$/u.test(atom) ? '' : times}`).join('')}${ending}`,
        ),
    ),
}));

it('finds what JavaScript finds', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'A', ' ', '_', '1', '.', '\n', 'é'), { maxLength: 8 })
    .map((signs) => signs.join(''));
  fc.assert(
    fc.property(
      part.filter(({ length }) => length <= 80),
      text,
      fc.boolean(),
      (source, line, isFolded) => {
        expect(matches(source, line, isFolded)).toBe(new RegExp(source, isFolded ? 'iu' : 'u').test(line));
      },
    ),
    { numRuns: 800 },
  );
});

it('never throws, whatever the pattern is', () => {
  const sign = fc.constantFrom(
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '*',
    '+',
    '?',
    '|',
    '\\',
    '^',
    '$',
    '-',
    ':',
    'a',
    '1',
    ',',
    'b',
    '\u{1F600}',
    '\ud800',
  );
  fc.assert(
    fc.property(
      fc.array(sign, { maxLength: 20 }).map((signs) => signs.join('')),
      (source) => {
        expect(['boolean', 'string']).toContain(typeof matches(source, 'aab1'));
      },
    ),
    { numRuns: 800 },
  );
});
