/** The pipeline on real code with real toolchains, in TypeScript, Python and Go: no check is set, all are found out. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Proof } from '../../src/runs/coding/proof/rules/proof.ts';
import {
  go,
  type Job,
  type LanguageProject,
  looseTypes,
  pytest,
  toolVariables,
  typescript,
  unittest,
  workOn,
} from '../support/language-projects.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { PipelineWorld, type Script } from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world?.remove());

async function solve(
  { files, runs, setup, packages }: LanguageProject,
  job: Job,
  script: Script = workOn(job),
) {
  world = await PipelineWorld.open(script, files, job.issue, {
    ...{ ...toolVariables, GATEWRIGHT_AGENT_COMMANDS: runs },
    ...(setup === undefined ? {} : { GATEWRIGHT_SETUP: setup }),
  });
  const { playground } = world.fleet;
  for (const [path, pack] of Object.entries(packages ?? {})) {
    playground.write(path, pack());
    playground.git('add', path);
    playground.git('commit', '--quiet', '--message', path);
  }
  const outcome = await world.go();
  expect(outcome.status, [outcome.reason.message, ...(await world.stages())].join('\n')).toBe('done');
  const pull = await (await world.fleet.as('alice')).getPullRequest(
    world.fleet.repository,
    outcome.result?.number ?? 0,
  );
  return { pull, proof: await readProof(), checks: await readChecks() };
}

async function readProof(): Promise<Proof | null> {
  const last = (await world.entriesOf('change-proven')).at(-1);
  return last === undefined ? null : JSON.parse(await world.house.ledger.getText(last.data.proof));
}

/** What was run, on which sandbox, and how it ended. */
async function readChecks(): Promise<string[]> {
  const all = await world.entriesOf('command-verified');
  const kinds = new Set(all.map(({ data }) => data.sandbox));
  if (!isWithoutSandbox) expect([...kinds]).not.toContain('none');
  return all.map(({ data: { command, exitCode } }) => `${command.join(' ')}: ${exitCode}`);
}

/** The words of a commit and of its pull request, and all that it changes. */
function readCommit(sha: string): { readonly subject: string; readonly paths: string[] } {
  const { fleet } = world;
  return {
    subject: fleet.git('log', '-1', '--format=%s', sha),
    paths: fleet.git('diff', '--name-only', 'main', sha).split('\n'),
  };
}

interface Row {
  readonly name: string;
  readonly project: LanguageProject;
  readonly job: Job;
  readonly checks: readonly string[];
  readonly paths: readonly string[];
  readonly counts: object;
  readonly without: object;
  /** What the pull request says about its tests. */
  readonly said: string;
  readonly commit: string;
  readonly closes: 'Fixes' | 'Closes';
}

const python = 'env PYTHONPATH=.venv/packages python3 -m';

const rows: Readonly<Record<string, readonly Row[]>> = {
  TypeScript: [
    {
      ...{ name: 'a bug', project: typescript, job: typescript.bug, closes: 'Fixes' },
      commit: 'fix: The median is wrong',
      checks: ['npm test: 0', 'npm test: 1', 'npm exec --no -- tsc --noEmit: 0'],
      paths: ['src/median.ts', 'test/median-of-large.test.ts'],
      counts: { runner: 'node:test', executed: 2, failed: 0 },
      without: { runner: 'node:test', executed: 2, failed: 1 },
      said: '2 tests ran, 1 new (by the report of node:test). Without the change, its tests fail: 1 of 2 tests fails.',
    },
  ],
  Python: [
    {
      ...{ name: 'a bug, with pytest', project: pytest, job: pytest.bug, closes: 'Fixes' },
      commit: 'fix: The median is wrong',
      checks: [`${python} pytest: 0`, `${python} pytest: 1`],
      paths: ['numbers_of/median.py', 'tests/test_median.py'],
      counts: { runner: 'pytest', executed: 3, failed: 0 },
      without: { runner: 'pytest', executed: 3, failed: 2 },
      said: '3 tests ran, 1 new (by the report of pytest). Without the change, its tests fail: 2 of 3 tests fail.',
    },
    {
      ...{ name: 'a feature, with pytest', project: pytest, job: pytest.feature, closes: 'Closes' },
      commit: 'feat: Add the mode of some numbers',
      checks: [`${python} pytest: 0`, `${python} pytest: 2`],
      paths: ['numbers_of/median.py', 'tests/test_mode.py'],
      counts: { runner: 'pytest', executed: 2, failed: 0 },
      without: { runner: 'pytest', executed: 0, errors: 1 },
      said: '2 tests ran, 1 new (by the report of pytest). Without the change, its tests fail: 1 test file cannot be run.',
    },
    {
      ...{ name: 'a bug, with unittest', project: unittest, job: unittest.bug, closes: 'Fixes' },
      commit: 'fix: The median is wrong',
      checks: [0, 1].map((code) => `${python} unittest discover -s tests: ${code}`),
      paths: ['numbers_of/median.py', 'tests/test_even.py'],
      counts: { runner: 'unittest', executed: 2, failed: 0 },
      without: { runner: 'unittest', executed: 2, failed: 1 },
      said: '2 tests ran, 1 new (by the report of unittest). Without the change, its tests fail: 1 of 2 tests fails.',
    },
  ],
  Go: [
    {
      ...{ name: 'a bug', project: go, job: go.bug, closes: 'Fixes' },
      commit: 'fix: The median sorts the numbers of its caller',
      checks: [
        ...['go test ./...: 0', 'go test ./...: 1', 'go vet ./...: 0'],
        'go build -o /dev/null ./...: 0',
      ],
      paths: ['numbers/median.go', 'numbers/order_test.go'],
      counts: { runner: 'go', failed: 0, isMinimum: true },
      without: { runner: 'go', failed: 1 },
      said: 'At least 1 test ran, 1 new (by the report of go). Without the change, its tests fail: 1 test fails.',
    },
    {
      ...{ name: 'a feature', project: go, job: go.feature, closes: 'Closes' },
      commit: 'feat: Add the largest of some numbers',
      checks: [
        ...['go test ./...: 0', 'go test ./...: 2', 'go vet ./...: 0'],
        'go build -o /dev/null ./...: 0',
      ],
      paths: ['numbers/largest.go', 'numbers/largest_test.go'],
      counts: { runner: 'go', failed: 0, isMinimum: true },
      without: { runner: 'go', failed: 0, errors: 1 },
      said: 'At least 1 test ran, 1 new (by the report of go). Without the change, its tests fail: 1 test file cannot be run.',
    },
  ],
};

for (const [language, jobs] of Object.entries(rows)) {
  describe(`a pipeline in ${language}`, () => {
    for (const { name, project, job, checks, paths, counts, without, said, commit, closes } of jobs) {
      const missing = project.missing();
      if (missing !== null) process.stderr.write(`${language}, ${name}: left out, because ${missing}.\n`);
      it.skipIf(missing !== null)(`shows ${name} by a test that fails without the change`, async () => {
        const solved = await solve(project, job);
        expect(await world.stages()).toContain('build: passed');
        expect(solved.checks).toEqual(checks);
        expect(solved.proof).toMatchObject({
          isProven: true,
          redGreen: 'shown',
          counts,
          without,
          newCases: 1,
        });
        const { head, body } = solved.pull;
        expect(head.branch).toBe(`agent/issue-${world.number}`);
        expect(readCommit(head.sha)).toEqual({ subject: commit, paths });
        expect(body).toContain(`${closes} #${world.number}`);
        expect(body).toContain(said);
        expect((await world.house.ledger.verify()).problems).toEqual([]);
      });
    }
  });
}

interface RedRow {
  readonly name: string;
  readonly project: LanguageProject & { readonly bug: Job };
  /** A test that fails before anyone begins. */
  readonly red: Readonly<Record<string, string>>;
  /** What the first attempt breaks in the code beside its fix. */
  readonly breaks: { readonly replace: string; readonly with: string };
  readonly broken: string;
  readonly known: string;
}

const wrongMedian = { replace: '    return ordered[middle]\n', with: '    return ordered[middle] + 1\n' };

const redRows: readonly RedRow[] = [
  {
    ...{ name: 'pytest', project: pytest, breaks: wrongMedian, broken: 'test_odd' },
    red: { 'tests/test_red.py': 'def test_red():\n    assert 1 == 2\n' },
    known: 'tests/test_red.py::test_red',
  },
  {
    ...{ name: 'unittest', project: unittest, breaks: wrongMedian, broken: 'OddTest' },
    red: {
      'tests/test_red.py':
        'import unittest\n\n\nclass RedTest(unittest.TestCase):\n    def test_red(self):\n        self.assertEqual(1, 2)\n',
    },
    known: 'test_red.RedTest.test_red',
  },
  {
    ...{ name: 'go test', project: go, broken: 'TestMedian' },
    breaks: { replace: '\t\treturn sorted[middle]\n', with: '\t\treturn sorted[middle] + 1\n' },
    red: {
      'numbers/red_test.go':
        'package numbers\n\nimport "testing"\n\nfunc TestRed(t *testing.T) {\n\tt.Error("red")\n}\n',
    },
    known: 'TestRed',
  },
];

describe('a pipeline on a base whose tests are red', () => {
  for (const { name, project, red, breaks, broken, known } of redRows) {
    const missing = project.missing();
    if (missing !== null) process.stderr.write(`Red base, ${name}: left out, because ${missing}.\n`);
    it.skipIf(missing !== null)(`tells apart what the change breaks, with ${name}`, async () => {
      const { bug } = project;
      const [triage, analysis, right, review] = workOn(bug);
      const edit = (from: string, to: string) => ({ edit: bug.file, replace: from, with: to });
      const wrong = { ...right, steps: [...right.steps, edit(breaks.replace, breaks.with)] };
      const mended = { ...right, call: 2, steps: [edit(breaks.with, breaks.replace)] };
      const { pull, proof } = await solve({ ...project, files: { ...project.files, ...red } }, bug, [
        triage,
        analysis,
        wrong,
        mended,
        review,
      ]);
      const builds = (await world.stages()).filter((one) => one.startsWith('build'));
      expect(builds).toEqual([expect.stringContaining(broken), 'build: passed']);
      expect(builds[0]?.split('What was printed')[0]).not.toMatch(/test_red|TestRed/u);
      expect((await world.state()).build).toMatchObject({
        tests_passed: null,
        failing_before: [expect.stringContaining(known)],
      });
      expect(proof).toMatchObject({ isProven: false, redGreen: 'shown' });
      expect((await world.promptsOf('reviewer'))[0]).toContain('Tests that fail without the change too');
      expect(pull.body).toContain('1 test fails without the change as well');
    });
  }
});

describe('a pipeline in TypeScript', () => {
  it('refactors with the tests that are there, and closes nothing', async () => {
    const { pull, proof, checks } = await solve(typescript, typescript.refactor);
    expect(checks).toEqual(['npm test: 0', 'npm exec --no -- tsc --noEmit: 0']);
    expect(proof).toMatchObject({ redGreen: 'no-tests-changed', counts: { executed: 1 } });
    expect(readCommit(pull.head.sha)).toEqual({
      subject: 'refactor: Refactor the median to name its middle values',
      paths: ['src/median.ts'],
    });
    expect(pull.body).toContain(`Related to #${world.number}`);
    expect(pull.body).not.toMatch(/(?:Fixes|Closes) #/u);
    expect((await world.state()).build).toMatchObject({ tests_passed: true, type_check_passed: true });
  });

  it('sends back what the compiler alone finds: the tests run without it', async () => {
    const { bug } = typescript;
    const [triage, analysis, right, review] = workOn(bug);
    const wrong = { ...right, steps: looseTypes };
    const steps = [{ edit: 'src/median.ts', replace: 'sorted: string[] =', with: 'sorted =' }];
    const mended = { ...right, call: 2, steps };
    const { checks } = await solve(typescript, bug, [triage, analysis, wrong, mended, review]);
    expect(checks.slice(0, 4)).toEqual([
      ...['npm test: 0', 'npm test: 1'],
      // With the change, and without it: only what the change brought is held against it.
      ...['npm exec --no -- tsc --noEmit: 2', 'npm exec --no -- tsc --noEmit: 0'],
    ]);
    const builds = (await world.stages()).filter((one) => one.startsWith('build'));
    expect(builds).toEqual([
      expect.stringMatching(/type check finds something that was not there before.*TS2322/su),
      'build: passed',
    ]);
    expect((await world.state()).pipeline.attempt).toBe(2);
  });
});
