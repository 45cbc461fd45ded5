/** The build is code and no model: the project's own commands on a clean copy of the commit, and what its tests prove. */
import { sha256 } from '../../../domain/ledger/hash.ts';
import { lastLines } from '../../../domain/text/command-output.ts';
import { GatewrightError } from '../../../errors.ts';
import { findProjectRunners } from '../../../runs/coding/proof/find-project-runners.ts';
import { proveChange } from '../../../runs/coding/proof/prove-change.ts';
import { type Proof, ranNoTest } from '../../../runs/coding/proof/rules/proof.ts';
import { type VerifiedCommit, verifyWithAll } from '../../../runs/coding/verify-commit.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { findTouchedTests } from '../rules/build/find-touched-tests.ts';
import { judgeBuild } from '../rules/build/judge-build.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { judgeMustNotDo } from '../rules/writing/judge-must-not-do.ts';
import type { PipelineState } from '../state.ts';
import { addSensitive, escalate, giveUpAttempts, sendBack } from './escalate.ts';
import { type BuildChecks, findChecks } from './find-checks.ts';
import { followBase } from './follow-base.ts';
import { readChange } from './read-change.ts';
import { baseOf } from './read-document.ts';
import type { StageEnd } from './run-stage.ts';

/** Of tests that failed before; all of them are on the ledger. */
const mostNames = 100;

interface Ran {
  readonly argv: readonly string[];
  readonly result: VerifiedCommit;
}

/** Runs one command on the commit; null when the project has none. */
async function run(
  context: PipelineContext,
  argv: readonly string[] | null,
  commit: string,
  base: string,
): Promise<Ran | null> {
  if (argv === null) return null;
  const [result] = await verifyWithAll(context, [{ argv }], { commit, steeringFrom: base });
  return result === undefined ? null : { argv, result };
}

/** A check that fails on the base too is not the writer's: null says that it shows nothing. */
async function hasPassed(context: PipelineContext, ran: Ran | null, base: string): Promise<boolean | null> {
  if (ran === null) return null;
  if (ran.result.exitCode === 0) return true;
  const quiet = { ...context, progress: () => undefined };
  const before = await run(quiet, ran.argv, base, base);
  return before?.result.exitCode === 0 ? false : null;
}

function findRunners(
  context: PipelineContext,
  base: string,
  changed: readonly string[],
  verify: readonly string[] | null,
) {
  return findProjectRunners({ ...context, settings: { verify } }, base, changed);
}

async function prove(
  context: PipelineContext,
  base: string,
  commit: string,
  tests: readonly string[],
): Promise<Proof> {
  const changed = (await context.workspaces.listChanges(base, commit)).map(({ path }) => path);
  return proveChange(context, {
    ...{ base, commit, steeringFrom: base, since: null, command: tests, isComparedWithBase: true },
    runners: await findRunners(context, base, changed, tests),
    verify: (checked, progress) => verifyWithAll({ ...context, progress }, [{ argv: tests }], checked),
  });
}

/** Null for tests that fail, all of which failed before: they show nothing against the change. */
function haveTestsPassed(tests: Ran | null, proof: Proof | null): boolean | null {
  if (tests === null) return null;
  if (tests.result.exitCode === 0) return proof === null || !ranNoTest(proof);
  return proof?.comparison?.kind === 'same' ? null : false;
}

/** No attempt of the writer would help: the base may have been mended meanwhile, else a person is asked to. */
async function stopAtRedBase(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  { commit, why }: { readonly commit: string; readonly why: string },
): Promise<StageEnd> {
  const base = baseOf(state);
  const tip = await context.transport.fetchBranch(context.repository, base.branch);
  if (tip !== base.commit) return followBase(context, state, document, { commit, tip, next: 'build' });
  const end = await giveUpAttempts(context, state, document, {
    why: `The tests of ${base.branch} fail without the change as well, and it cannot be told which failures are its own. ${why}`,
    proposal: `Have the tests of ${base.branch} mended, then have it tried again: it is built on what is there then.`,
  });
  return { ...end, next: 'build' };
}

/** What the pull request says about the tests; kept by the commit that it is about. */
export async function readProof(
  context: PipelineContext,
  base: string,
  commit: string,
  { tests }: BuildChecks,
): Promise<Proof | null> {
  return tests === null ? null : prove(context, base, commit, tests);
}

export async function build(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
): Promise<StageEnd> {
  const { commit: base } = baseOf(state);
  const { commit } = state;
  if (commit === null) throw new GatewrightError('internal', 'The writer left no commit.');
  const checks = await findChecks(context, base);
  const isRun = state.problems.length === 0;
  const proof = isRun ? await readProof(context, base, commit, checks) : null;
  const tests = isRun ? await run(context, checks.tests, commit, base) : null;
  const lint = isRun ? await run(context, checks.lint, commit, base) : null;
  const types = isRun ? await run(context, checks.types, commit, base) : null;
  const passed = {
    tests: haveTestsPassed(tests, proof),
    lint: await hasPassed(context, lint, base),
    types: await hasPassed(context, types, base),
  };
  const { diff, paths, unseen } = await readChange(context, base, commit);
  const files = await context.workspaces.listChanges(base, commit);
  const forbidden = judgeMustNotDo({
    mustNotDo: document.analysis.must_not_do,
    files,
    diff,
    weakened: proof?.weakened ?? [],
  });
  const errors = judgeBuild({
    problems: isRun ? unseen : state.problems,
    passed,
    outputs: {
      tests: tests?.result.output ?? '',
      lint: lint?.result.output ?? '',
      types: types?.result.output ?? '',
    },
    proof,
    demand: document.analysis.test_requirement,
    forbidden: forbidden.violations.map(({ message }) => message),
  });
  const ran = [tests, lint, types].filter((one) => one !== null);
  const after = applySection('build', document, {
    build: {
      ...{ completed: true, tests_passed: isRun ? passed.tests : false, lint_passed: passed.lint },
      type_check_passed: passed.types,
      failing_before: proof?.comparison?.kind === 'same' ? proof.comparison.names.slice(0, mostNames) : [],
      errors,
      commands_run: ran.map(({ argv, result: { exitCode, output, milliseconds } }) => ({
        ...{ command: argv.join(' '), exit_code: exitCode, output: lastLines(output) },
        duration_ms: milliseconds,
      })),
    },
    ...(errors.length === 0
      ? {}
      : {
          review: {
            feedback_for_writer: `The build fails:\n\n${errors.map((one) => `- ${one}`).join('\n')}`,
          },
        }),
  });
  if (proof?.comparison?.kind === 'unclear')
    return stopAtRedBase(context, state, after, { commit, why: proof.comparison.why });
  if (errors.length > 0) return sendBack(context, state, after, `the build fails: ${errors[0] ?? ''}`);
  const runners = await findRunners(context, base, paths, checks.tests);
  const touched = findTouchedTests(files, document.analysis, runners);
  const sensitive = addSensitive('build', after, paths, touched === null ? [] : [touched]);
  if (sensitive !== null) return escalate(context, state, sensitive, 'build', 'reviewer');
  const isStillApproved =
    state.approved !== null && state.approved.diff === sha256(diff) && after.review.verdict === 'APPROVED';
  // The base moved and the change is the same: what the reviewer said of it holds.
  return isStillApproved
    ? { state: after, route: 'committer', outcome: 'passed again', approved: { commit, diff: sha256(diff) } }
    : { state: after, route: 'reviewer', outcome: 'passed' };
}
