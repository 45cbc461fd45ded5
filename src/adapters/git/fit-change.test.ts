/** What is too large or too much is left out and named; the rest stays. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeLimits, fitChange, type SizedFile } from './fit-change.ts';

const file = (path: string, size = 1, isNew = true): SizedFile => ({ path, size, isNew });
const many = (folder: string, count: number, isNew = true): SizedFile[] =>
  Array.from({ length: count }, (_, index) => file(`${folder}${String(index).padStart(6, '0')}`, 1, isNew));
const refused = (files: readonly SizedFile[], folders: readonly string[] = []): string[] =>
  fitChange(files, new Set(folders)).map(({ path }) => path);

it('files have a limit of their own', () => {
  expect(refused([file('a', changeLimits.file), file('b', changeLimits.file)])).toEqual([]);
  expect(fitChange([file('a'), file('b', changeLimits.file + 1)], new Set())).toEqual([
    { path: 'b', why: 'b has 10 MiB; a file may have 10 MiB.' },
  ]);
  expect(fitChange([file('big.bin', 300 * 1024 * 1024)], new Set())).toEqual([
    { path: 'big.bin', why: 'big.bin has 300 MiB; a file may have 10 MiB.' },
  ]);
});

it('all together have one, and the largest give way', () => {
  const size = changeLimits.change / 4;
  expect(refused([file('a', size), file('b', size), file('c', size), file('d', size)])).toEqual([]);
  expect(
    refused([file('a', size - 1), file('b', size), file('c', size), file('d', size), file('e', 10)]),
  ).toEqual(['b']);
});

it('so has their number, and new folders with many files give way first', () => {
  const half = changeLimits.files / 2;
  expect(refused([...many('a/', half), ...many('b/', half)])).toEqual([]);
  const found = fitChange(
    [file('src/x'), ...many('src/node_modules/', changeLimits.files), ...many('b/', 10)],
    new Set(['src']),
  );
  expect(new Set(found.map(({ why }) => why))).toEqual(
    new Set(['src/node_modules/ brings 5,000 files; a change may have 5,000.']),
  );
  expect(found).toHaveLength(changeLimits.files);
  expect(refused(many('', changeLimits.files + 2))).toEqual(['005000', '005001']);
  expect(refused(many('old/', changeLimits.files + 1, false), ['old'])).toEqual(['old/005000']);
});

it('whatever is in it, the rest fits', () => {
  const sizes = fc.oneof(fc.nat(100), fc.nat(changeLimits.file * 2));
  const files = fc.uniqueArray(
    fc.record({
      path: fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', '/') }),
      size: sizes,
      isNew: fc.boolean(),
    }),
    { selector: ({ path }) => path, maxLength: 40 },
  );
  fc.assert(
    fc.property(files, (some) => {
      const out = new Set(refused(some));
      const rest = some.filter(({ path }) => !out.has(path));
      expect(rest.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(changeLimits.change);
      expect(rest.every(({ size }) => size <= changeLimits.file)).toBe(true);
      expect([...out].every((path) => some.some((one) => one.path === path))).toBe(true);
    }),
  );
});
