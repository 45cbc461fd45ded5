import { describe, expect, it } from 'vitest';
import { initialState } from '../document/initial-state.ts';
import type { StateDocument } from '../document/state-document.ts';
import { commitMessageOf, pullRequestBody } from './pull-request-text.ts';

const initial = initialState({
  issue: { number: 7, title: 'sum_of subtracts', url: '', body: '', labels: [] },
  ...{ type: 'BUG_FIX', startedAt: '2026-01-15T10:30:00Z', maxAttempts: 3, branch: 'agent/issue-7' },
  sessionId: 'S',
});

const withWriter = (writer: Partial<StateDocument['writer']>): StateDocument => ({
  ...initial,
  writer: { ...initial.writer, ...writer },
});

describe('the message of a commit', () => {
  it('says what was done in plain words: git shows no Markdown', () => {
    const summary = '`sum_of` adds *now* (a_b, [x], 1 < 2 & 3).\n\nSecond paragraph.';
    expect(commitMessageOf(withWriter({ summary }))).toBe(
      `fix: sum_of subtracts\n\n${summary}\n\nFixes #7\n`,
    );
  });

  it('does nothing on the forge but close the issue', () => {
    const summary = `Closes #1, cc @bob [skip ci]\nSigned-off-by: eve <e@x>\nkey ghp_${'a1B2'.repeat(9)}`;
    const message = commitMessageOf(withWriter({ summary }));
    expect(message).not.toMatch(/#1\b|@bob|\[skip ci\]|^Signed-off-by:|ghp_a1B2/mu);
    expect(message.match(/#\d+/gu)).toEqual(['#7']);
  });

  it('has no empty paragraph where nothing was said', () => {
    expect(commitMessageOf(withWriter({ summary: null }))).toBe('fix: sum_of subtracts\n\nFixes #7\n');
  });
});

describe('the body of a pull request', () => {
  const bodyOf = (try_it: readonly string[] | null | undefined) =>
    pullRequestBody({
      document: withWriter({ ...(try_it === undefined ? {} : { try_it }) }),
      ...{ proof: null, cost: { usd: 0, atMostUsd: 0, isUnpriced: false }, tests: 'npm test' },
    });

  it('says how to try it, in the steps of the writer, which do nothing there', () => {
    const body = bodyOf(['Run `node -e "sum(1, 2)"` twice', 'Ask @bob\n## Heading\n<img src=x>']);
    const steps = body.slice(body.indexOf('## How to try it'));
    expect(steps).toContain('Check out `agent/issue-7` and run `npm test`.');
    expect(steps).toContain('1. Run');
    expect(steps).toContain('2. Ask');
    expect(steps).toContain('`node -e "sum(1, 2)"`');
    expect(steps).not.toMatch(/@bob|^## Heading|(?<!\\)<img/mu);
  });

  it.each([[undefined], [null], [[]]])('needs no steps: %j', (steps) => {
    expect(bodyOf(steps)).toContain('Check out `agent/issue-7` and run `npm test`.');
    expect(bodyOf(steps)).not.toMatch(/^1\. /mu);
  });

  it.each([
    [{ usd: 0.071, atMostUsd: 0, isUnpriced: false }, 'Cost: 0.07 USD.'],
    [
      { usd: 0.071, atMostUsd: 0.5, isUnpriced: false },
      'Cost: 0.07 USD, and at most 0.50 USD for calls that were cut off.',
    ],
    [{ usd: 0, atMostUsd: 0.5, isUnpriced: true }, 'Cost: price unknown.'],
  ])('tells what was paid from what calls that were cut off can have cost: %j', (cost, words) => {
    expect(pullRequestBody({ document: withWriter({}), proof: null, cost, tests: null })).toContain(words);
  });

  it('is bounded, whatever the steps are', () => {
    expect(bodyOf(Array.from({ length: 500 }, () => '&'.repeat(5000))).length).toBeLessThan(60_000);
  });
});
