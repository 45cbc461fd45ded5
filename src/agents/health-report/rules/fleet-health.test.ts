import { describe, expect, it } from 'vitest';
import { type HealthFacts, measureHealth, recommend, renderHealth } from './fleet-health.ts';

const week = { since: '2026-05-25T09:00:00.000Z', until: '2026-06-01T09:00:00.000Z' };
const merged = (hours: number, ...labels: string[]) => ({
  state: 'merged' as const,
  labels,
  createdAt: '2026-05-26T00:00:00.000Z',
  endedAt: new Date(Date.parse('2026-05-26T00:00:00.000Z') + hours * 3_600_000).toISOString(),
});
const other = (state: 'open' | 'closed', ...labels: string[]) => ({
  state,
  labels,
  createdAt: '2026-05-26T00:00:00.000Z',
  endedAt: state === 'open' ? null : '2026-05-27T00:00:00.000Z',
});

const facts: HealthFacts = {
  ...week,
  pullRequests: [
    merged(1, 'auto-merge'),
    merged(3, 'needs-review', 'auto-merge'),
    merged(100),
    other('closed', 'needs-review'),
    other('open', 'Blocked'),
  ],
  runs: [
    { agent: 'implementer', status: 'failed' },
    { agent: 'implementer', status: 'done' },
    { agent: 'reviewer', status: 'done' },
  ],
  failedWorkflows: ['ci', 'lint @all', 'ci'],
  costUsd: 6,
};

describe('the cost', () => {
  it.each([
    [{ costUsd: 6 }, '$6.00', '$2.00'],
    [{ costUsd: 0, hasUnpriced: true }, 'price unknown', 'price unknown'],
    [
      { costUsd: 3, hasUnpriced: true },
      '$3.00 and calls of unknown price',
      '$1.00 and calls of unknown price',
    ],
  ])('%j', (cost, all, each) => {
    const text = renderHealth(measureHealth({ ...facts, ...cost }), facts);
    expect(text).toContain(`| cost | ${all} |`);
    expect(text).toContain(`| cost a merge | ${each} |`);
  });
});

describe('measureHealth', () => {
  it('counts', () => {
    const health = measureHealth(facts);
    expect(health).toMatchObject({
      made: 5,
      merged: 3,
      closed: 1,
      open: 1,
      mergeRate: 0.75,
      hoursToMerge: 3,
      costPerMerge: 2,
    });
    expect(health.byRisk).toEqual([
      { label: 'auto-merge', made: 1, merged: 1, closed: 0 },
      { label: 'needs-review', made: 2, merged: 1, closed: 1 },
      { label: 'blocked', made: 1, merged: 0, closed: 0 },
      { label: 'unlabelled', made: 1, merged: 1, closed: 0 },
    ]);
    expect(health.runs).toBe(3);
    expect(health.failedRuns).toEqual([
      { agent: 'implementer', failed: 1, stopped: 0, runs: 2, mostly: null },
    ]);
    expect(health.failedWorkflows).toEqual([
      { name: 'ci', failed: 2 },
      { name: 'lint @all', failed: 1 },
    ]);
    const text = renderHealth(health, week);
    expect(text).toContain('- ci: failed 2 times\n- lint @&#8203;all: failed 1 time');
  });

  it('counts runs that stopped, and says why', () => {
    const stopped = (code: string) => ({ agent: 'reviewer', status: 'blocked', code }) as const;
    const runs = [
      ...Array.from({ length: 19 }, () => stopped('model-unknown')),
      stopped('budget-exceeded'),
      { agent: 'implementer', status: 'failed', code: 'internal' } as const,
      { agent: 'implementer', status: 'blocked', code: 'model-refused' } as const,
      ...Array.from(
        { length: 8 },
        () => ({ agent: 'implementer', status: 'done', code: 'finished' }) as const,
      ),
      { agent: 'auto-merge', status: 'other' } as const,
    ];
    const health = measureHealth({ ...facts, runs });
    const text = renderHealth(health, week);
    expect(text).not.toContain('None of');
    expect(text).toContain(
      '## Failed runs\n\n- implementer: 1 failed and 1 stopped of 10 runs, most often for `internal`\n- reviewer: 20 stopped of 20 runs, most often for `model-unknown`\n',
    );
    expect(recommend(health).at(-1)).toContain('reviewer did not get through (20 stopped of 20 runs)');
    const fine = measureHealth({ ...facts, runs: runs.filter(({ status }) => status === 'done') });
    expect(renderHealth(fine, week)).toContain('None of 8 runs failed or stopped.');
  });

  it('counts what was made, and what was decided, in that time', () => {
    const before = '2026-05-20T00:00:00.000Z';
    const pullRequests = [
      { ...merged(0), createdAt: before, endedAt: '2026-05-26T00:00:00.000Z' },
      { ...merged(0), createdAt: before, endedAt: before },
      { ...merged(0), createdAt: '2026-05-31T00:00:00.000Z', endedAt: week.until },
      { ...other('open'), createdAt: before },
    ];
    expect(measureHealth({ ...facts, pullRequests })).toMatchObject({
      made: 1,
      merged: 1,
      closed: 0,
      open: 1,
      hoursToMerge: 144,
    });
  });

  it('divides nothing by nothing', () => {
    const health = measureHealth({ ...week, pullRequests: [], runs: [], failedWorkflows: [], costUsd: 0 });
    expect(health).toMatchObject({ mergeRate: null, hoursToMerge: null, costPerMerge: null });
    const text = renderHealth(health, week);
    expect(text).toContain('nothing to measure');
    expect(text).toContain('No agent ran.');
    expect(text).not.toContain('|');
    expect(renderHealth({ ...health, open: 1 }, week)).toContain('| merge rate | – |');
    expect(recommend(health)).toEqual([]);
  });

  it('takes the middle of an even number', () => {
    expect(measureHealth({ ...facts, pullRequests: [merged(2), merged(4)] }).hoursToMerge).toBe(3);
  });
});

describe('recommend', () => {
  it('says at most three things, each from a number', () => {
    const health = measureHealth({
      ...facts,
      pullRequests: [merged(100), other('closed'), other('closed'), other('open')],
    });
    const advice = recommend(health);
    expect(advice).toHaveLength(3);
    expect(advice[0]).toContain('33 %');
    expect(renderHealth(health, week)).toContain('## Recommendations');
  });
});
