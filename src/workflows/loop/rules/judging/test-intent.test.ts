/** What an agent says about the tests that it changed. */
import { describe, expect, it } from 'vitest';
import { judgeTestIntent } from './test-intent.ts';

const rule = { requiredWhenTestsChanged: true, enforce: true };
const tests = ['test/a.test.js', 'b', 'c', 'd'];
const said = [{ test: 'test/a.test.js', why: 'subtracting below zero' }];
const nothing = { failures: [], warnings: [] };

describe('the intent of changed tests', () => {
  it('is missing when nothing, or nothing but signs, is said about any of them', () => {
    for (const intents of [[], [{ test: 'a', why: '…' }], [{ test: ' ', why: 'it works' }]])
      expect(judgeTestIntent(intents, tests, rule).failures).toEqual([
        'Test intent: the agent does not say what the tests are to show that it changed (test/a.test.js, b, c and 1 more).',
      ]);
  });

  it('only warns unless it is enforced', () => {
    const { failures, warnings } = judgeTestIntent([], ['a'], { ...rule, enforce: false });
    expect([failures.length, warnings.length]).toEqual([0, 1]);
  });

  it('is not asked for without changed tests, or where it is not required', () => {
    expect(judgeTestIntent(said, tests, rule)).toEqual(nothing);
    expect(judgeTestIntent([], [], rule)).toEqual(nothing);
    expect(judgeTestIntent([], tests, { ...rule, requiredWhenTestsChanged: false })).toEqual(nothing);
  });
});
