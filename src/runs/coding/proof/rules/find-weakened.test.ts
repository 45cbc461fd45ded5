/** What makes tests weaker is found with its place; what only moves or adds tests is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDiff } from '../../../../../test/support/make-diff.ts';
import { startProcessorClock } from '../../../../../test/support/processor-time.ts';
import { countNewCases, findWeakened } from './find-weakened.ts';
import { readDiff } from './read-diff.ts';

const body = (name: string, ...lines: string[]): string =>
  [`it('${name}', () => {`, ...lines.map((line) => `  ${line}`), '});', ''].join('\n');
const adds = body('adds', 'expect(add(1, 2)).toBe(3);');
const refuses = body('refuses text', "expect(() => add('1', 2)).toThrow('no number');");
const suite = `import { add } from './add.ts';\n\n${adds}\n${refuses}`;
const path = 'src/add.test.ts';

type Files = Readonly<Record<string, string>>;
const look = (before: Files, after: Files, verify: readonly string[] = ['npm', 'test']) =>
  findWeakened(makeDiff(before, after), { verify });
const inTest = (before: string, after: string) => look({ [path]: before }, { [path]: after });
const kinds = (found: ReturnType<typeof look>) =>
  found.map(({ kind, line, path: where }) => [kind, where, line]);

describe('tests that are gone', () => {
  it('are listed with the file and the line', () => {
    expect(kinds(inTest(suite, suite.replace(refuses, '')))).toEqual([
      ['test-removed', path, 7],
      ['assertion-removed', path, 7],
    ]);
    expect(kinds(look({ [path]: suite }, {}))).toEqual([['test-file-removed', path, 1]]);
  });

  it('are those of the common languages', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      [
        'test_a.py',
        'def test_one():\n    assert f() == 1\n\ndef test_two():\n    assert f() == 2\n',
        'def test_one():\n    assert f() == 1\n',
      ],
      [
        'a_test.go',
        'package a\n\nfunc TestA(t *testing.T) {\n\tone(t)\n}\n\nfunc TestB(t *testing.T) {\n}\n',
        'package a\n\nfunc TestA(t *testing.T) {\n\tone(t)\n}\n',
      ],
      ['src/lib.rs', '#[test]\nfn a() {}\n\n#[test]\nfn b() {}\n', '#[test]\nfn a() {}\n\nfn b() {}\n'],
      [
        'src/test/java/ATest.java',
        'class ATest {\n  @Test\n  void one() {}\n\n  @Test\n  void two() {}\n}\n',
        'class ATest {\n  @Test\n  void one() {}\n}\n',
      ],
      ['spec/a_spec.rb', "it 'works' do\nend\n\nit 'fails' do\nend\n", "it 'works' do\nend\n"],
    ];
    for (const [file, before, after] of cases)
      expect(
        look({ [file]: before }, { [file]: after }).map(({ kind }) => kind),
        file,
      ).toContain('test-removed');
  });

  it('are also those whose file no runner finds any more', () => {
    expect(kinds(look({ [path]: suite }, { 'src/add-test.ts.off': suite }))).toContainEqual([
      ...['test-file-removed', 'src/add-test.ts.off'],
      1,
    ]);
  });

  it('are not those that were renamed, moved or reordered', () => {
    expect(look({ [path]: suite }, { 'src/sum.test.ts': suite })).toEqual([]);
    expect(inTest(suite, suite.replace("'refuses text'", "'refuses words'"))).toEqual([]);
    expect(look({ [path]: suite }, { 'src/one.test.ts': adds, 'src/two.test.ts': refuses })).toEqual([]);
    expect(inTest(`${adds}\n${refuses}`, `${refuses}\n${adds}`)).toEqual([]);
    expect(inTest(suite, `${suite}\n${body('more', 'expect(add(2, 2)).toBe(4);')}`)).toEqual([]);
  });
});

describe('assertions', () => {
  it.each([
    ['expect(x).toBe(3);', 'expect(x).toBeTruthy();'],
    ['expect(x).toEqual({ a: 1 });', 'expect(x).toBeDefined();'],
    ['expect(x).toEqual({ a: 1 });', 'expect(x).toEqual({ a: expect.any(Number) });'],
    ['expect(x).toEqual([1]);', 'expect(x).toEqual(expect.anything());'],
    ['expect(x).toStrictEqual([1]);', 'expect(x).toContain(1);'],
    ["expect(f).toThrow('no number');", 'expect(f).toThrow();'],
    ["expect(f).toHaveBeenCalledWith('a');", 'expect(f).toHaveBeenCalled();'],
    ['assert.strictEqual(x, 3);', 'assert.ok(x);'],
    ['assert.deepEqual(x, [3]);', 'assert(x);'],
    ['t.is(x, 3);', 't.truthy(x);'],
    ['self.assertEqual(x, 3)', 'self.assertTrue(x)'],
    ['assert x == 3', 'assert x'],
    ['assert x == 3', 'assert x != 4'],
    ['assert_eq!(x, 3);', 'assert!(x > 0);'],
    ['assert.Equal(t, 3, x)', 'assert.NotNil(t, x)'],
    ['expect(x).to.equal(3);', 'expect(x).to.be.ok;'],
  ])('demand less: %s → %s', (before, after) => {
    const found = inTest(body('one', before), body('one', after));
    expect(kinds(found)).toEqual([['assertion-weakened', path, 2]]);
  });

  it.each([
    ['expect(x).toBe(3);', 'expect(x).toBe(4);'],
    ['expect(x).toBeTruthy();', 'expect(x).toBe(3);'],
    ['assert x', 'assert x == 3'],
    ['expect(x).toContain(1);', 'expect(x).toEqual([1]);'],
    ['const x = f(1);', 'const x = f(2);'],
  ])('demand as much or more: %s → %s', (before, after) => {
    expect(inTest(body('one', before), body('one', after))).toEqual([]);
  });

  it('are gone, also as a comment and in exchange for a weaker one elsewhere', () => {
    const two = body('one', 'expect(x).toBe(3);', 'expect(y).toBe(4);');
    expect(kinds(inTest(two, body('one', 'expect(x).toBe(3);')))).toEqual([['assertion-removed', path, 3]]);
    expect(kinds(inTest(two, two.replace('  expect(y)', '  // expect(y)')))).toEqual([
      ['assertion-removed', path, 3],
    ]);
    const other = `${body('one', 'expect(x).toBe(3);')}\nconst a = 1;\nconst b = 2;\n\n${body('load', 'expect(add).toBeDefined();')}`;
    expect(kinds(inTest(`${two}\nconst a = 1;\nconst b = 2;\n`, other))).toEqual([
      ['assertion-removed', path, 3],
    ]);
  });
});

describe('tests that do not run', () => {
  it.each([
    ['src/a.test.ts', "it.skip('a', () => {});"],
    ['src/a.test.ts', "describe.only('a', () => {});"],
    ['src/a.test.ts', "it.todo('a');"],
    ['src/a.test.ts', "test.concurrent.skip('a', () => {});"],
    ['src/a.test.ts', "xit('a', () => {});"],
    ['src/a.test.ts', "fdescribe('a', () => {});"],
    ['src/a.test.ts', "test('a', { skip: true }, () => {});"],
    ['src/a.test.ts', '  this.skip();'],
    ['src/a.test.ts', "it.fails('a', () => {});"],
    ['test_a.py', '@pytest.mark.skip'],
    ['test_a.py', '@pytest.mark.xfail(reason="x")'],
    ['test_a.py', '@unittest.skipIf(True, "x")'],
    ['test_a.py', '    self.skipTest("x")'],
    ['src/test/java/ATest.java', '  @Ignore'],
    ['src/test/java/ATest.java', '  @Disabled("later")'],
    ['tests/a.rs', '#[ignore]'],
    ['tests/a.rs', '#[should_panic]'],
    ['a_test.go', '\tt.Skip("later")'],
    ['a_test.go', '//go:build never'],
  ])('%s: %s', (file, line) => {
    const found = look({ [file]: 'one\ntwo\n' }, { [file]: `one\n${line}\ntwo\n` });
    expect(kinds(found)).toEqual([['test-skipped', file, 2]]);
  });

  it.each([
    'process.exit(0);',
    'process.exitCode = 0;',
    'try { check(); } catch {}',
    'if (false) {',
    'return;',
    '/*',
    'run().catch(() => {});',
  ])('%s', (line) => {
    const found = inTest(suite, suite.replace("it('adds', () => {\n", `it('adds', () => {\n  ${line}\n`));
    expect(kinds(found)).toEqual([['test-cut-short', path, 4]]);
  });

  it('are not those that were skipped before', () => {
    const before = "it.skip('a', () => {\n});\n";
    expect(inTest(before, before.replace("'a'", "'b'"))).toEqual([]);
    expect(inTest(before, before.replace('.skip', ''))).toEqual([]);
  });

  it('are said to have run by what a test prints', () => {
    const lines = [
      "console.log('# tests 12');",
      'print("12 passed in 0.1s")',
      'console.log("Tests:       3 passed, 3 total");',
    ];
    for (const line of lines)
      expect(
        inTest('one\n', `one\n${line}\n`).map(({ kind }) => kind),
        line,
      ).toEqual(['report-printed']);
  });
});

describe('what runs the tests', () => {
  const manifest = (test: string): string =>
    `{\n  "scripts": {\n    "build": "tsc",\n    "test": ${JSON.stringify(test)}\n  }\n}\n`;
  it.each<[string, Files, Files, string[]]>([
    [
      'a test script',
      { 'package.json': manifest('vitest run') },
      { 'package.json': manifest('echo ok') },
      ['check-changed'],
    ],
    [
      '|| true',
      { 'package.json': manifest('vitest run') },
      { 'package.json': manifest('vitest run || true') },
      ['failure-ignored', 'check-changed'],
    ],
    [
      'a threshold',
      { 'vitest.config.ts': 'lines: 90,\n' },
      { 'vitest.config.ts': 'lines: 50,\n' },
      ['threshold-lowered', 'runner-configured'],
    ],
    [
      'a threshold that is gone',
      { 'pyproject.toml': '[tool.coverage.report]\nfail_under = 90\n' },
      { 'pyproject.toml': '[tool.coverage.report]\n' },
      ['threshold-lowered'],
    ],
    [
      'which tests run',
      { 'jest.config.js': "testMatch: ['**/*.test.js'],\n" },
      { 'jest.config.js': "testMatch: ['src/a.test.js'],\n" },
      ['runner-configured'],
    ],
    ['a new configuration', {}, { 'vitest.config.ts': 'export default {};\n' }, ['runner-configured']],
    [
      'a build',
      { '.github/workflows/ci.yml': 'run: npm test\n' },
      { '.github/workflows/ci.yml': 'run: npm test\ncontinue-on-error: true\n' },
      ['failure-ignored', 'check-changed'],
    ],
    ['a recipe', { Makefile: 'test:\n\tpytest\n' }, { Makefile: 'test:\n\techo fine\n' }, ['check-changed']],
    [
      'a script that exits well',
      { 'ci.sh': 'npm test\n' },
      { 'ci.sh': 'npm test\nexit 0\n' },
      ['failure-ignored'],
    ],
    [
      '--passWithNoTests',
      { 'ci.sh': 'vitest run\n' },
      { 'ci.sh': 'vitest run --passWithNoTests\n' },
      ['failure-ignored'],
    ],
    ['a program of that name', {}, { 'bin/vitest': '#!/bin/sh\nexit 0\n' }, ['runner-replaced']],
    ['a package of that name', {}, { 'node_modules/vitest/index.js': 'x\n' }, ['runner-replaced']],
    ['a module of that name', {}, { 'sitecustomize.py': 'import os\n' }, ['runner-replaced']],
    [
      'hooks of pytest',
      {},
      { 'conftest.py': 'def pytest_runtest_makereport(item):\n    return None\n' },
      ['runner-configured'],
    ],
    ['the shell of npm', {}, { '.npmrc': 'script-shell=/bin/true\n' }, ['runner-replaced']],
  ])('%s', (_, before, after, expected) => {
    expect(
      look(before, after)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual([...expected].sort());
  });

  it('is the file that the command names', () => {
    const found = look({ 'check.mjs': 'check();\n' }, { 'check.mjs': '\n' }, ['node', './check.mjs']);
    expect(kinds(found)).toEqual([['check-changed', 'check.mjs', 1]]);
  });

  it('is not what only stands beside it', () => {
    const before =
      '{\n  "name": "a",\n  "version": "1.0.0",\n  "devDependencies": {\n    "test": "^1.0.0"\n  }\n}\n';
    expect(look({ 'package.json': before }, { 'package.json': before.replace('^1', '^2') })).toEqual([]);
    expect(look({ 'vitest.md': 'a\n' }, { 'docs/vitest.md': 'b || true\n' })).toEqual([]);
    expect(look({ 'src/a.ts': 'process.exit(1);\n' }, { 'src/a.ts': 'process.exit(0);\n' })).toEqual([]);
    expect(look({ Makefile: 'lint:\n\tbiome\n' }, { Makefile: 'lint:\n\tbiome check\n' })).toEqual([]);
  });
});

describe('a diff', () => {
  it('is read by its numbers: no line of a file passes for one of the diff', () => {
    const hostile = 'diff --git a/x.test.ts b/x.test.ts\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n';
    const [file, ...others] = readDiff(
      makeDiff({ 'a b/ö.md': `${hostile}one\n` }, { 'a b/ö.md': `-- a\n++ b\n${hostile}` }),
    );
    expect(others).toEqual([]);
    expect(file).toMatchObject({ path: 'a b/ö.md', change: 'modified' });
  });

  it('of any two texts is read whole', () => {
    const lines = fc.array(
      fc.constantFrom('a', '-b', '+c', '@@ -1 +1 @@', 'diff --git a/x b/x', '', '\\ No'),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        fc.pre(before.join('\n') !== after.join('\n'));
        const files = readDiff(makeDiff({ 'a.txt': before.join('\n') }, { 'a.txt': after.join('\n') }));
        expect(files.map((one) => one.path)).toEqual(['a.txt']);
        const count = (sign: string) =>
          files[0]?.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.sign === sign).length;
        expect([
          (count('-') ?? 0) + (count(' ') ?? 0) <= before.length,
          (count('+') ?? 0) <= after.length,
        ]).toEqual([true, true]);
      }),
      { numRuns: 10 },
    );
  });

  it('says how many cases are new', () => {
    expect(countNewCases(makeDiff({ [path]: adds }, { [path]: suite }))).toBe(1);
    expect(
      countNewCases(makeDiff({ [path]: suite }, { 'src/one.test.ts': adds, 'src/two.test.ts': refuses })),
    ).toBe(0);
    expect(countNewCases(makeDiff({}, { [path]: suite, 'src/other.ts': suite }))).toBe(2);
    expect(countNewCases(makeDiff({ [path]: suite }, { [path]: suite.replace("'adds'", "'sums'") }))).toBe(0);
  });
});

it('a very large change is searched in a bearable time', () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, index) => `  expect(sum(${index}, 1), 'x').toBe(${index + 1});`,
  );
  const diff = makeDiff(
    { [path]: body('one', ...lines) },
    { [path]: body('one', ...lines.map((line) => line.replace('1)', '2)'))) },
  );
  const elapsed = startProcessorClock();
  expect(findWeakened(diff)).toEqual([]);
  expect(elapsed()).toBeLessThan(5000);
});
