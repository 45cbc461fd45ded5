/** Patterns of test runners, compared with how Node reads globs; and what cannot be read is never a test. */
import { matchesGlob } from 'node:path/posix';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globSource, globsToExpression, noTests, readIniWords, readListLiteral } from './test-globs.ts';

const part = fc.array(fc.constantFrom('a', 'b', '.js', '.ts', '*', '?', '{a,b}', '[ab]', '@(a|b)', '+(a)'), {
  minLength: 1,
  maxLength: 3,
});
const glob = fc
  .array(
    fc.oneof(
      part.map((signs) => signs.join('')),
      fc.constant('**'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join('/'))
  .filter((text) => !/\*\*\S|[^/]\*\*|\*\*$|\*\+|\?\(|\*@/u.test(text));
const path = fc
  .array(fc.array(fc.constantFrom('a', 'b', '.js', '.ts'), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.map((signs) => signs.join('')).join('/'))
  // Hidden files are judged before anybody asks whether they are tests.
  .filter((text) => !text.split('/').some((one) => one.startsWith('.')));

describe('globSource', () => {
  it('means what Node means by a glob', () => {
    fc.assert(
      fc.property(glob, path, (pattern, name) => {
        const source = globSource(pattern);
        fc.pre(source !== null);
        expect([pattern, name, new RegExp(`^(?:${source})$`, 'u').test(name)]).toEqual([
          ...[pattern, name, matchesGlob(name, pattern)],
        ]);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', '/etc/*', '../x.js', '!(a)', 'a\\b', '*a*a*a*a*a*', '{a', 'x'.repeat(201), '[!a]', 'a\0b'])(
    'does not read %j',
    (pattern) => expect(globSource(pattern)).toBeNull(),
  );

  it('gives an expression or nothing for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const source = globSource(text);
        if (source !== null) expect(() => new RegExp(`^${source}$`, 'u')).not.toThrow();
      }),
    );
  });
});

describe('globsToExpression', () => {
  it('counts from a folder and takes out what is negated', () => {
    const runs = globsToExpression(['checks/**/*.js', '!checks/help*.js'], 'packages/a/');
    expect(runs.test('packages/a/checks/x/y.js')).toBe(true);
    expect(runs.test('packages/a/checks/helper.js')).toBe(false);
    expect(runs.test('checks/x.js')).toBe(false);
  });

  it('fits nothing when one of them cannot be read, or none takes in', () => {
    for (const globs of [['a.js', '!(x)'], ['!a.js'], []]) expect(globsToExpression(globs)).toEqual(noTests);
  });
});

describe('readListLiteral', () => {
  it.each([
    ['testMatch: [\'**/*.check.[jt]s\', "b"], x', ['**/*.check.[jt]s', 'b']],
    ['"testMatch": [\n // one\n "a",\n]', ['a']],
    ["testMatch: 'a'", ['a']],
    ['testMatch: [...others]', null],
    [`testMatch: [\`\${x}/a\`]`, null],
    ['testMatch: makeGlobs()', null],
    ['other: []', undefined],
    ['my.testMatch = []', undefined],
  ])('%j', (text, found) => expect(readListLiteral(text, 'testMatch')).toEqual(found));
});

it('reads words of an INI file, over several lines, in their section only', () => {
  const text = '[a]\nfiles = x\n[pytest]\nfiles = one\n  two three\nother = 1\n';
  expect(readIniWords(text, 'pytest', 'files')).toEqual(['one', 'two', 'three']);
  expect(readIniWords(text, 'pytest', 'more')).toBeNull();
  expect(readIniWords(text, 'b', 'files')).toBeNull();
});
