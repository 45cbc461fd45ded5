/** A slug becomes a folder name, so no file name, however hostile, may make one that leaves the lineage folder. */
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import { isGatewrightError } from '../../errors.ts';
import { checkSlug, makeForkSlug, makeSlug } from './slug.ts';

const fragments = [
  '$(x)',
  '../',
  '..',
  '/',
  '\\',
  '-',
  '--',
  '_',
  ' ',
  '.',
  '\0',
  '\u202E',
  '\n',
  'A',
  'z9',
  'É',
  '\u212A',
  '~',
];

const fileName = hostileText(fragments, 120);

/** The rule said in another way than the source says it. */
function isSlug(text: string): boolean {
  const isWord = (word: string) =>
    word !== '' && [...word].every((one) => 'abcdefghijklmnopqrstuvwxyz0123456789'.includes(one));
  return text.length <= 80 && text.split('-').every(isWord);
}

describe('makeSlug', () => {
  it.each([
    ['My Feature_idea.md', 'my-feature-idea'],
    ['export-csv.md', 'export-csv'],
    ['a.b.c.md', 'abc'],
    ['.hidden', 'hidden'],
    ['.md', 'md'],
    ['  spaced   out  .md', 'spaced-out'],
    ['--flag.md', 'flag'],
    ['../etc/passwd.md', 'etcpasswd'],
    ['Größe 9.md', 'gre-9'],
    [`${'a'.repeat(79)}-b.md`, 'a'.repeat(79)],
    [`${'a'.repeat(300)}.md`, 'a'.repeat(80)],
  ])('makes of %j the slug %j', (name, slug) => {
    expect(makeSlug(name)).toBe(slug);
  });

  it.each(['', '---.md', '日本語.md', '\u202E.md', '$().md', '\0'])(
    'refuses %j: nothing usable is left',
    (name) => {
      expect(thrownCode(() => makeSlug(name))).toBe('slug-invalid');
    },
  );

  it('gives a slug that stays inside its folder, or refuses', () => {
    let made = 0;
    fc.assert(
      fc.property(fileName, (name) => {
        let slug: string;
        try {
          slug = makeSlug(name);
        } catch (error) {
          expect(isGatewrightError(error, 'slug-invalid')).toBe(true);
          return;
        }
        made += 1;
        expect(slug).toMatch(/^[a-z0-9-]{1,80}$/u);
        expect(slug.startsWith('-') || slug.endsWith('-')).toBe(false);
        expect(relative('/some/lineage', join('/some/lineage', slug))).toBe(slug);
        expect(checkSlug(slug)).toBe(slug);
        expect(makeSlug(`${slug}.md`)).toBe(slug);
      }),
      { numRuns: propertyRuns(10_000) },
    );
    // Otherwise the property could hold because everything was refused.
    expect(made).toBeGreaterThan(propertyRuns(10_000) * 0.3);
  });
});

describe('checkSlug', () => {
  const typed = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'z', '0', '9', '-'), maxLength: 100 }),
    fc.string({ unit: fc.constantFrom('a', '0', '-', 'A', '_', '.', '/', '\n', 'é', '\0'), maxLength: 12 }),
    fileName,
  );

  it('accepts exactly lower-case words joined by single hyphens, at most 80 characters', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(typed, (text) => {
        if (isSlug(text)) {
          seen.accepted += 1;
          expect(checkSlug(text)).toBe(text);
        } else {
          seen.refused += 1;
          expect(thrownCode(() => checkSlug(text))).toBe('slug-invalid');
        }
      }),
      { numRuns: propertyRuns(10_000) },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(propertyRuns(10_000) * 0.03);
  });

  it.each(['a\n', '-a', 'a-', 'a--b', 'A', '', 'a'.repeat(81), 'a b', '../a'])('refuses %j', (text) => {
    expect(thrownCode(() => checkSlug(text))).toBe('slug-invalid');
  });
});

describe('makeForkSlug', () => {
  it.each([
    ['export-csv', 1, 'export-csv-fork'],
    ['export-csv', 2, 'export-csv-fork-2'],
    ['export-csv-fork', 1, 'export-csv-fork'],
    ['export-csv-fork-7', 3, 'export-csv-fork-3'],
    ['fork', 1, 'fork-fork'],
    [`${'a'.repeat(74)}-b`, 12, `${'a'.repeat(72)}-fork-12`],
  ])('%s, number %i: %s', (slug, number, expected) => {
    expect(makeForkSlug(slug, number)).toBe(expected);
    expect(checkSlug(expected)).toBe(expected);
  });
});
