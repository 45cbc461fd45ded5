import { describe, expect, it } from 'vitest';
import type { Proof } from '../../../../runs/coding/proof/rules/proof.ts';
import { type BuildFacts, judgeBuild } from './judge-build.ts';

const counts = {
  ...{ runner: 'node:test', executed: 2, passed: 2, failed: 0, skipped: 0, errors: 0, isMinimum: false },
} as Proof['counts'];
const proof: Proof = {
  ...{ isProven: true, reasons: [], counts, newCases: 1, redGreen: 'shown', without: null, weakened: [] },
};
const demand = { required: true, type: 'regression', location: 'a.test.js', description: '' } as const;
const facts: BuildFacts = {
  problems: [],
  passed: { tests: true, lint: null, types: true },
  outputs: { tests: '', lint: '', types: '' },
  proof,
  demand,
  forbidden: [],
};

describe('a build', () => {
  it('is a success when everything passes and the test is shown to fail without the change', () => {
    expect(judgeBuild(facts)).toEqual([]);
  });

  it.each<[string, Partial<BuildFacts>, string]>([
    ['was not begun', { problems: ['The writer changed nothing.'] }, 'changed nothing'],
    [
      'has failing tests',
      { passed: { ...facts.passed, tests: false }, outputs: { ...facts.outputs, tests: 'boom' } },
      'boom',
    ],
    [
      'breaks tests beside those that failed before',
      {
        passed: { ...facts.passed, tests: false },
        proof: { ...proof, comparison: { kind: 'worse', names: ['a.test.js > b'], why: 'One is new.' } },
      },
      'not only those that failed before the change. One is new.\n- a.test.js > b',
    ],
    ['breaks the linter', { passed: { ...facts.passed, lint: false } }, 'linter'],
    ['breaks the types', { passed: { ...facts.passed, types: false } }, 'type check'],
    [
      'ran no test although the command succeeds',
      { proof: { ...proof, counts: { ...counts, executed: 0, passed: 0 } as Proof['counts'] } },
      'ran no test',
    ],
    [
      'has no test',
      { proof: { ...proof, redGreen: 'no-tests-changed', reasons: ['x'] } },
      'no test was changed',
    ],
    [
      'has a test that passes on the old code',
      { proof: { ...proof, redGreen: 'not-red', reasons: ['Its tests pass without the change too.'] } },
      'without the change too',
    ],
    [
      'has a runner that is not known',
      { proof: { ...proof, redGreen: 'unknown-runner', reasons: [] } },
      'does not fail without the change',
    ],
    [
      'makes a test weaker',
      {
        proof: {
          ...proof,
          weakened: [
            { path: 'a.test.js', line: 3, message: 'a test was removed', kind: 'removed' },
          ] as unknown as Proof['weakened'],
        },
      },
      'a.test.js:3: a test was removed',
    ],
    ['does what is forbidden', { forbidden: ['It changes src/api.ts.'] }, 'src/api.ts'],
  ])('fails when it %s', (_, change, reason) => {
    expect(judgeBuild({ ...facts, ...change }).join('\n')).toContain(reason);
  });

  it('says that no test was run, and not that tests fail, where the runner found none', () => {
    const idle = { ...proof, counts: { ...counts, executed: 0, passed: 0 } as Proof['counts'] };
    const passed = { ...facts.passed, tests: false };
    const outputs = { ...facts.outputs, tests: 'Ran 0 tests in 0.000s\n\nOK\n' };
    const [reason, ...more] = judgeBuild({ ...facts, proof: idle, passed, outputs });
    expect(reason).toBe('The command of the tests ran no test:\nRan 0 tests in 0.000s / OK');
    expect(more).toEqual([]);
  });

  it('needs no test where none is required', () => {
    const open = { ...proof, redGreen: 'no-tests-changed', reasons: ['no test'] } as const;
    expect(judgeBuild({ ...facts, proof: open, demand: { ...demand, required: false } })).toEqual([]);
  });
});
