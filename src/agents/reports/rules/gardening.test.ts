import { describe, expect, it } from 'vitest';
import {
  closingDay,
  type GardenIssue,
  guessContentLabel,
  isLeftAlone,
  mostActions,
  planGardening,
} from './gardening.ts';

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
    markedAt: null,
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
    ['waits with what is marked', { activeAt: daysAgo(59), labels: ['stale'], markedAt: daysAgo(28) }, []],
    [
      'closes what is marked after 60 days',
      { activeAt: daysAgo(60), labels: ['Stale', 'bug'], markedAt: daysAgo(28) },
      [{ do: 'close', issue: 1, days: 60 }],
    ],
    [
      'gives notice of two weeks to what is quiet for a year',
      { activeAt: daysAgo(365), labels: ['stale', 'bug'], markedAt: daysAgo(13) },
      [],
    ],
    [
      'closes it then',
      { activeAt: daysAgo(365), labels: ['stale', 'bug'], markedAt: daysAgo(14) },
      [{ do: 'close', issue: 1, days: 365 }],
    ],
    [
      'warns where somebody else set the label',
      { activeAt: daysAgo(365), labels: ['stale', 'bug'] },
      [{ do: 'mark-stale', issue: 1, days: 365 }],
    ],
    ['leaves the label that somebody else set', { activeAt: daysAgo(2), labels: ['stale', 'bug'] }, []],
    [
      'warns anew when somebody spoke after the warning',
      { activeAt: daysAgo(70), labels: ['stale', 'bug'], markedAt: daysAgo(80) },
      [{ do: 'mark-stale', issue: 1, days: 70 }],
    ],
    [
      'takes the mark off when somebody speaks',
      { activeAt: daysAgo(2), labels: ['stale', 'bug'], markedAt: daysAgo(9) },
      [{ do: 'unmark', issue: 1 }],
    ],
    ['does not mind when somebody took it off', { activeAt: daysAgo(2), markedAt: daysAgo(9) }, []],
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
    ['Hold', 'x'],
    ['pinned', 'x'],
    ['bug', 'Daily Digest - 2026-01-01'],
    ['bug', 'Agent Health Report - week 3'],
    ['bug', ' gardener report'],
  ])('leaves "%s" / "%s" alone however old', (label, title) => {
    expect(isLeftAlone({ labels: [label], title })).toBe(true);
    expect(plan(issue({ labels: [label], title, activeAt: daysAgo(900) }))).toEqual([]);
  });

  it.each([
    'Daily digest mails arrive twice',
    'Agent health reports are empty',
    'Gardener report: it lists too much',
  ])('takes "%s" for an issue like any other', (title) => {
    expect(isLeftAlone({ labels: ['bug'], title })).toBe(false);
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

describe('closingDay', () => {
  it.each([
    [31, '2026-06-30'],
    [50, '2026-06-15'],
    [365, '2026-06-15'],
  ])('after %i days of silence is %s', (days, expected) =>
    expect(closingDay(daysAgo(days), now.toISOString())).toBe(expected),
  );
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
