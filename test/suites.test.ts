/** The lists of `suites.ts` name every suite that does less in `npm test` than in `npm run test:long`, and no other file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longSuites, sampledSuites } from './suites.ts';

const root = join(import.meta.dirname, '..');
const listed = [...longSuites, ...sampledSuites];

/** What a test takes from the places that tell the two apart, and commands that share a process. */
const doesLess = /\b(?:propertyRuns|fewOf|onlyOf|itLong|isLong)\b|\b(?:playground|other)\.(?:run|json)\b/u;

it('names files that are there, each once', () => {
  expect(listed.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(listed.filter((file, index) => listed.indexOf(file) !== index)).toEqual([]);
});

it('names every suite that does less in npm test', () => {
  const suites = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
  const does = suites.filter((file) => doesLess.test(readFileSync(join(root, file), 'utf8')));
  expect(does.length).toBeGreaterThan(50);
  expect(does.filter((file) => !listed.includes(file) && file !== 'test/suites.test.ts')).toEqual([]);
});
