import { describe, expect, it } from 'vitest';
import {
  composeDigest,
  type DigestFacts,
  type DigestPullRequest,
  digestTitle,
  urgencyOf,
} from './activity-digest.ts';

const nothing: DigestFacts = {
  since: '2026-05-31T08:00:00.000Z',
  until: '2026-06-01T08:00:00.000Z',
  merged: [],
  closedPullRequests: [],
  closedIssues: [],
  openedIssues: [],
  openPullRequests: [],
  blocked: [],
  costUsd: 0,
};
const item = (number: number, title = `Title ${number}`) => ({ number, title, url: `local:${number}` });
const pull = (number: number, labels: string[], isNew = true): DigestPullRequest => ({
  ...item(number),
  labels,
  isNew,
});
const stuck = { number: 9, title: '', why: 'the limit is reached', isNew: true };

describe('composeDigest', () => {
  it.each([
    [{ costUsd: 0 }, null],
    [{ costUsd: 1.234 }, '$1.23'],
    [{ costUsd: 0, hasUnpriced: true }, 'price unknown'],
    [{ costUsd: 2, hasUnpriced: true }, '$2.00 and calls of unknown price'],
  ])('tells the cost %j', (cost, told) => {
    const item = { number: 1, title: 'One', url: 'https://forge.example/1' };
    const text = composeDigest({ ...nothing, merged: [item], ...cost }) ?? '';
    expect(/^Cost of the agents in this time: (.*)\.$/mu.exec(text)?.[1] ?? null).toBe(told);
  });

  it('says nothing on a silent day, whatever it cost', () => {
    expect(composeDigest(nothing)).toBeNull();
    expect(composeDigest({ ...nothing, costUsd: 3 })).toBeNull();
  });

  it('says nothing when all that waits waited the day before', () => {
    const old = { openPullRequests: [pull(1, [], false)], blocked: [{ ...stuck, isNew: false }] };
    expect(composeDigest({ ...nothing, ...old })).toBeNull();
    const text = composeDigest({ ...nothing, ...old, closedIssues: [item(3)] }) ?? '';
    expect(text).toContain('[#1]');
    expect(text).toContain('## Blocked\n\n- `#9`: the limit is reached');
  });

  it.each([{ openPullRequests: [pull(1, [])] }, { blocked: [stuck] }, { closedPullRequests: [item(2)] }])(
    'speaks when there is news: %j',
    (more) => {
      expect(composeDigest({ ...nothing, ...more })).not.toBeNull();
    },
  );

  it('leaves out what is empty', () => {
    const text = composeDigest({ ...nothing, merged: [item(4)] }) ?? '';
    expect(text).toContain('## Completed\n\n- [#4](local:4) Title 4 (merged)');
    expect(text).not.toContain('Needs Review');
    expect(text).not.toContain('Blocked');
  });

  it('sorts what waits by urgency', () => {
    const text =
      composeDigest({
        ...nothing,
        openPullRequests: [pull(1, ['auto-merge']), pull(2, ['blocked']), pull(3, [])],
        blocked: [stuck],
        costUsd: 1.234,
      }) ?? '';
    const order = [
      '**CRITICAL**',
      '#2',
      '**NORMAL**',
      '#3',
      '**LOW RISK**',
      '#1',
      '## Blocked',
      '#9',
      '$1.23',
    ];
    const places = order.map((word) => text.indexOf(word));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(-1);
  });

  it('bounds every list and lets no title break out', () => {
    const many = Array.from({ length: 100 }, (_, index) => item(index + 1));
    expect(composeDigest({ ...nothing, openedIssues: many })).toContain('- and 70 more');
    const text = composeDigest({ ...nothing, merged: [item(1, 'x\n## Blocked\n@everyone')] }) ?? '';
    expect(text.split('\n').filter((one) => one.startsWith('## '))).toEqual(['## Completed']);
    expect(text).not.toMatch(/@\w/u);
  });

  it('fits into an issue whatever titles hold', () => {
    const many = Array.from({ length: 100 }, (_, index) => item(index + 1, '@a#1&'.repeat(50)));
    const text = composeDigest({
      ...nothing,
      merged: many,
      openedIssues: many,
      openPullRequests: ['blocked', 'auto-merge', 'x'].flatMap((label) =>
        many.map((one) => ({ ...one, labels: [label], isNew: true })),
      ),
      blocked: many.map((one) => ({ ...one, why: 'x', isNew: true })),
    });
    expect(text?.length).toBeLessThan(65_000);
    expect(text).toContain('- and 90 more');
  });

  it('is called by its day', () => expect(digestTitle(nothing.until)).toBe('Daily Digest - 2026-06-01'));
});

describe('urgencyOf', () => {
  it.each<[string[], string]>([
    [['security'], 'CRITICAL'],
    [['Blocked', 'auto-merge'], 'CRITICAL'],
    [['auto-merge', 'needs-review'], 'NORMAL'],
    [['auto-merge'], 'LOW RISK'],
    [['template_sync'], 'LOW RISK'],
    [[], 'NORMAL'],
  ])('%j is %s', (labels, urgency) => expect(urgencyOf({ labels })).toBe(urgency));
});
