import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentedState } from '../../../../../test/support/documented-state.ts';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { initialState, type NewState } from './initial-state.ts';
import { readState, writeState } from './state-document.ts';

const given: NewState = {
  issue: {
    number: 42,
    title: 'Fix allocation slider not persisting values',
    url: 'https://github.com/owner/repo/issues/42',
    body: 'Original issue description...',
    labels: ['ui', 'frontend'],
  },
  type: 'BUG_FIX',
  startedAt: '2024-01-15T10:30:00Z',
  maxAttempts: 3,
  branch: 'agent/issue-42',
  sessionId: '2024-01-15-issue-42',
};

it('has the fields of the document in its order, and nothing is decided', () => {
  const state = initialState(given);
  const example = JSON.parse(documentedState) as Record<string, object>;
  expect(Object.keys(state)).toEqual(Object.keys(example));
  for (const [section, fields] of Object.entries(state))
    if (typeof fields === 'object') expect(Object.keys(fields)).toEqual(Object.keys(example[section] ?? {}));
  expect(state).toMatchObject({
    version: '1.0',
    issue: { number: 42, type: 'BUG_FIX', original_body: 'Original issue description...' },
    pipeline: { current_agent: 'triage', attempt: 1, max_attempts: 3, status: 'in_progress' },
    triage: { completed: false, scope: null, should_proceed: null },
    review: { verdict: null, findings: { good: [], issues: [] } },
    commit: { branch: 'agent/issue-42', pushed: false },
    learnings: { session_id: '2024-01-15-issue-42', outcome: null },
  });
  expect(readState(writeState(state))).toEqual({ state });
});

it('is valid whatever a stranger writes into an issue', () => {
  const text = hostileText([
    '\ud800',
    '\udc00',
    '\0',
    '\n',
    '"',
    '\\',
    '\u2028',
    '\u0085',
    '😀',
    ' ',
    '__proto__',
  ]);
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (title, body, labels) => {
      const state = initialState({ ...given, issue: { ...given.issue, title, body, labels }, type: null });
      expect('state' in readState(writeState(state))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('keeps as many labels as the document may hold', () => {
  const labels = Array.from({ length: 300 }, (_, at) => `${at} ${'é'.repeat(300)}`);
  const state = initialState({ ...given, issue: { ...given.issue, labels } });
  expect(state.issue.labels).toHaveLength(200);
  expect('state' in readState(writeState(state))).toBe(true);
});

it('cuts a body that is too long, and no character in two', () => {
  const { original_body } = initialState({
    ...given,
    issue: { ...given.issue, body: `a${'😀'.repeat(60_000)}` },
  }).issue;
  expect(original_body.length).toBeGreaterThan(99_990);
  expect(original_body.length).toBeLessThanOrEqual(100_000);
  expect(original_body.endsWith('😀…')).toBe(true);
});
