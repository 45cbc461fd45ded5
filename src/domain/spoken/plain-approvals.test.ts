/** How much of what people say under a plan is understood: approvals, and changes. */
import { expect, it } from 'vitest';
import { approvalsHeldOut, approvalsSeen, revisions } from '../../../test/support/comment-corpus.ts';
import { readPlanAnswer } from './plan-approval.ts';
import { mentions } from './spoken-text.ts';

const isUnderstood = (text: string): boolean =>
  ['approves', 'assents'].includes(readPlanAnswer(text, 'claude'));

it('understands every approval that its lists were made with', () => {
  expect(approvalsSeen.length).toBeGreaterThanOrEqual(60);
  expect(approvalsSeen.filter((text) => !isUnderstood(text))).toEqual([]);
});

it('understands nearly every approval that was written afterwards', () => {
  expect(approvalsHeldOut.length).toBeGreaterThanOrEqual(60);
  const missed = approvalsHeldOut.filter((text) => !isUnderstood(text));
  expect(missed.length / approvalsHeldOut.length, missed.join('\n')).toBeLessThanOrEqual(0.05);
});

it('takes a change for a change', () => {
  expect(revisions.length).toBeGreaterThanOrEqual(40);
  const isChange = (text: string): boolean => {
    const answer = readPlanAnswer(text, 'claude');
    return answer === 'revises' || (answer === 'other' && mentions(text, 'claude'));
  };
  expect(revisions.filter((text) => !isChange(text))).toEqual([]);
});
