import { describe, expect, it } from 'vitest';
import { type HealthFacts, measureHealth, recommend, renderHealth } from './fleet-health.ts';

const week = { since: '2026-05-25T09:00:00.000Z', until: '2026-06-01T09:00:00.000Z' };
const merged = (hours: number, ...labels: string[]) => ({
  state: 'merged' as const,
  labels,
  createdAt: '2026-05-26T00:00:00.000Z',
  mergedAt: new Date(Date.parse('2026-05-26T00:00:00.000Z') + hours * 3_600_000).toISOString(),
});
const other = (state: 'open' | 'closed', ...labels: string[]) => ({
  state,
  labels,
  createdAt: '2026-05-26T00:00:00.000Z',
  mergedAt: null,
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
  costUsd: 6,
};

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
      { label: 'auto-merge', made: 1, merged: 1 },
      { label: 'needs-review', made: 2, merged: 1 },
      { label: 'blocked', made: 1, merged: 0 },
      { label: 'unlabelled', made: 1, merged: 1 },
    ]);
    expect(health.failedRuns).toEqual([{ agent: 'implementer', failed: 1, runs: 2 }]);
  });

  it('divides nothing by nothing', () => {
    const health = measureHealth({ ...week, pullRequests: [], runs: [], costUsd: 0 });
    expect(health).toMatchObject({ mergeRate: null, hoursToMerge: null, costPerMerge: null });
    expect(renderHealth(health, week)).toContain('| merge rate | – |');
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
