import { describe, expect, it } from 'vitest';
import { codeReviewSchema, identifyFinding, identifyFindings, isReviewClean } from './review-finding.ts';

const base = {
  path: 'src/a.ts',
  line: 10 as number | null,
  severity: 'major' as const,
  category: 'bug',
  title: 'Off by one',
  detail: 'The last item is left out.',
};

describe('identifyFinding', () => {
  it('stays the same when the line moves, is indented anew or is described in other words', () => {
    const id = identifyFinding(base, 'for (let i = 0; i < n - 1; i++)');
    expect(identifyFinding({ ...base, line: 99 }, '   for (let i = 0; i < n - 1; i++)')).toBe(id);
    expect(identifyFinding({ ...base, title: 'Skips the last one' }, 'for (let i = 0; i < n - 1; i++)')).toBe(
      id,
    );
  });

  it('differs for another file, kind or line of code', () => {
    const id = identifyFinding(base, 'a');
    expect(identifyFinding({ ...base, path: 'src/b.ts' }, 'a')).not.toBe(id);
    expect(identifyFinding({ ...base, category: 'security' }, 'a')).not.toBe(id);
    expect(identifyFinding(base, 'b')).not.toBe(id);
  });

  it('goes by the title where there is no line of code', () => {
    expect(identifyFinding({ ...base, line: null }, null)).toBe(identifyFinding({ ...base, line: 3 }, '  }'));
    expect(identifyFinding({ ...base, line: null, title: 'Other' }, null)).not.toBe(
      identifyFinding(base, null),
    );
  });
});

describe('identifyFindings', () => {
  it('keeps the graver of two about one thing', () => {
    const found = identifyFindings(
      [
        { ...base, severity: 'minor' },
        { ...base, severity: 'critical', title: 'Again' },
        { ...base, line: 11 },
      ],
      (_, line) => `line ${line}`,
    );
    expect(found.map((one) => [one.severity, one.line])).toEqual([
      ['critical', 10],
      ['major', 11],
    ]);
  });
});

describe('codeReviewSchema', () => {
  it('takes only what the schema has', () => {
    expect(
      codeReviewSchema.safeParse({ summary: 's', findings: [{ ...base, severity: 'fatal' }] }).success,
    ).toBe(false);
    expect(codeReviewSchema.safeParse({ summary: 's', findings: [base] }).success).toBe(true);
  });
});

describe('isReviewClean', () => {
  const one = { ...base, id: 'one' };
  const other = { ...base, id: 'other', severity: 'critical' as const };
  const small = { ...base, id: 'small', severity: 'minor' as const };
  it.each([
    ['nothing was found', [], [], true],
    ['only small things were found', [small], [], true],
    ['something was found', [one, small], [], false],
    ['all that holds it back was dismissed', [one, other, small], ['one', 'other'], true],
    ['some of it was dismissed', [one, other], ['one'], false],
    ['something else was dismissed', [one], ['small'], false],
  ])('when %s', (_, findings, dismissed, expected) => {
    expect(isReviewClean(findings, new Set(dismissed))).toBe(expected);
  });
});
