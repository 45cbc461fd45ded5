/** Short names of briefs: they become folder names, so nothing but `[a-z0-9-]` ever comes out of here. */
import { GatewrightError } from '../../errors.ts';

const longestSlug = 80;

/** Makes a slug of a file name: `My Feature_idea.md` → `my-feature-idea`. Throws when nothing is left. */
export function makeSlug(fileName: string): string {
  const stem = fileName.replace(/\.[^.]*$/u, '') || fileName;
  const slug = stem
    .toLowerCase()
    .replace(/[\s_]+/gu, '-')
    .replace(/[^a-z0-9-]/gu, '')
    .replace(/-+/gu, '-')
    .slice(0, longestSlug)
    .replace(/^-|-$/gu, '');
  if (slug === '') {
    throw new GatewrightError(
      'slug-invalid',
      'The file name has no letter a–z and no digit to make a short name of.',
    );
  }
  return slug;
}

/**
 * Checks a slug that a person typed. Unlike a file name it is not repaired: the run should have the name that the
 * person typed.
 */
export function checkSlug(slug: string): string {
  if (slug.length > longestSlug || !/^[a-z0-9]+(-[a-z0-9]+)*$/u.test(slug)) {
    throw new GatewrightError('slug-invalid', 'That short name is not allowed.');
  }
  return slug;
}

/** The name of the n-th fork of a run: `name-fork`, `name-fork-2` …; a fork of a fork counts on. */
export function makeForkSlug(slug: string, number: number): string {
  const ending = number === 1 ? '-fork' : `-fork-${number}`;
  const base = slug.replace(/(.)-fork(?:-\d+)?$/u, '$1');
  return `${base.slice(0, longestSlug - ending.length).replace(/-+$/u, '')}${ending}`;
}
