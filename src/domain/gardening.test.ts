import { describe, expect, it } from 'vitest';
import { type GardenIssue, guessContentLabel, isLeftAlone, mostActions, planGardening } from './gardening.ts';

const now = new Date('2026-06-01T09:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

function issue(more: Partial<GardenIssue> = {}): GardenIssue {
  return {
    number: 1,
    title: 'Something',
    body: '',
    labels: ['bug'],
    assignees: [],
    createdAt: daysAgo(100),
    activeAt: daysAgo(1),
    ...more,
  };
}

const plan = (...issues: GardenIssue[]) => planGardening(issues, now).actions;

describe('planGardening', () => {
  it.each<[string, Partial<GardenIssue>, unknown[]]>([
    ['leaves what is talked about', { activeAt: daysAgo(29) }, []],
    [
      'marks what is quiet for 30 days',
      { activeAt: daysAgo(30) },
      [{ do: 'mark-stale', issue: 1, days: 30 }],
    ],
    [
      'marks first what is quiet for a year',
      { activeAt: daysAgo(365) },
      [{ do: 'mark-stale', issue: 1, days: 365 }],
    ],
    ['waits with what is marked', { activeAt: daysAgo(59), labels: ['bug', 'stale'] }, []],
    [
      'closes what is marked after 60 days',
      { activeAt: daysAgo(60), labels: ['Stale', 'bug'] },
      [{ do: 'close', issue: 1, days: 60 }],
    ],
    [
      'takes the mark off when somebody speaks',
      { activeAt: daysAgo(2), labels: ['stale', 'bug'] },
      [{ do: 'unmark', issue: 1 }],
    ],
    [
      'labels what has none after a day',
      { labels: [], title: 'It crashes', createdAt: daysAgo(1) },
      [{ do: 'label', issue: 1, label: 'bug' }],
    ],
    ['does not label what is new', { labels: [], title: 'It crashes', createdAt: daysAgo(0.9) }, []],
    ['does not label what it cannot place', { labels: [], title: 'Hm', body: '' }, []],
  ])('%s', (_, more, actions) => expect(plan(issue(more))).toEqual(actions));

  it.each([
    ['daily-digest', 'x'],
    ['planning', 'x'],
    ['AI: Blocked', 'x'],
    ['security', 'x'],
    ['bug', 'Daily Digest - 2026-01-01'],
    ['bug', 'Agent Health Report - week 3'],
    ['bug', ' gardener report'],
  ])('leaves "%s" / "%s" alone however old', (label, title) => {
    expect(isLeftAlone({ labels: [label], title })).toBe(true);
    expect(plan(issue({ labels: [label], title, activeAt: daysAgo(900) }))).toEqual([]);
  });

  it('does a bounded amount, the oldest first, and says what is left', () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      issue({ number: index + 1, activeAt: daysAgo(31 + index) }),
    );
    const { actions, left } = planGardening(many, now);
    expect(actions).toHaveLength(mostActions);
    expect(actions[0]).toMatchObject({ issue: 5_000 });
    expect(left).toBe(5_000 - mostActions);
  });
});

describe('guessContentLabel', () => {
  it.each([
    ['App crashes with an error on start', '', 'bug'],
    ['Add dark mode', 'It would be nice to support it', 'feature'],
    ['Typo in the README', '', 'documentation'],
    ['How do I configure it?', '', 'question'],
    ['Weather', 'fine', null],
  ])('%s → %s', (title, body, label) => expect(guessContentLabel(title, body)).toBe(label));
});
