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
  closedIssues: [],
  openedIssues: [],
  openPullRequests: [],
  blocked: [],
  costUsd: 0,
};
const item = (number: number, title = `Title ${number}`) => ({ number, title, url: `local:${number}` });
const pull = (number: number, labels: string[], changedLines = 10): DigestPullRequest => ({
  ...item(number),
  labels,
  changedLines,
});

describe('composeDigest', () => {
  it('says nothing on a silent day, whatever it cost', () => {
    expect(composeDigest(nothing)).toBeNull();
    expect(composeDigest({ ...nothing, costUsd: 3 })).toBeNull();
  });

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
        blocked: [{ ...item(9), why: 'the limit is reached' }],
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
  });

  it('is called by its day', () => expect(digestTitle(nothing.until)).toBe('Daily Digest - 2026-06-01'));
});

describe('urgencyOf', () => {
  it.each<[string[], number, string]>([
    [['security'], 1, 'CRITICAL'],
    [['auto-merge'], 401, 'NORMAL'],
    [['auto-merge'], 400, 'LOW RISK'],
    [['template_sync'], 10, 'LOW RISK'],
    [[], 10, 'NORMAL'],
  ])('%j with %i lines is %s', (labels, lines, urgency) =>
    expect(urgencyOf(pull(1, labels, lines))).toBe(urgency),
  );
});
