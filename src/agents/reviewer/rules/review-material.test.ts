import { describe, expect, it } from 'vitest';
import { makeLineReader, selectForReview } from './review-material.ts';

const file = (path: string, patch: string | null, more: object = {}) => ({
  path,
  previousPath: null,
  change: 'modified' as const,
  additions: 1,
  deletions: 0,
  patch,
  ...more,
});

const long = (lines: number): string =>
  ['@@ -0,0 +1,99999 @@', ...Array.from({ length: lines }, (_, index) => `+line ${index + 1}`)].join('\n');

describe('selectForReview', () => {
  it('shows what only keeps how it came about after everything else, and still names what is left out', () => {
    const long = `@@ -0,0 +1 @@\n${'+x\n'.repeat(13_000)}`;
    const archive = ['a/1.md', 'a/2.md', 'a/3.md', 'a/4.md', 'a/5.md'];
    const given = [...archive, 'src/z.ts'].map((path) => file(path, long));
    const { files, unseen } = selectForReview(given, archive);
    expect(files[0]?.path).toBe('src/z.ts');
    expect(files[0]?.shown.length).toBeGreaterThan(38_000);
    expect(unseen.some((part) => part.startsWith('a/5.md:'))).toBe(true);
  });

  it('shows all of a change of usual size', () => {
    const { files, unseen } = selectForReview([file('a', '@@ -1 +1 @@\n+x'), file('b', '@@ -1 +1 @@\n+y')]);
    expect(files.map(({ shown }) => shown)).toEqual(['@@ -1 +1 @@\n+x', '@@ -1 +1 @@\n+y']);
    expect(unseen).toEqual([]);
  });

  it('says what it leaves out, and takes no line of that for seen', () => {
    const patch = long(10_000);
    const { files, unseen } = selectForReview([file('big.txt', patch)]);
    const shown = files[0]?.shown ?? '';
    expect(patch.startsWith(`${shown}\n`)).toBe(true);
    expect(shown.length).toBeGreaterThan(30_000);
    const seen = shown.split('\n').length;
    expect(unseen).toEqual([`big.txt: ${10_001 - seen} of 10001 lines of its diff, which is too long`]);
    const lineOf = makeLineReader(files);
    expect(lineOf('big.txt', seen - 1)).toBe(`line ${seen - 1}`);
    expect(lineOf('big.txt', seen)).toBeNull();
    expect(lineOf('other.txt', 1)).toBeNull();
  });

  it('shows no more than fits of all files together', () => {
    const { files, unseen } = selectForReview(
      Array.from({ length: 6 }, (_, index) => file(`${index}`, long(4000))),
    );
    expect(files.reduce((sum, { shown }) => sum + shown.length, 0)).toBeLessThanOrEqual(160_000);
    expect(files.at(-1)?.shown).toBe('');
    expect(unseen.at(-1)).toContain('5: 4001 of 4001 lines');
    expect(
      selectForReview(Array.from({ length: 303 }, (_, index) => file(`${index}`, '@@ -1 +1 @@\n+x'))).unseen,
    ).toEqual(['3 more files']);
  });

  it.each([
    ['binary', {}, 1],
    ['removed', { change: 'removed' as const }, 0],
    ['renamed and nothing else', { change: 'renamed' as const, additions: 0, previousPath: 'x' }, 0],
    ['renamed and changed', { change: 'renamed' as const, previousPath: 'x' }, 1],
  ])('of one without a patch: %s', (_, more, count) => {
    expect(selectForReview([file('f', null, more)]).unseen).toHaveLength(count);
  });
});
