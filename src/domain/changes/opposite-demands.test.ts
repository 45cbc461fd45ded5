import { describe, expect, it } from 'vitest';
import { areOpposite, listDemands } from './opposite-demands.ts';
import type { ReviewFinding } from './review-finding.ts';

function finding(title: string, more: Partial<ReviewFinding> = {}): ReviewFinding {
  return {
    ...{ id: title, path: 'src/a.ts', line: 10, severity: 'major', category: 'bug', detail: '' },
    ...{ title, ...more },
  };
}

const says = (title: string) =>
  listDemands(title).map(({ axis, side, about }) => `${axis} ${side}: ${[...about].join(' ')}`);

describe('listDemands', () => {
  it.each([
    ['Missing null check', 'presence more: null check'],
    ['The null check is missing in readConfig', 'presence more: null check'],
    ['No null checks before use', 'presence more: null check'],
    ['parse has no limit', 'presence more: limit'],
    ['Add a null check for the name', 'presence more: null check'],
    ['A lock is needed here', 'presence more: lock'],
    ['A lock should be added', 'presence more: lock'],
    ['Unneeded null check: the type excludes it', 'presence less: null check'],
    ['This null check is redundant', 'presence less: null check'],
    ['Remove the null check', 'presence less: null check'],
    ['The lock is not needed', 'presence less: lock'],
    ['The lock must be removed', 'presence less: lock'],
    ['The lock should not be removed', 'presence more: lock'],
    ['The pattern is too strict for real names', 'strictness less: pattern'],
    ['The pattern is too lenient', 'strictness more: pattern'],
    ['The pattern is not strict enough', 'strictness more: pattern'],
    ['Too long a timeout', 'length less: timeout'],
    ['readConfig should be async', 'async more: readconfig'],
    ['readConfig should not be async', 'async less: readconfig'],
    ['Make readConfig synchronous', 'async less: readconfig'],
  ])('%s', (title, expected) => {
    expect(says(title)).toEqual([expected]);
  });

  it.each([
    // Something else is wrong about it.
    'readConfig is async and its promise is not awaited',
    'Synchronous read in a loop',
    // Names of functions.
    'remove fails on an empty list',
    'Add does not return the sum',
    'delete() leaves the file',
    // Denied, asked, or both at once.
    'The null check is not missing',
    'The pattern is not too strict',
    'Is the null check missing?',
    'Missing await makes the check redundant',
    'No longer handles an empty list',
    'Off by one',
    '',
  ])('leaves out: %s', (title) => {
    expect(says(title)).toEqual([]);
  });
});

describe('areOpposite', () => {
  it.each([
    ['Missing null check', 'Unneeded null check'],
    ['Missing null check on the user name', 'The null check is redundant'],
    ['Missing `await`', 'Unnecessary `await`'],
    ['The pattern is too strict', 'The pattern is too loose'],
    ['The pattern is too strict', 'The pattern is not strict enough'],
    ['readConfig should be async', 'readConfig must be synchronous'],
    ['Add the retry', 'Remove this retry'],
    ['The timeout is too long', 'The timeout is too short'],
    ['Make the field private', 'The field should be public'],
  ])('%s / %s', (first, second) => {
    expect(areOpposite(finding(first), finding(second, { line: 12 }))).toBe(true);
    expect(areOpposite(finding(second), finding(first, { line: 12 }))).toBe(true);
    expect(areOpposite(finding(first), finding(first))).toBe(false);
    expect(areOpposite(finding(second), finding(second))).toBe(false);
  });

  it.each([
    ['another thing', 'Missing null check', 'Unneeded type check', {}],
    ['another file', 'Missing null check', 'Unneeded null check', { path: 'src/b.ts' }],
    ['another place', 'Missing null check', 'Unneeded null check', { line: 30 }],
    ['the whole file and one place', 'Missing null check', 'Unneeded null check', { line: null }],
    ['another function beside it', 'Missing await on load()', 'Unneeded await on save()', {}],
    ['the same function far off', 'No check in parseAll', 'Redundant check in parseAll', { line: 90 }],
    ['two ends of different things', 'The pattern is too strict', 'The timeout is too short', {}],
    ['what it is about is wrong now', 'readConfig should be async', 'readConfig is async but unawaited', {}],
    ['the same demand in other words', 'Missing null check', 'Add a null check', {}],
    ['one word of two', 'Missing null check', 'Redundant check', {}],
  ])('not for %s', (_, first, second, more) => {
    expect(areOpposite(finding(first), finding(second, more))).toBe(false);
  });

  it('finds the place by a name where lines moved', () => {
    const [first, second] = ['No null check in parseAll', 'Redundant null check in parseAll'];
    expect(areOpposite(finding(first), finding(second, { line: 25 }))).toBe(true);
    expect(areOpposite(finding(first, { line: null }), finding(second))).toBe(true);
  });

  it('takes no time for a long title', () => {
    const long = 'missing null check is too strict and should be async '.repeat(40);
    expect(areOpposite(finding(long), finding(long))).toBe(false);
  });
});
