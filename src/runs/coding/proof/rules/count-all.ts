/** The tests that several commands ran together. A command without tests, such as a type check, adds none. */
import { countTests, type NoCounts, type TestCounts } from './count-tests.ts';

interface Printed {
  readonly command: readonly string[];
  readonly output: string;
}

export function countAll(printed: readonly Printed[]): TestCounts | NoCounts {
  const all = printed.map(({ command, output }) => countTests(output, command));
  const known = all.filter((one) => one.runner !== null);
  const unclear = all.find((one) => one.runner === null && one.why === 'unclear');
  const [first, ...others] = known;
  if (first === undefined || unclear !== undefined)
    return { runner: null, why: unclear === undefined ? 'unknown' : 'unclear' };
  // Where one of them ran no test although a runner was at work, all together show nothing.
  const none = known.find(({ executed, errors }) => executed + errors === 0);
  if (none !== undefined) return none;
  return others.reduce(
    (sum, one) => ({
      runner: sum.runner.split(', ').includes(one.runner) ? sum.runner : `${sum.runner}, ${one.runner}`,
      executed: sum.executed + one.executed,
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      errors: sum.errors + one.errors,
      isMinimum: sum.isMinimum || one.isMinimum,
    }),
    first,
  );
}
