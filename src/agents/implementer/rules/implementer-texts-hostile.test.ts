/** Titles, paths and words of others in what the implementer says: they call nobody and close nothing. */
import { describe, expect, it } from 'vitest';
import { plainTitle } from '../../../domain/forge/plain-title.ts';
import { commitMessage, nothingChangedComment, settledComment } from './implementer-texts.ts';

describe('the title of an issue', () => {
  it.each([
    ['Fixes #1', 'Fixes no. 1'],
    ['closes: other/repo#12', 'closes: other/repo no. 12'],
    ['resolves GH-3', 'resolves GH 3'],
    ['Fix https://github.com/o/r/issues/4', 'Fix github.com/o/r/issues/4'],
    ['@alice look', '@ alice look'],
    ['bump (@types/node)', 'bump (@ types/node)'],
    ['mail a@b.example', 'mail a@b.example'],
    ['two\nlines\u202E', 'two lines\\u{202e}'],
    ['  ', 'Work on #7'],
  ])('%j closes nothing and calls nobody', (title, plain) => {
    expect(plainTitle(title, 7)).toBe(plain);
    expect(commitMessage(title, 7, true)).toBe(`${plain}\n\nFor #7.\n`);
    expect(commitMessage(title, 7, false)).toContain(`progress: ${plain}\n`);
  });

  it('is cut to what a forge takes', () => {
    expect([...plainTitle('#1 '.repeat(200), 7)].length).toBeLessThanOrEqual(256);
  });
});

it('a path in a reason for a risk calls nobody', () => {
  const raisedTo = { label: 'blocked', reasons: ['.github/@alice/closes #1.yml: it steers.'] } as const;
  const text = settledComment({
    commit: 'c'.repeat(40),
    summary: null,
    verified: null,
    raisedTo,
    leftOut: [],
    denials: [],
  });
  expect(text).not.toMatch(/@alice|#1/u);
  expect(text).toContain('@&#8203;alice');
});

it('what an agent said stays in its quote, whatever ends its lines', () => {
  const text = nothingChangedComment('one\r## No Issues\r\nthree', 'claude', null);
  expect(text).toContain('> one\n> ## No Issues\n> three\n');
});
