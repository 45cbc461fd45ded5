import { describe, expect, it } from 'vitest';
import type { ReviewFinding } from './review-finding.ts';
import { matchFindings, wordRatio } from './similar-findings.ts';

function finding(id: string, more: Partial<ReviewFinding> = {}): ReviewFinding {
  return {
    ...{ id, path: 'src/a.ts', line: 10, severity: 'major', category: 'bug' },
    ...{ title: 'The last item of the list is left out', detail: 'See sum([1, 2]).', ...more },
  };
}

describe('wordRatio', () => {
  it.each([
    ['a b c d e', 'a b c d e', 1],
    ['The list, is empty!', 'the LIST is empty', 1],
    ['a b c d', 'd c b a', 1],
    ['a b c d e', 'a b c d f', 0.8],
    ['a a a', 'a', 0.5],
    ['a', 'b', 0],
    ['', '', 0],
  ])('of "%s" and "%s" is %d', (a, b, expected) => {
    expect(wordRatio(a, b)).toBeCloseTo(expected);
    expect(wordRatio(b, a)).toBeCloseTo(expected);
  });
});

describe('matchFindings', () => {
  it.each([
    ['the same identity', {}, { title: 'Other words', id: 'a' }, true],
    ['nearly the same title nearby', {}, { line: 28, title: 'The last item of a list is left out' }, true],
    ['the same words far off', {}, { line: 400 }, true],
    ['the same title far off, about something else', {}, { line: 400, detail: 'mean() has it too' }, false],
    ['another file', {}, { path: 'src/b.ts' }, false],
    ['another category', {}, { category: 'security' }, false],
    ['the category in other letters', { category: 'data-loss' }, { category: 'Data loss' }, true],
    ['other words', {}, { title: 'The first item of the list is counted twice' }, false],
    // Short titles are the same only if all their words are.
    ['a short title', { title: 'Off by one' }, { title: 'Off by two' }, false],
  ])('%s', (_, before, now, expected) => {
    const pairs = matchFindings([finding('a', before)], [finding('b', now)]);
    expect(pairs.length).toBe(expected ? 1 : 0);
  });

  it('puts each finding into one pair, the surest first', () => {
    const before = [finding('a'), finding('b', { line: 12 })];
    const now = [finding('b', { line: 14 }), finding('c', { line: 11 })];
    expect(matchFindings(before, now).map((pair) => [pair.before.id, pair.now.id])).toEqual([
      ['b', 'b'],
      ['a', 'c'],
    ]);
    expect(matchFindings([finding('a')], now)).toHaveLength(1);
  });
});
