/** What closes an issue on merging; a text that only looks like it closes nothing. */
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../test/support/processor-time.ts';
import { listClosingReferences } from './closing-references.ts';

describe('listClosingReferences', () => {
  it.each([
    [
      'every word for it',
      'close #1 closes #2 closed #3 fix #4 fixes #5 fixed #6 resolve #7 resolves #8 resolved #9',
    ],
    [
      'any case, with a colon',
      'CLOSES #1\nFixes: #2\n\n- Resolves #3\n\n## Fix #4\n\n**closes #5** (fixes #6), [resolves #7](x) close\n#8\n\n| a |\n|---|\n| Fixed #9 |',
    ],
  ])('knows %s', (_, text) => {
    expect(listClosingReferences(text)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it.each([
    ['a mention', 'See #1, and #2'],
    ['code', '`Closes #1` and\n\n```\nCloses #2\n```\n\n    Closes #3'],
    ['code in between', 'Closes `x` #1'],
    ['a quote', '> Closes #1\n> > fixes #2'],
    ['something hidden', '<!-- Closes #1 -->\n\n<b title="closes #2">x</b>'],
    ['another word', 'discloses #1, prefix #2, Closes issue #3, closes#4'],
    ['no number', 'Closes #0, closes #x, closes #1a, closes #-1, closes #01, closes #9999999999'],
    ['two paragraphs', 'This closes\n\n#1'],
    ['nothing', ''],
    ['quotes without end', '>'.repeat(5000)],
  ])('is not taken in by %s', (_, text) => {
    expect(listClosingReferences(text)).toEqual([]);
  });

  it.each([
    ['quotes', '>'.repeat(60_000)],
    ['lists', '- '.repeat(30_000)],
    ['numbered lists', '1. '.repeat(20_000)],
    ['lists in quotes', '> - '.repeat(15_000)],
    ['spaces between', `${'> \t '.repeat(19)}${' '.repeat(40_000)}x`],
    ['brackets', '['.repeat(60_000)],
  ])('is not kept busy by %s', (_, text) => {
    const read = (): void =>
      expect(listClosingReferences(`Closes #1\n\n${text}\n\nFixes #2`)).toEqual([1, 2]);
    // Unguarded, the worst of them takes minutes.
    expect(processorMilliseconds(read)).toBeLessThan(20_000);
  });

  it('names each issue once', () => {
    expect(listClosingReferences('Closes #7, fixes #3 and resolves #7')).toEqual([7, 3]);
  });
});
