/** Numbers of lineage files: no number is used twice, whatever people put into the folder. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { activeFolder, doneFolder, lineageFileName, nextLineageNumber } from './lineage.ts';

const ours = fc
  .tuple(
    fc.integer({ min: 1, max: 1_000_000_000 }),
    fc.constantFrom('brief.md', 'draft.md', 'verdict.md', 'feedback.txt', 'filed.json', 'approved.json'),
  )
  .map(([number, suffix]) => lineageFileName(number, suffix as 'brief.md'));

const anyName = fc.oneof(
  ours,
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('0', '1', '9', '-', 'a', '.', ' ', '٣'), maxLength: 9 }),
);

describe('nextLineageNumber', () => {
  it('is a number that no file has, one above the highest, in any order of names', () => {
    fc.assert(
      fc.property(fc.array(anyName, { maxLength: 12 }), (names) => {
        const next = nextLineageNumber(names);
        expect(Number.isSafeInteger(next)).toBe(true);
        expect(next).toBeGreaterThanOrEqual(1);
        const made = lineageFileName(next, 'draft.md');
        expect(names).not.toContain(made);
        expect(nextLineageNumber([...names, made])).toBe(next + 1);
        expect(nextLineageNumber(names.toReversed())).toBe(next);
        if (next > 1)
          expect(
            names.some(
              (name) =>
                name.startsWith(`${String(next - 1).padStart(3, '0')}-`) ||
                Number.parseInt(name, 10) === next - 1,
            ),
          ).toBe(true);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it.each([
    ['an empty folder', [], 1],
    ['one file', ['001-brief.md'], 2],
    ['gaps are not filled', ['001-brief.md', '007-draft.md'], 8],
    ['more than three digits', ['999-draft.md', '1000-verdict.md'], 1001],
    ['not ours', ['1-brief.md', '12-x', 'notes.md', 'x-003-a', '004'], 1],
    ['a file that a person added', ['001-brief.md', '050-thoughts.md'], 51],
    ['half-made files', ['.002-draft.md.partial', '001-brief.md'], 2],
  ])('%s', (_, names, next) => {
    expect(nextLineageNumber(names)).toBe(next);
  });

  it('does not use a number twice beside a file that begins with a time stamp of 17 digits', () => {
    const names = ['20240101123456789-note.md'];
    const first = lineageFileName(nextLineageNumber(names), 'draft.md');
    const second = lineageFileName(nextLineageNumber([...names, first]), 'draft.md');
    expect(second).not.toBe(first);
  });
});

describe('names', () => {
  it.each([
    [1, '001-draft.md'],
    [42, '042-draft.md'],
    [1000, '1000-draft.md'],
  ])('number %i gives %s', (number, name) => {
    expect(lineageFileName(number, 'draft.md')).toBe(name);
  });

  it('folders say where a run is', () => {
    expect(activeFolder('export-csv')).toBe('docs/lineage/active/export-csv');
    expect(doneFolder(42, 'export-csv')).toBe('docs/lineage/done/42-export-csv');
  });
});
