/** How many tests ran, by the report of the runner: recognised positively, and never more because of what tests print. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itLong } from '../../../../../test/support/it-long.ts';
import { startProcessorClock } from '../../../../../test/support/processor-time.ts';
import { isLong } from '../../../../../test/support/property-runs.ts';
import { runnerOutputs } from '../../../../../test/support/runner-outputs.ts';
import { countTests, type TestCounts } from './count-tests.ts';

describe('the report of a runner', () => {
  it.each(runnerOutputs)('is read: $name', ({ output, runner, counts, isMinimum = false }) => {
    const [passed, failed, skipped, errors] = counts;
    const expected = { runner, executed: passed + failed, passed, failed, skipped, errors, isMinimum };
    expect(countTests(output)).toEqual(expected);
    expect(countTests(`> demo@1.0.0 test\n\n${output.replaceAll('\n', '\r\n')}`)).toEqual(expected);
  });

  it.each([
    '',
    'all tests passed',
    'All 12 tests passed!\nOK\n',
    '12 passed',
    'PASS\nok\n',
    '✔ one (1ms)\n✔ two (1ms)\n',
    'Tests: 3 passed, 3 total',
    '3 tests, 3 passed, 0 failed',
    'test result: fine',
    '<testcase name="a"/>',
    'TAP version 13\nok 1 - a\n',
  ])('is not seen in %j', (output) => {
    expect(countTests(output)).toMatchObject({ runner: null });
  });

  it('is that of the runner which the command names', () => {
    const fake = '\n99 passed in 1.00s\n';
    const real = 'Ran 2 tests in 0.001s\n\nOK\n';
    expect(countTests(`${fake}${real}`)).toEqual({ runner: null, why: 'unclear' });
    expect(countTests(`${fake}${real}`, ['python3', '-m', 'unittest'])).toMatchObject({ executed: 2 });
  });

  it('is read once where it is printed in two formats', () => {
    const xml = '<testsuites><testsuite tests="1" failures="0"><testcase name="a"/></testsuite></testsuites>';
    expect(countTests(`${xml}\n== 1 passed in 2.34s ==\n`)).toMatchObject({ executed: 1 });
  });

  it.each([
    [
      'sums that are wrong',
      ' Test Files  1 passed (1)\n      Tests  9 passed (3)\n   Start at  1\n   Duration  1s',
    ],
    ['a form with a line in the middle', '  1 passing (2ms)\nnoise\n  1 failing'],
    ['a result of a test that was never begun', '=== RUN   TestA\n--- PASS: TestB (0.00s)\nok  \td\t0.1s'],
    [
      'parts within parts',
      'running 1 test\nrunning 5 tests\ntest result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
    ],
    ['more cases than the suite says', '<testsuite tests="1"><testcase/><testcase/></testsuite>'],
    ['a package twice', 'ok  \td\t0.1s\nok  \td\t0.2s'],
  ])('is unclear with %s', (_, output) => {
    expect(countTests(output)).toEqual({ runner: null, why: 'unclear' });
  });

  it('is read in linear time', () => {
    const elapsed = startProcessorClock();
    for (const piece of [
      '# tests 1\n',
      '  ─\n\n',
      ' Test Files  ',
      '<testcase ',
      '1 passed, ',
      '{"Action":',
      '= ',
    ])
      countTests(piece.repeat(20_000));
    expect(elapsed()).toBeLessThan(2000);
  });
});

function withoutName(counted: ReturnType<typeof countTests>): Omit<TestCounts, 'runner'> | null {
  if (counted.runner === null) return null;
  const { runner: _, ...counts } = counted;
  return counts;
}

/** What tested code prints: reports of all runners, whole, in part and with other numbers, and other text. */
const real = fc.constantFrom(...runnerOutputs);
const noise = fc.oneof(
  fc.string({ maxLength: 40 }).filter((text) => !text.includes('<')),
  fc.constantFrom('all tests passed', 'OK', 'PASS', '✔ fine (1ms)', '\u001B[2K', 'ok', '# ok', '\r'),
);
const fake = fc
  .tuple(fc.constantFrom(...runnerOutputs), fc.integer({ min: 1, max: 500 }))
  .map(([{ output }, more]) =>
    output.replaceAll(/\b\d{1,2}\b(?![.\w])/gu, (digits) => String(Number(digits) + more)),
  );
const piece = fc.oneof(
  fake,
  fc.constantFrom(...runnerOutputs).map(({ output }) => output),
  fc.tuple(fake, fc.nat(30), fc.nat(30)).map(([text, from, count]) =>
    text
      .split('\n')
      .slice(from, from + count)
      .join('\n'),
  ),
  noise,
);

describe('what tested code prints', () => {
  it('makes no number that the runner did not report, and can at most make the number unknown', () => {
    fc.assert(
      fc.property(real, fc.array(piece, { maxLength: 6 }), fc.nat(100), (one, pieces, place) => {
        const lines = one.output.split('\n');
        const at = Math.floor((place / 100) * lines.length);
        const mixed = [
          ...lines.slice(0, at),
          ...pieces.flatMap((text) => text.split('\n')),
          ...lines.slice(at),
        ];
        const found = withoutName(countTests(mixed.join('\n')));
        if (found === null) return;
        const whole = withoutName(countTests(one.output));
        // A line that looks like a file without tests takes one away.
        if (one.runner === 'node:test') {
          expect(found.passed).toBeLessThanOrEqual(whole?.passed ?? 0);
          expect(found.failed + found.errors).toBe((whole?.failed ?? 0) + (whole?.errors ?? 0));
        }
        // Parts of these are added up, so that a part more is one more; all others have one report.
        else if (!['go', 'cargo', 'junit'].includes(one.runner)) expect(found).toEqual(whole);
      }),
      { numRuns: isLong ? 20_000 : 250 },
    );
  });
});

describe('the runners as they are installed', () => {
  const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
  const cases = (runner: string): string =>
    `import { it } from '${runner}';\nit('one', () => {});\nit('two', () => { throw new Error('no'); });\nit.skip('three', () => {});\n`;
  const run = (argv: readonly string[], files: Readonly<Record<string, string>>): string => {
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-runner-'));
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env;
      const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env });
      return `${stdout}${stderr}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const expected = { executed: 2, passed: 1, failed: 1, skipped: 1, errors: 1 };
  const node = { 'a.test.mjs': cases('node:test'), 'b.test.mjs': "import './none.mjs';\n" };

  itLong.each(['tap', 'spec'])('node:test with the reporter %s', (reporter) => {
    const output = run(['--test', `--test-reporter=${reporter}`], node);
    expect(countTests(output)).toMatchObject({ runner: 'node:test', ...expected });
  });

  itLong('vitest', () => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const files = { 'a.test.ts': cases('vitest'), 'b.test.ts': "import './none.ts';\n" };
    const output = run([vitest, 'run', '--maxWorkers=1'], files);
    expect(countTests(output)).toMatchObject({ runner: 'vitest', ...expected, errors: 0 });
    const broken = run([vitest, 'run', '--maxWorkers=1'], { 'b.test.ts': "import './none.ts';\n" });
    expect(countTests(broken)).toMatchObject({ runner: 'vitest', executed: 0, errors: 1 });
  });
});
