/**
 * Tests that fail with a change, compared with the tests of the commit before it. What failed there too is not the fault of
 * the change; anything that is not known for certain counts against it, or is for a person to decide.
 */
import { countAll } from './count-all.ts';
import { listFailedTests } from './failed-tests.ts';

interface Ran {
  readonly command: readonly string[];
  readonly exitCode: number | null;
  readonly output: string;
}

export type BaseComparison =
  /** Before the change they pass, so that all that fails is its fault. */
  | { readonly kind: 'green' }
  /** Every test that fails failed before, and no fewer pass. */
  | { readonly kind: 'same'; readonly names: readonly string[] }
  /** Something is worse than before, one sentence each. */
  | { readonly kind: 'worse'; readonly names: readonly string[]; readonly why: string }
  /** Before the change they fail too, and whose fault what is cannot be told. */
  | { readonly kind: 'unclear'; readonly why: string };

const hasPassed = (ran: readonly Ran[]): boolean => ran.every(({ exitCode }) => exitCode === 0);

/** Null when they are not all known. */
function namesOf(ran: readonly Ran[], counts: { readonly runner: string; readonly failed: number }) {
  return listFailedTests(ran.map(({ output }) => output).join('\n'), counts);
}

const unclear = (why: string): BaseComparison => ({ kind: 'unclear', why });

export function compareWithBase(before: readonly Ran[], after: readonly Ran[]): BaseComparison {
  if (hasPassed(before)) return { kind: 'green' };
  if (before.some(({ exitCode }) => exitCode === null))
    return unclear('Without the change the tests were stopped before they ended.');
  const old = countAll(before);
  if (old.runner === null)
    return unclear('Without the change no report of a known test runner says which tests fail.');
  if (old.executed === 0 || old.errors > 0)
    return unclear('Without the change some of the tests, or all of them, cannot even be run.');
  const failedBefore = namesOf(before, old);
  if (failedBefore === null)
    return unclear('Without the change tests fail, and the report does not name all of them.');
  const now = countAll(after);
  const worse = (why: string, names: readonly string[] = []): BaseComparison => ({
    kind: 'worse',
    names,
    why,
  });
  if (after.some(({ exitCode }) => exitCode === null))
    return worse('The tests were stopped before they ended.');
  if (now.runner === null) return worse('What the tests print is no report of a test runner any more.');
  if (now.executed === 0 || now.errors > 0)
    return worse('Some of the tests, or all of them, cannot be run any more.');
  const failedNow = namesOf(after, now);
  if (failedNow === null) return worse('Tests fail, and the report does not name all of them.');
  const fresh = [...failedNow].filter((name) => !failedBefore.has(name));
  if (fresh.length > 0) return worse('Tests fail that passed before, or are new.', fresh);
  if (now.passed < old.passed)
    return worse(`Fewer tests pass than before: ${now.passed} instead of ${old.passed}.`);
  return { kind: 'same', names: [...failedNow] };
}

/**
 * Whether the tests of a change fail without it, where others fail anyway: one has to fail that fails neither before the
 * change nor with it. A test file that cannot be run without the change shows the same, if more tests pass with it.
 */
export function showsRed(
  before: readonly Ran[],
  after: readonly Ran[],
  without: readonly Ran[],
): boolean | null {
  const [old, now, then] = [countAll(before), countAll(after), countAll(without)];
  if (old.runner === null || now.runner === null || then.runner === null) return null;
  if (then.errors > 0) return now.passed > old.passed;
  const names = namesOf(without, then);
  const [known, left] = [namesOf(before, old), namesOf(after, now)];
  if (names === null || known === null || left === null) return null;
  return [...names].some((name) => !known.has(name) && !left.has(name));
}
