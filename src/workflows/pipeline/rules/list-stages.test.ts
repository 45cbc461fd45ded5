import { expect, it } from 'vitest';
import { initialState } from './document/initial-state.ts';
import type { StateDocument } from './document/state-document.ts';
import { listStages } from './list-stages.ts';

const initial = initialState({
  issue: { number: 7, title: 'sum', url: '', body: '', labels: [] },
  ...{ type: 'BUG_FIX', startedAt: '2026-01-15T10:30:00Z', maxAttempts: 3, branch: 'agent/issue-7' },
  sessionId: 'S',
});
const secondAttempt: StateDocument = {
  ...initial,
  pipeline: { ...initial.pipeline, current_agent: 'writer', attempt: 2 },
  triage: { ...initial.triage, completed: true, scope: 'SMALL', complexity: 'simple' },
  analysis: { ...initial.analysis, completed: true },
  writer: { ...initial.writer, completed: true },
  build: { ...initial.build, completed: true, tests_passed: true },
  review: { ...initial.review, completed: true, verdict: 'REJECTED' },
};

it('shows what an earlier attempt left as not done yet', () => {
  const rows = listStages(secondAttempt, true);
  expect(rows.map(({ id, passes, attempts }) => [id, passes, attempts])).toEqual([
    ['triage', true, 0],
    ['analyst', true, 0],
    ['writer', false, 1],
    ['build', false, 1],
    ['reviewer', false, 1],
    ['committer', false, 0],
  ]);
  expect(rows.map(({ title }) => title)).toEqual(['SMALL, simple', '0 files', '', '', '', '']);
  const ended = listStages(secondAttempt, false)[2];
  expect(ended).toEqual({ id: 'writer', title: '0 files changed', passes: true, attempts: 2 });
});

it('counts a build with errors and a rejection as not passed', () => {
  const { pipeline, build } = secondAttempt;
  const at = (current_agent: 'build' | 'reviewer', errors: string[] = []): StateDocument => ({
    ...{ ...secondAttempt, pipeline: { ...pipeline, current_agent }, build: { ...build, errors } },
  });
  expect(listStages(at('build', ['The tests fail.']), false)[3]).toMatchObject({
    title: '1 error',
    passes: false,
  });
  expect(listStages(at('build'), false)[3]).toMatchObject({ title: 'tests pass', passes: true });
  expect(listStages(at('reviewer'), false)[4]).toMatchObject({ title: 'REJECTED', passes: false });
});
