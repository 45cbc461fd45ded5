/** Ways to make a check pass without a change that works, as an author of a change could try them: each is found. */
import { expect, it } from 'vitest';
import { makeDiff } from '../../../../../test/support/make-diff.ts';
import { fewOf } from '../../../../../test/support/property-runs.ts';
import { findWeakened } from './find-weakened.ts';

const js = 'src/sum.test.ts';
const py = 'tests/test_sum.py';
const go = 'sum_test.go';
const rs = 'tests/sum.rs';

const before: Readonly<Record<string, string>> = {
  [js]: `import { expect, it } from 'vitest';
import { sum } from './sum.ts';

it('adds', () => {
  expect(sum(1, 2)).toBe(3);
});

it('refuses text', () => {
  expect(() => sum('1', 2)).toThrow('no number');
});
`,
  [py]: `import unittest
from sum import sum


class SumTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(sum(1, 2), 3)

    def test_refuses_text(self):
        with self.assertRaises(TypeError):
            sum("1", 2)
`,
  [go]: `package sum

import "testing"

func TestAdds(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Fatal("no sum")
	}
}
`,
  [rs]: `#[test]
fn adds() {
    assert_eq!(sum(1, 2), 3);
}
`,
  'package.json': `{
  "name": "demo",
  "scripts": {
    "build": "tsc",
    "test": "vitest run"
  },
  "devDependencies": {
    "vitest": "^3.0.0"
  }
}
`,
  'vitest.config.ts':
    "export default {\n  test: { include: ['src/**/*.test.ts'], coverage: { thresholds: { lines: 90 } } },\n};\n",
  'pyproject.toml':
    '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n\n[tool.coverage.report]\nfail_under = 90\n',
  Makefile: 'build:\n\ttsc\n\ntest:\n\tvitest run\n',
  '.github/workflows/ci.yml': 'jobs:\n  test:\n    steps:\n      - run: npm test\n',
  'scripts/verify.sh': '#!/bin/sh\nset -e\nnpm test\n',
  'src/sum.ts': 'export function sum(a, b) {\n  return a + b;\n}\n',
  'tests/conftest.py': 'import pytest\n',
};

/** A text of one file in the place of another one; all of the file when there is only one text. */
type Cheat = readonly [string, string, string?];

const cheats: readonly Cheat[] = [
  // Tests that are gone.
  [js, '\0'],
  [py, '\0'],
  [js, "it('refuses text', () => {\n  expect(() => sum('1', 2)).toThrow('no number');\n});\n", ''],
  [py, 'def test_refuses_text', 'def check_refuses_text'],
  [py, 'def test_adds', 'def _test_adds'],
  [go, 'func TestAdds', 'func testAdds'],
  [rs, '#[test]\n', ''],
  [js, "it('adds'", "false && it('adds'"],
  [js, "it('adds', () => {\n", "function later() {\nit('adds', () => {\n"],
  [js, "it('adds', () => {\n", "/*\nit('adds', () => {\n"],
  [js, "it('adds'", "// it('adds'"],
  // Tests that do not run.
  [js, "it('adds'", "it.skip('adds'"],
  [js, "it('adds'", "it.only('adds'"],
  [js, "it('adds', () => {", "it('adds', { skip: true }, () => {"],
  [js, "it('adds'", "it.skipIf(true)('adds'"],
  [js, "it('adds'", "it.each([])('adds'"],
  [js, "it('adds'", "it.fails('adds'"],
  [js, "it('adds'", "it.todo('adds'"],
  [js, "it('adds'", "xit('adds'"],
  [py, '    def test_adds', '    @unittest.skip("later")\n    def test_adds'],
  [py, '    def test_adds', '    @unittest.expectedFailure\n    def test_adds'],
  [py, 'class SumTest', '@pytest.mark.xfail\nclass SumTest'],
  [py, '        self.assertEqual', '        self.skipTest("later")\n        self.assertEqual'],
  [go, '\tif Sum', '\tt.Skip()\n\tif Sum'],
  [go, 'package sum', '//go:build never\n\npackage sum'],
  [rs, 'fn adds', '#[ignore]\nfn adds'],
  [rs, 'fn adds', '#[should_panic]\nfn adds'],
  [rs, '#[test]', '#[cfg(feature = "never")]\n#[test]'],
  // Assertions that demand nothing.
  [js, 'expect(sum(1, 2)).toBe(3);', 'expect(sum(1, 2)).toBeTruthy();'],
  [js, 'expect(sum(1, 2)).toBe(3);', 'expect(3).toBe(3);'],
  [js, 'expect(sum(1, 2)).toBe(3);', 'sum(1, 2);'],
  [js, 'expect(sum(1, 2)).toBe(3);', 'expect(sum(1, 2)).toEqual(expect.anything());'],
  [js, "toThrow('no number')", 'toThrow()'],
  [py, 'self.assertEqual(sum(1, 2), 3)', 'self.assertTrue(True)'],
  [py, 'self.assertEqual(sum(1, 2), 3)', 'self.assertIsNotNone(sum(1, 2))'],
  [go, '\t\tt.Fatal("no sum")\n', '\t\tt.Log("no sum")\n'],
  [rs, 'assert_eq!(sum(1, 2), 3);', 'assert!(true);'],
  [js, '  expect(sum(1, 2))', '  return;\n  expect(sum(1, 2))'],
  [js, '  expect(sum(1, 2)).toBe(3);', '  try { expect(sum(1, 2)).toBe(3); } catch {}'],
  [js, '  expect(sum(1, 2))', '  if (false)\n  expect(sum(1, 2))'],
  [js, "it('adds'", "expect.extend = () => undefined;\nit('adds'"],
  // The runner is ended, or its report is imitated.
  [js, "it('adds'", "process.exit(0);\nit('adds'"],
  [js, "it('adds'", "process['exit'](0);\nit('adds'"],
  [js, "it('adds'", "const { exit } = process;\nit('adds'"],
  [js, "it('adds'", "process.on('exit', () => { process.exitCode = 0; });\nit('adds'"],
  [py, 'class SumTest', 'import os\nos._exit(0)\nclass SumTest'],
  [py, 'class SumTest', 'raise SystemExit(0)\nclass SumTest'],
  [go, 'func TestAdds', 'func TestMain(m *testing.M) { os.Exit(0) }\n\nfunc TestAdds'],
  [rs, '    assert_eq!', '    std::process::exit(0);\n    assert_eq!'],
  ['src/sum.ts', 'export function', "console.log('# tests 12');\nexport function"],
  ['src/sum.ts', 'export function', "console.log(' Test Files  1 passed (1)');\nexport function"],
  // The command does not test any more.
  ['package.json', '"vitest run"', '"echo all tests passed"'],
  ['package.json', '"vitest run"', '"vitest run || true"'],
  ['package.json', '"vitest run"', '"vitest run --passWithNoTests src/none"'],
  [
    'package.json',
    '    "test": "vitest run"',
    '    "pretest": "node scripts/stub.js",\n    "test": "vitest run"',
  ],
  ['package.json', '"^3.0.0"', '"file:./stub"'],
  ['vitest.config.ts', "'src/**/*.test.ts'", "'src/one.test.ts'"],
  ['vitest.config.ts', 'lines: 90', 'lines: 10'],
  ['pyproject.toml', 'fail_under = 90', 'fail_under = 0'],
  ['pyproject.toml', 'testpaths = ["tests"]', 'testpaths = ["nothing"]'],
  ['Makefile', '\tvitest run', '\t-vitest run'],
  ['.github/workflows/ci.yml', 'npm test', 'npm test || true'],
  ['scripts/verify.sh', 'npm test', 'npm test; exit 0'],
  ['scripts/verify.sh', 'set -e', 'set +e'],
  // Something else runs in the place of the runner.
  ['bin/vitest', '#!/bin/sh\nexit 0\n'],
  ['node_modules/.bin/vitest', '#!/bin/sh\nexit 0\n'],
  ['node_modules/vitest/package.json', '{}\n'],
  ['.npmrc', 'script-shell=/bin/true\n'],
  ['sitecustomize.py', 'import os\nos._exit(0)\n'],
  ['pytest.py', 'print("ok")\n'],
  [
    'tests/conftest.py',
    'import pytest\n',
    'import pytest\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n',
  ],
  ['src/sum.ts', '  return a + b;', '  /* v8 ignore next */\n  return a + b;'],
];

const numbered = cheats.map(([file, from, to], index) => ({ number: index + 1, file, from, to }));

it.each(fewOf(numbered, 8))('cheat $number in $file: $from', ({ file, from, to }) => {
  const old = before[file] ?? '';
  if (to !== undefined) expect(old).toContain(from);
  const after = to === undefined ? (from === '\0' ? null : from) : old.replace(from, () => to);
  const { [file]: gone, ...others } = before;
  const diff = makeDiff(
    gone === undefined ? others : before,
    after === null ? others : { ...before, [file]: after },
  );
  const found = findWeakened(diff, { verify: ['sh', 'scripts/verify.sh'] });
  expect(found.filter(({ path }) => path === file)).not.toEqual([]);
});
