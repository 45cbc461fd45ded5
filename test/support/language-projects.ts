/**
 * Small projects in three languages, each with a bug that people really write, and work on them as a coding agent does it:
 * it edits files and runs the tests in its copy. The pipeline finds out by itself how each project is tested.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolLayouts } from '../../src/adapters/sandbox/tool-layouts.ts';
import type { CassetteWork } from '../../src/domain/recordings/cassette-work.ts';
import { packFolder } from './little-registry.ts';
import type { Work } from './loop-cassette.ts';
import { analysed, type Call, reviewed, triaged, written } from './pipeline-world.ts';

type Files = Readonly<Record<string, string>>;

export interface LanguageProject {
  /** Null when the machine has what it needs, else what is missing. */
  readonly missing: () => string | null;
  readonly files: Files;
  /** How its dependencies are installed, where it has any. */
  readonly setup?: string;
  /** Archives that are among its files, by their paths. */
  readonly packages?: Readonly<Record<string, () => Uint8Array>>;
  /** What the agent may run, as its setting has it. */
  readonly runs: string;
}

/** One issue and the work on it. */
export interface Job {
  readonly issue: { readonly title: string; readonly body: string; readonly labels: string[] };
  readonly file: string;
  readonly test: { readonly type: 'regression' | 'happy_path'; readonly file: string } | null;
  readonly steps: CassetteWork['steps'];
}

/** Version managers that are not where a home would have them; a test has a home of its own. */
export const toolVariables: Readonly<Record<string, string>> = Object.fromEntries(
  toolLayouts
    .flatMap(({ variables }) => variables)
    .flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);

function lacks(program: string, ...args: string[]): string | null {
  const env = { PATH: process.env.PATH, ...toolVariables };
  const { status } = spawnSync(program, args, { stdio: 'ignore', env });
  return status === 0 ? null : `"${[program, ...args].join(' ')}" does not work here`;
}

/** What the stages answer when all goes well: triage, analyst, writer, reviewer. */
export function workOn(job: Job): [Call, Work, Work, Call] {
  const { file, test, steps } = job;
  const required = test !== null;
  return [
    triaged(),
    analysed({
      brief: `Change \`${file}\`: ${job.issue.title}.`,
      files: [{ path: file, purpose: 'holds it', action: 'modify' }],
      patterns: [],
      test_requirement: {
        ...{ required, type: test?.type ?? 'none', location: test?.file ?? null },
        description: required ? job.issue.title : null,
      },
      must_do: [job.issue.title],
      must_not_do: [],
    }),
    written(steps, {
      summary: 'Done as asked.',
      changes: [{ file, description: 'does it right' }],
      test_file: test?.file ?? null,
    }),
    reviewed(),
  ];
}

const medianBug = (file: string, call: string, expected: string, actual: string) => ({
  title: 'The median is wrong',
  body: `Steps: call \`${call}\` of \`${file}\`. Expected: ${expected}. Actual: ${actual}.`,
  labels: ['bug'],
});

const typescriptSource = (
  body: string,
): string => `export function median(values: readonly number[]): number {
  ${body}
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
`;

const typescriptTest = (title: string, call: string, expected: number): string =>
  `import assert from 'node:assert/strict';
import test from 'node:test';
import { median } from '../src/median.ts';

test('${title}', () => {
  assert.equal(${call}, ${expected});
});
`;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Node runs the sources as they are, which checks no type: that is the compiler's part. */
export const typescript: LanguageProject & { readonly bug: Job; readonly refactor: Job } = {
  missing: () => null,
  setup: 'npm install --offline --no-package-lock --no-audit --no-fund',
  packages: { 'packages/typescript.tgz': packTypescript },
  runs: 'node --test',
  files: {
    'package.json': json({
      ...{ name: 'numbers', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } },
      devDependencies: { typescript: 'file:packages/typescript.tgz' },
    }),
    'tsconfig.json': json({
      compilerOptions: { strict: true, module: 'nodenext', noUncheckedIndexedAccess: true },
      include: ['src'],
    }),
    '.gitignore': 'node_modules/\n',
    // Without a function that compares, numbers are sorted by their digits.
    'src/median.ts': typescriptSource('const sorted = [...values].sort();'),
    'test/median.test.ts': typescriptTest('of three digits', 'median([3, 1, 2])', 2),
  },
  bug: {
    issue: medianBug('src/median.ts', 'median([2, 10, 1])', '2', '10'),
    file: 'src/median.ts',
    test: { type: 'regression', file: 'test/median-of-large.test.ts' },
    steps: [
      { edit: 'src/median.ts', replace: '.sort();', with: '.sort((one, other) => one - other);' },
      {
        write: 'test/median-of-large.test.ts',
        content: typescriptTest('of numbers with more digits', 'median([2, 10, 1])', 2),
      },
      { run: ['node', '--test'] },
    ],
  },
  refactor: {
    issue: {
      title: 'Refactor the median to name its middle values',
      body: 'In `src/median.ts` the two values in the middle are read in one long line. Give them names.',
      labels: ['refactor'],
    },
    file: 'src/median.ts',
    test: null,
    steps: [
      {
        edit: 'src/median.ts',
        replace: '  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;\n',
        with: '  const [lower = Number.NaN, upper = Number.NaN] = sorted.slice(middle - 1, middle + 1);\n  return (lower + upper) / 2;\n',
      },
      { run: ['node', '--test'] },
    ],
  },
};

/** The bug fixed with a type that is wrong, which Node takes away before it runs the code. */
export const looseTypes: Job['steps'] = typescript.bug.steps.map((step) =>
  'edit' in step
    ? {
        edit: step.edit,
        replace: 'const sorted = [...values].sort();',
        with: 'const sorted: string[] = [...values].sort((one, other) => one - other);',
      }
    : step,
);

/** The compiler of this checkout, for the project to have among its own files: nothing is fetched. */
function packTypescript(): Uint8Array {
  const into = mkdtempSync(join(tmpdir(), 'gw-typescript-'));
  return readFileSync(
    join(into, packFolder(join(import.meta.dirname, '../../node_modules/typescript'), into)),
  );
}

const pythonSource = (even: string): string => `"""Numbers in the middle."""


def median(values):
    """Return the median of some numbers."""
    ordered = sorted(values)
    middle = len(ordered) // 2
${even}    return ordered[middle]
`;

const evenBranch = `    if len(ordered) % 2 == 0:
        return (ordered[middle - 1] + ordered[middle]) / 2
`;

const pythonBug = (test: string, content: string, command: readonly string[]): Job => ({
  issue: medianBug('numbers_of/median.py', 'median([1, 2, 3, 4])', '2.5', '3'),
  file: 'numbers_of/median.py',
  test: { type: 'regression', file: test },
  steps: [
    { write: 'numbers_of/median.py', content: pythonSource(evenBranch) },
    { write: test, content },
    { run: [...command] },
  ],
});

const pytestOld = `from numbers_of.median import median


def test_odd():
    assert median([3, 1, 2]) == 2
`;

export const pytest: LanguageProject & { readonly bug: Job; readonly feature: Job } = {
  missing: () => lacks('python3', '-m', 'pytest', '--version'),
  runs: 'python3 -m pytest',
  files: {
    'pyproject.toml':
      '[project]\nname = "numbers-of"\nversion = "1.0.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    'numbers_of/__init__.py': '',
    'numbers_of/median.py': pythonSource(''),
    'tests/test_median.py': pytestOld,
  },
  bug: pythonBug(
    'tests/test_median.py',
    `import pytest

${pytestOld}

@pytest.mark.parametrize(("values", "expected"), [([1, 2, 3, 4], 2.5), ([10, 2], 6)])
def test_even(values, expected):
    assert median(values) == expected
`,
    ['python3', '-m', 'pytest'],
  ),
  feature: {
    issue: {
      title: 'Add the mode of some numbers',
      body: 'Add a function `mode` to `numbers_of/median.py`, which returns the value that is there most often. Done when `mode([1, 2, 2])` is 2.',
      labels: ['enhancement'],
    },
    file: 'numbers_of/median.py',
    test: { type: 'happy_path', file: 'tests/test_mode.py' },
    steps: [
      {
        write: 'numbers_of/median.py',
        content: `${pythonSource('')}

def mode(values):
    """Return the value that is there most often."""
    seen = list(values)
    return max(seen, key=seen.count)
`,
      },
      {
        write: 'tests/test_mode.py',
        content:
          'from numbers_of.median import mode\n\n\ndef test_mode():\n    assert mode([1, 2, 2]) == 2\n',
      },
      { run: ['python3', '-m', 'pytest'] },
    ],
  },
};

const unittestCase = (name: string, call: string, expected: string): string => `import unittest

from numbers_of.median import median


class ${name}(unittest.TestCase):
    def test_it(self):
        self.assertEqual(${call}, ${expected})
`;

export const unittest: LanguageProject & { readonly bug: Job } = {
  missing: () => lacks('python3', '-m', 'unittest', '--help'),
  runs: 'python3 -m unittest discover -s tests',
  files: {
    'pyproject.toml': '[project]\nname = "numbers-of"\nversion = "1.0.0"\n',
    'numbers_of/__init__.py': '',
    'numbers_of/median.py': pythonSource(''),
    'tests/test_odd.py': unittestCase('OddTest', 'median([3, 1, 2])', '2'),
  },
  bug: pythonBug('tests/test_even.py', unittestCase('EvenTest', 'median([1, 2, 3, 4])', '2.5'), [
    ...['python3', '-m', 'unittest', 'discover', '-s', 'tests'],
  ]),
};

const goTest = (name: string, body: string): string => `package numbers

import "testing"

func ${name}(t *testing.T) {
${body}}
`;

const goSource = (sorted: string): string => `// Package numbers finds numbers in the middle.
package numbers

import "sort"

// Median returns the median of some numbers.
func Median(values []float64) float64 {
${sorted}	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
`;

export const go: LanguageProject & { readonly bug: Job; readonly feature: Job } = {
  missing: () => lacks('go', 'version'),
  runs: 'go test ./...',
  files: {
    'go.mod': 'module example.invalid/numbers\n\ngo 1.18\n',
    'main.go': `// Command numbers prints the median of one, two and three.
package main

import (
	"fmt"

	"example.invalid/numbers/numbers"
)

func main() {
	fmt.Println(numbers.Median([]float64{1, 2, 3}))
}
`,
    // Sorting in place changes what the caller has.
    'numbers/median.go': goSource('\tsorted := values\n\tsort.Float64s(sorted)\n'),
    'numbers/median_test.go': goTest(
      'TestMedian',
      '\tif got := Median([]float64{3, 1, 2}); got != 2 {\n\t\tt.Errorf("got %v", got)\n\t}\n',
    ),
  },
  bug: {
    issue: {
      title: 'The median sorts the numbers of its caller',
      body: 'Steps: call `Median` of `numbers/median.go` with 3, 1, 2 and look at them. Expected: 3, 1, 2. Actual: 1, 2, 3.',
      labels: ['bug'],
    },
    file: 'numbers/median.go',
    test: { type: 'regression', file: 'numbers/order_test.go' },
    steps: [
      {
        write: 'numbers/median.go',
        content: goSource('\tsorted := append([]float64(nil), values...)\n\tsort.Float64s(sorted)\n'),
      },
      {
        write: 'numbers/order_test.go',
        content: goTest(
          'TestMedianLeavesItsArgument',
          '\tvalues := []float64{3, 1, 2}\n\tMedian(values)\n\tif values[0] != 3 {\n\t\tt.Errorf("got %v", values)\n\t}\n',
        ),
      },
      { run: ['go', 'test', './...'] },
    ],
  },
  feature: {
    issue: {
      title: 'Add the largest of some numbers',
      body: 'Add a function `Largest` to the package of `numbers/median.go`, in `numbers/largest.go`. Done when the largest of 1, 3 and 2 is 3.',
      labels: ['enhancement'],
    },
    file: 'numbers/median.go',
    test: { type: 'happy_path', file: 'numbers/largest_test.go' },
    steps: [
      {
        write: 'numbers/largest.go',
        content: `package numbers

// Largest returns the largest of some numbers, which must not be none.
func Largest(values []float64) float64 {
	largest := values[0]
	for _, value := range values {
		if value > largest {
			largest = value
		}
	}
	return largest
}
`,
      },
      {
        write: 'numbers/largest_test.go',
        content: goTest(
          'TestLargest',
          '\tif got := Largest([]float64{1, 3, 2}); got != 3 {\n\t\tt.Errorf("got %v", got)\n\t}\n',
        ),
      },
      { run: ['go', 'test', './...'] },
    ],
  },
};
