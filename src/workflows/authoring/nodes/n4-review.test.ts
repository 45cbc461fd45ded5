/** A draft that is changed after every review is not reviewed, and paid for, for ever. */
import { expect, it } from 'vitest';
import { rejectedCode } from '../../../../test/support/thrown-code.ts';
import type { AuthoringContext } from '../definition.ts';
import { initialState } from '../state.ts';
import { reviewDraft } from './n4-review.ts';

it.each([
  [5, 1, 'iteration-limit'],
  [3, 1, 'iteration-limit'],
])('after %i reviews of %i drafts, with 2 rounds allowed, it stops', async (verdicts, drafts, code) => {
  // Nothing else of the run is looked at before the limit.
  const context = { maxIterations: 2 } as AuthoringContext;
  expect(await rejectedCode(reviewDraft(context, { ...initialState, verdicts, drafts }))).toBe(code);
});
