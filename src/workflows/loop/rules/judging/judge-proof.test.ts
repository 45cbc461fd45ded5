/** Which findings about the tests of an attempt fail it, in both gate modes. */
import { describe, expect, it } from 'vitest';
import type { Proof } from '../../../../runs/coding/proof/rules/proof.ts';
import type { Weakened } from '../../../../runs/coding/proof/rules/weakened.ts';
import { judgeProof } from './judge-proof.ts';

const proven: Proof = {
  isProven: true,
  reasons: [],
  counts: {
    ...{ runner: 'node:test', executed: 2, passed: 2, failed: 0, skipped: 0, errors: 0 },
    isMinimum: false,
  },
  newCases: 1,
  redGreen: 'shown',
  without: null,
  weakened: [],
};
const weak = (kind: Weakened['kind']): Proof => ({
  ...proven,
  weakened: [{ path: 'test/a.test.js', line: 3, kind, message: 'It is weaker.' }],
});
const told = 'test/a.test.js:3 It is weaker.';

describe('judgeProof', () => {
  it('has nothing against what is proven', () => {
    expect(judgeProof(proven, 'enforce')).toEqual({ failures: [], warnings: [] });
  });

  it.each(['test-cut-short', 'report-printed', 'runner-replaced', 'failure-ignored'] as const)(
    'always fails what makes reports worthless: %s',
    (kind) => {
      expect(judgeProof(weak(kind), 'warn')).toEqual({ failures: [told], warnings: [] });
      expect(judgeProof(weak(kind), 'enforce')).toEqual({ failures: [told], warnings: [] });
    },
  );

  it.each([
    'test-file-removed',
    'test-removed',
    'test-skipped',
    'assertion-weakened',
    'check-changed',
  ] as const)('fails in enforce and warns in warn: %s', (kind) => {
    expect(judgeProof(weak(kind), 'warn')).toEqual({ failures: [], warnings: [told] });
    expect(judgeProof(weak(kind), 'enforce')).toEqual({ failures: [told], warnings: [] });
  });

  it('fails where a runner ran nothing, in both modes', () => {
    const empty: Proof = {
      ...proven,
      counts: { ...proven.counts, executed: 0, passed: 0 } as Proof['counts'],
    };
    for (const mode of ['warn', 'enforce'] as const)
      expect(judgeProof(empty, mode).failures).toEqual(['The verify commands ran no test.']);
  });

  it('does not take reports that contradict each other', () => {
    const two: Proof = { ...proven, counts: { runner: null, why: 'unclear' }, redGreen: 'unknown-runner' };
    const said = ['The commands print reports of tests that contradict each other.'];
    expect(judgeProof(two, 'warn')).toEqual({ failures: [], warnings: said });
    expect(judgeProof(two, 'enforce')).toEqual({ failures: said, warnings: [] });
  });

  it('wants tests that fail without the change', () => {
    const reasons = ['Its tests pass without the change too, so they do not show it.'];
    const green: Proof = { ...proven, isProven: false, redGreen: 'not-red', reasons };
    expect(judgeProof(green, 'warn')).toEqual({ failures: [], warnings: reasons });
    expect(judgeProof(green, 'enforce')).toEqual({ failures: reasons, warnings: [] });
  });
});
