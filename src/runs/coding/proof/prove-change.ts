/**
 * Whether a change is proven: the checks pass on it and ran tests, its own tests fail without it, and no test became
 * weaker. Everything is run and read here; what the author of the change says about tests counts for nothing.
 */
import type { ChangedPath } from '../../../domain/changes/change-risk.ts';
import { judgePath } from '../../../domain/changes/path-class.ts';
import type { TestRunner } from '../../../domain/changes/test-runners.ts';
import { isGatewrightError } from '../../../errors.ts';
import type { Progress } from '../../../ports/progress.ts';
import type { Trees } from '../../../ports/trees.ts';
import type { Workspaces } from '../../../ports/workspace.ts';
import type { CodingContext } from '../coding-context.ts';
import { commitTree } from '../push-work.ts';
import type { CheckedCommit, VerifiedCommit } from '../verify-commit.ts';
import { type BaseComparison, compareWithBase, showsRed } from './rules/compare-with-base.ts';
import { countAll } from './rules/count-all.ts';
import type { NoCounts, TestCounts } from './rules/count-tests.ts';
import { countNewCases, findWeakened } from './rules/find-weakened.ts';
import type { Proof } from './rules/proof.ts';
import { listFilesAsTests } from './rules/summary-reports.ts';

export interface ProvedChange {
  /** The commit that the change is compared with; the newest that both have in common counts. */
  readonly base: string;
  readonly commit: string;
  readonly steeringFrom: string;
  /**
   * An earlier commit of the same change that was judged before: where no test changed since, the tests are not run
   * without the change again. Null for a new change.
   */
  readonly since: string | null;
  /** Those that the project has at the base. */
  readonly runners: readonly TestRunner[];
  /** The words of all checks. */
  readonly command: readonly string[];
  /**
   * Whether tests that fail without the change too are told apart from its own. Elsewhere a check that fails is one that
   * fails.
   */
  readonly isComparedWithBase?: boolean;
  /** Runs the checks on a commit, each once. What it does is shown to the person by `progress`. */
  readonly verify: (checked: CheckedCommit, progress: Progress) => Promise<readonly VerifiedCommit[]>;
}

type ProveContext = Pick<CodingContext, 'runId' | 'own' | 'startedAt' | 'ledger' | 'progress' | 'record'> & {
  readonly workspaces: Pick<Workspaces, 'commit' | 'diff' | 'listChanges'>;
  readonly trees: Pick<Trees, 'takePaths' | 'findMergeBase'>;
};

/** In characters. A change that is longer is not searched to its end, and that is said. */
const longestDiff = 4_000_000;
const cutMark = /\n… and \d+ characters more\n$/u;

const pathsOf = ({ path, previousPath }: ChangedPath): string[] =>
  previousPath === null ? [path] : [path, previousPath];

/** Tests, and what stands beside them: without its fixtures a test would fail for another reason. */
function isTestFile(file: ChangedPath, runners: readonly TestRunner[]): boolean {
  return pathsOf(file).every((path) => ['test', 'test-support'].includes(judgePath(path, runners).class));
}

function holdsTest(file: ChangedPath, runners: readonly TestRunner[]): boolean {
  return file.change !== 'removed' && judgePath(file.path, runners).class === 'test';
}

/** What needs no test: text for people. */
function isProse(file: ChangedPath): boolean {
  return pathsOf(file).every((path) => judgePath(path).class === 'prose');
}

/** A failed check is good news here, so the person is told what it means, and not what it printed. */
function tellWithout(progress: Progress): Progress {
  return (event) => {
    if (event.kind !== 'checked') return progress(event);
    const name = `${event.name} (its tests without the change, which should fail)`;
    return progress({ ...event, name, ok: !event.ok, detail: event.detail.split('. ')[0] ?? '' });
  };
}

/** Where a failure is no news. */
function tellBefore(progress: Progress): Progress {
  return (event) => {
    if (event.kind !== 'checked' && event.kind !== 'checking') return progress(event);
    return progress({ ...event, name: `${event.name} (before the change)` });
  };
}

interface Shown {
  readonly redGreen: Proof['redGreen'];
  readonly without: TestCounts | NoCounts | null;
  readonly reason: string | null;
}

/**
 * The same test files hold the same tests. A different number shows that one of the reports is not that of the runner,
 * unless the runner did not get to all of them.
 */
function differs(one: TestCounts, other: TestCounts): boolean {
  const isWhole = [one, other].every(
    ({ errors, isMinimum, runner }) => errors === 0 && !isMinimum && !runner.includes('mocha'),
  );
  return isWhole && one.executed + one.skipped !== other.executed + other.skipped;
}

/** The tests of the change, and what came of them on the change itself. */
interface WithChange {
  /** The commit before the change, with the tests of the change. */
  readonly tests: string;
  readonly counts: TestCounts;
  readonly withChange: readonly VerifiedCommit[];
  readonly red: RedBase | null;
}

const outputOf = (verified: readonly VerifiedCommit[]): string =>
  verified.map(({ output }) => output).join('\n');

/**
 * Test files that cannot be run without the change, and of which no test is reported with it: what they load ends the
 * runner, or empties them before they are run. The runner takes such a file for one that passed.
 */
function findUnrun(
  without: readonly VerifiedCommit[],
  verified: readonly VerifiedCommit[],
  runners: readonly TestRunner[],
): string[] {
  const { empty } = listFilesAsTests(outputOf(verified));
  // By the end of the path: a runner may print where its copy is.
  const isTest = (name: string): boolean =>
    judgePath(name.split('/').slice(-2).join('/'), runners).class === 'test';
  return listFilesAsTests(outputOf(without)).broken.filter((name) => empty.includes(name) && isTest(name));
}

/** Runs the tests of the change on the commit before it. */
async function runWithout(
  context: ProveContext,
  { steeringFrom, verify, runners }: ProvedChange,
  { tests, counts, withChange, red }: WithChange,
): Promise<Shown> {
  let verified: readonly VerifiedCommit[];
  try {
    verified = await verify({ commit: tests, steeringFrom }, tellWithout(context.progress));
  } catch (error) {
    if (!isGatewrightError(error, 'setup-failed')) throw error;
    return {
      redGreen: 'not-red',
      without: null,
      reason: 'Without the change its copy cannot be made ready, so its tests were not run there.',
    };
  }
  const failed = verified.filter(({ exitCode }) => exitCode !== 0 && exitCode !== null);
  const without = countAll(failed.length > 0 ? failed : verified);
  if (failed.length === 0 && verified.some(({ exitCode }) => exitCode === null))
    return {
      redGreen: 'not-red',
      without,
      reason:
        'Without the change the check was stopped before it ended, so it is not known whether its tests fail there.',
    };
  if (failed.length === 0)
    return {
      redGreen: 'not-red',
      without,
      reason: 'Its tests pass without the change too, so they do not show it.',
    };
  if (without.runner === null)
    return {
      redGreen: 'unknown-runner',
      without,
      reason: 'Without the change the check fails, but no report of a test runner says that a test did.',
    };
  if (without.failed + without.errors === 0)
    return { redGreen: 'not-red', without, reason: 'Without the change the check fails, but no test does.' };
  if (differs(counts, without))
    return {
      redGreen: 'not-red',
      without,
      reason: `With the change ${counts.executed + counts.skipped} tests are reported and without it ${without.executed + without.skipped}, although the test files are the same.`,
    };
  const [unrun] = findUnrun(failed, withChange, runners);
  if (unrun !== undefined)
    return {
      redGreen: 'not-red',
      without,
      reason: `With the change no test of ${unrun.split('/').slice(-2).join('/')} is reported: it ended before its tests, or was emptied.`,
    };
  const isRed = red === null ? true : showsRed(red.before, red.after, verified);
  if (isRed === true) return { redGreen: 'shown', without, reason: null };
  return {
    ...(isRed === null ? { redGreen: 'unknown-runner' } : { redGreen: 'not-red' }),
    without,
    reason: 'Without the change no other tests fail than before it, so its tests do not show it.',
  };
}

/** The tests fail before the change as well. */
interface RedBase {
  readonly before: readonly VerifiedCommit[];
  readonly after: readonly VerifiedCommit[];
}

/** How what fails with the change compares with what failed before; null when nothing fails, or it is not asked. */
async function compare(
  { progress }: ProveContext,
  { base, steeringFrom, verify, isComparedWithBase }: ProvedChange,
  after: readonly VerifiedCommit[],
): Promise<(RedBase & { readonly comparison: BaseComparison }) | null> {
  if (isComparedWithBase !== true || after.every(({ exitCode }) => exitCode === 0)) return null;
  const before = await verify({ commit: base, steeringFrom }, tellBefore(progress));
  return { before, after, comparison: compareWithBase(before, after) };
}

/** Tests that failed before are told of, and are no reason against the change. */
function reasonOfBase(comparison: BaseComparison): string | null {
  if (comparison.kind === 'green' || comparison.kind === 'same') return null;
  return comparison.kind === 'worse'
    ? `The tests fail before the change as well, and it makes them worse. ${comparison.why}`
    : `The tests fail before the change as well. ${comparison.why}`;
}

function reasonOfCounts(verified: readonly VerifiedCommit[], counts: TestCounts | NoCounts): string | null {
  const bad = verified.find(({ exitCode }) => exitCode !== 0);
  if (bad !== undefined) return `The check fails: ${bad.command.join(' ')}.`;
  if (counts.runner === null)
    return counts.why === 'unclear'
      ? 'The check prints reports of tests that contradict each other, so how many tests ran is not known.'
      : 'No report of a known test runner is in what the check printed, so how many tests ran is not known.';
  return counts.executed === 0 ? 'The check ran no test.' : null;
}

interface ReadChange {
  readonly diff: string;
  readonly hasCode: boolean;
  readonly hasTests: boolean;
  /** The commit before it with its tests; null where they need not be run there. */
  readonly withoutIt: string | null;
}

/** All that git knows of the change, and the commit that its tests are run on without it. */
async function readChange(
  context: ProveContext,
  { base, commit, since, runners }: ProvedChange,
): Promise<ReadChange> {
  const { trees, workspaces } = context;
  const parent = (await trees.findMergeBase(base, commit)) ?? base;
  const diff = await workspaces.diff(parent, commit, longestDiff);
  const files = await workspaces.listChanges(base, commit);
  const hasCode = files.some((file) => !isTestFile(file, runners) && !isProse(file));
  const hasTests = files.some((file) => holdsTest(file, runners));
  const fresh = since === null ? files : await workspaces.listChanges(since, commit);
  if (!hasCode || !hasTests || !fresh.some((file) => isTestFile(file, runners)))
    return { diff, hasCode, hasTests, withoutIt: null };
  const tests = files.filter((file) => isTestFile(file, runners));
  const tree = await trees.takePaths(parent, commit, tests.flatMap(pathsOf));
  const made = { tree, parent, message: 'Its tests without the change\n' };
  return { diff, hasCode, hasTests, withoutIt: await commitTree(context, made) };
}

/** Git is asked while the checks run: nothing that it knows of a commit depends on them. */
async function verifyAndRead(
  context: ProveContext,
  change: ProvedChange,
): Promise<readonly [readonly VerifiedCommit[], ReadChange]> {
  const { commit, steeringFrom, verify } = change;
  const reading = readChange(context, change);
  // It may fail before the checks have ended, and is heard after them.
  reading.catch(() => undefined);
  try {
    return [await verify({ commit, steeringFrom }, context.progress), await reading];
  } finally {
    // Nothing of it may go on when the checks were stopped.
    await reading.catch(() => undefined);
  }
}

async function prove(context: ProveContext, change: ProvedChange): Promise<Proof> {
  const { runners, command } = change;
  const [verified, { diff, hasCode, hasTests, withoutIt }] = await verifyAndRead(context, change);
  const counts = countAll(verified);
  const compared = await compare(context, change, verified);
  const comparison = compared?.comparison ?? null;
  const isSame = comparison?.kind === 'same';
  const failing = comparison === null ? null : reasonOfBase(comparison);
  const unsure = isSame ? null : (failing ?? reasonOfCounts(verified, counts));
  const weakened = findWeakened(diff, { runners, verify: command });
  const show = async (): Promise<Shown> => {
    const idle = { without: null, reason: null };
    if (!hasCode) return { ...idle, redGreen: 'not-run' };
    if (!hasTests)
      return {
        ...idle,
        redGreen: 'no-tests-changed',
        reason: 'It changes no test, so no test shows what it does.',
      };
    if (counts.runner === null) return { ...idle, redGreen: 'unknown-runner' };
    if (unsure !== null || withoutIt === null) return { ...idle, redGreen: 'not-run' };
    const red = isSame ? compared : null;
    return runWithout(context, change, { tests: withoutIt, counts, withChange: verified, red });
  };
  const { redGreen, without, reason } = await show();
  const reasons = [
    ...(unsure === null ? [] : [unsure]),
    ...(reason === null ? [] : [reason]),
    ...(weakened.length === 0
      ? []
      : [
          `It makes tests or checks weaker in ${weakened.length} ${weakened.length === 1 ? 'place' : 'places'}.`,
        ]),
    ...(cutMark.test(diff) ? ['It is too large to be searched for tests that became weaker.'] : []),
  ];
  const newCases = countNewCases(diff, runners);
  return {
    // What fails before and after is not shown to be right.
    ...{ isProven: reasons.length === 0 && !isSame, reasons, counts, newCases, redGreen, without, weakened },
    ...(comparison === null || comparison.kind === 'green' ? {} : { comparison }),
  };
}

/** Done once for a commit in a run. */
export async function proveChange(context: ProveContext, change: ProvedChange): Promise<Proof> {
  const { ledger, runId } = context;
  const key = `${runId}/proof/${change.commit}`;
  const known = await ledger.find('change-proven', key);
  if (known !== null) return JSON.parse(await ledger.getText(known.data.proof)) as Proof;
  const proof = await prove(context, change);
  const { isProven, redGreen, counts, weakened } = proof;
  await context.record({
    kind: 'change-proven',
    key,
    data: {
      ...{ commit: change.commit, base: change.base, isProven, redGreen },
      executed: counts.runner === null ? null : counts.executed,
      weakened: weakened.length,
      proof: await ledger.putText(JSON.stringify(proof)),
    },
  });
  return proof;
}
