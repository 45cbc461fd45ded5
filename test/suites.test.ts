/** The lists of `suites.ts` name every suite that does less in `npm test` than in `npm run test:long`, and no other file. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longSuites, sampledSuites, slowSuites } from './suites.ts';
import { itLong } from './support/it-long.ts';

const root = join(import.meta.dirname, '..');
const listed = [...longSuites, ...sampledSuites];

/** What a test takes from the places that tell the two apart, and commands that share a process. */
const doesLess = /\b(?:propertyRuns|fewOf|onlyOf|itLong|isLong)\b|\b(?:playground|other)\.(?:run|json)\b/u;

it('names files that are there, each once', () => {
  expect(listed.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(listed.filter((file, index) => listed.indexOf(file) !== index)).toEqual([]);
  expect(slowSuites.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

const suites = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name)),
);

/** The files that vitest would run, as it lists them. */
function listRun(variables: Readonly<Record<string, string>>): string[] {
  const { PATH, HOME } = process.env;
  const words = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'list', '--filesOnly', '--root', root];
  const output = execFileSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH, HOME, NO_COLOR: '1', ...variables },
  });
  return output
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\[\w+\] /u, ''));
}

itLong('every suite is run once: by npm test, or by npm run test:long', () => {
  const short = suites.filter((file) => !longSuites.includes(file));
  expect(listRun({}).sort()).toEqual(short.sort());
  expect(listRun({ GATEWRIGHT_TEST_LONG: '1' }).sort()).toEqual([...listed].sort());
});

it('names every suite that does less in npm test', () => {
  const does = suites.filter((file) => doesLess.test(readFileSync(join(root, file), 'utf8')));
  expect(does.length).toBeGreaterThan(50);
  expect(does.filter((file) => !listed.includes(file))).toEqual([]);
});
