/** Whether a build is a success: the exit codes, what the tests prove, and what the analysis forbids. */
import { lastLines } from '../../../../domain/text/command-output.ts';
import { type Proof, ranNoTest } from '../../../../runs/coding/proof/rules/proof.ts';
import type { StateDocument } from '../document/state-document.ts';

type Check = 'tests' | 'lint' | 'types';

export interface BuildFacts {
  /** Why the change was not built at all. */
  readonly problems: readonly string[];
  /** Null: the project has no such check, or it fails without the change too. */
  readonly passed: Readonly<Record<Check, boolean | null>>;
  readonly outputs: Readonly<Record<Check, string>>;
  /** Null when the project has no tests to run. */
  readonly proof: Proof | null;
  readonly demand: StateDocument['analysis']['test_requirement'];
  /** What the change does although the analysis forbids it. */
  readonly forbidden: readonly string[];
}

const names: Readonly<Record<Check, string>> = {
  tests: 'The tests fail',
  lint: 'The linter finds something that was not there before',
  types: 'The type check finds something that was not there before',
};

const isIdle = ({ proof }: BuildFacts): boolean => proof !== null && ranNoTest(proof);

const mostNamed = 20;

/** Where tests fail without the change too, the writer is told which ones are its own. */
function describeTests(facts: BuildFacts): string {
  // "OK" is the last that many runners print when they found nothing to run.
  if (isIdle(facts)) return 'The command of the tests ran no test';
  const comparison = facts.proof?.comparison;
  if (comparison?.kind !== 'worse') return names.tests;
  const shown = comparison.names.slice(0, mostNamed).map((name) => `\n- ${name}`);
  return `${names.tests}, and not only those that failed before the change. ${comparison.why}${shown.join('')}\nWhat was printed`;
}

function listFailed(facts: BuildFacts): string[] {
  const { passed, outputs } = facts;
  return (['tests', 'lint', 'types'] as const)
    .filter((check) => passed[check] === false)
    .map(
      (check) => `${check === 'tests' ? describeTests(facts) : names[check]}:\n${lastLines(outputs[check])}`,
    );
}

/** A bug fix and a feature need a test that fails without the change; a runner that is not known shows nothing. */
function listUnproven({ proof, demand }: BuildFacts): string[] {
  if (proof === null) return [];
  const { redGreen, reasons, weakened } = proof;
  if (ranNoTest(proof)) return ['The command of the tests ran no test.'];
  const weak = weakened.map(({ path, line, message }) => `${path}:${line}: ${message}`);
  if (demand?.required !== true) return weak;
  if (redGreen === 'shown') return weak;
  const why = redGreen === 'no-tests-changed' ? ['A test is required, and no test was changed.'] : reasons;
  return [...(why.length === 0 ? ['The required test does not fail without the change.'] : why), ...weak];
}

/** Every reason against the build, one each; empty when it is a success. */
export function judgeBuild(facts: BuildFacts): string[] {
  if (facts.problems.length > 0) return [...facts.problems];
  const failed = listFailed(facts);
  // Tests that fail say nothing about what they would prove.
  const unproven = facts.passed.tests === false && failed.length > 0 ? [] : listUnproven(facts);
  return [...new Set([...failed, ...unproven, ...facts.forbidden])].slice(0, 50);
}
