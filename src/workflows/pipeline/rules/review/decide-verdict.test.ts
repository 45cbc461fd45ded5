import { describe, expect, it } from 'vitest';
import type { ReviewFinding } from '../../../../domain/changes/review-finding.ts';
import { decideVerdict } from './decide-verdict.ts';

const finding = (severity: ReviewFinding['severity']): ReviewFinding => ({
  ...{ id: 'abc', path: 'a.js', line: 3, severity, category: 'bug', title: 'It subtracts.', detail: '' },
});

describe('a verdict', () => {
  it.each([
    ['APPROVED', [], 'APPROVED'],
    ['APPROVED', [finding('minor')], 'APPROVED'],
    ['APPROVED', [finding('major')], 'REJECTED'],
    ['APPROVED', [finding('minor'), finding('critical')], 'REJECTED'],
    ['REJECTED', [], 'REJECTED'],
    ['NEEDS_INFO', [], 'NEEDS_INFO'],
    ['NEEDS_INFO', [finding('critical')], 'NEEDS_INFO'],
  ] as const)('%s with its findings means what it can mean', (verdict, findings, expected) => {
    const decided = decideVerdict({ verdict, feedback_for_writer: null }, findings);
    expect(decided.verdict).toBe(expected);
    expect(decided.feedback === null).toBe(expected === 'APPROVED');
  });

  it('tells the writer the words of the reviewer and every finding with its name', () => {
    const { feedback } = decideVerdict({ verdict: 'REJECTED', feedback_for_writer: 'Try again.' }, [
      finding('major'),
    ]);
    expect(feedback).toBe('Try again.\n\n- abc major a.js:3: It subtracts.');
  });
});
