import { describe, expect, it } from 'vitest';
import type { GardenAction } from '../../reports/rules/gardening.ts';
import { gardenerTitle, renderGardening } from './gardener-words.ts';

const at = '2026-06-01T09:00:00.000Z';
const issue = (title: string) => ({ title, activeAt: at, markedAt: null, updatedAt: at });
const issues = { 1: issue('One'), 2: issue('See #9, @all'), 3: issue('Three') };
const done: readonly GardenAction[] = [
  { do: 'label', issue: 1, label: 'bug' },
  { do: 'mark-stale', issue: 2, days: 31 },
  { do: 'close', issue: 3, days: 61 },
];

describe('renderGardening', () => {
  it('tells by kind what was done, and links nothing', () => {
    const text = renderGardening({ issues, left: 0 }, done, 0);
    expect(text.match(/^## .*$/gmu)).toEqual(['## Marked as stale', '## Closed', '## Labelled']);
    expect(text).toContain('- `#1` One: `bug`\n');
    expect(text).toContain('- `#3` Three, quiet for 61 days\n');
    expect(text.replace(/`[^`]*`/gu, '')).not.toMatch(/#9|@all/u);
    expect(text).not.toContain('more thing');
  });

  it.each([
    [1, 0, '1 more thing to do: left for the next round.'],
    [12, 0, '12 more things to do: left for the next round.'],
    [0, 1, '1 more thing given up'],
    [0, 2, '2 more things given up'],
  ])('says what is left: %i, given up: %i', (left, overtaken, text) =>
    expect(renderGardening({ issues, left }, done, overtaken)).toContain(text),
  );

  it('is called by its day', () => expect(gardenerTitle(at)).toBe('Gardener Report - 2026-06-01'));
});
