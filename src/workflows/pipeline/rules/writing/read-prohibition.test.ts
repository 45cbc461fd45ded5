import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../../../test/support/processor-time.ts';
import { readProhibitions } from './read-prohibition.ts';

const paths = (deed: string, ...list: string[]): unknown => [{ kind: 'paths', deeds: [deed], paths: list }];
const added = [{ kind: 'dependencies', onlyNew: true }];
const touched = [{ kind: 'dependencies', onlyNew: false }];
const api = [{ kind: 'public-api' }];
const tests = (deed: string): unknown => [{ kind: 'tests', deed }];

describe('a sentence that forbids', () => {
  it.each<[string, unknown]>([
    ["Don't touch src/api/client.ts", paths('change', 'src/api/client.ts')],
    ['Don’t touch src/api/.', paths('change', 'src/api/')],
    ['do not modify `src/api/**`', paths('change', 'src/api/')],
    ['Never edit the files in src/legacy/', paths('change', 'src/legacy/')],
    [
      'Do not change "src/a.ts", src/b.ts or `src/c.ts`.',
      paths('change', 'src/a.ts', 'src/b.ts', 'src/c.ts'),
    ],
    ['Must not alter src/Api/Client.ts', paths('change', 'src/Api/Client.ts')],
    ['Modify package.json', paths('change', 'package.json')],
    ['Changing ./src/a.ts', paths('change', 'src/a.ts')],
    ['No changes to src/api/', paths('change', 'src/api/')],
    ['Leave src/a.ts alone', paths('change', 'src/a.ts')],
    ['Keep src/a.ts and src/b.ts unchanged', paths('change', 'src/a.ts', 'src/b.ts')],
    ['Do not delete src/a.ts', paths('remove', 'src/a.ts')],
    ["Don't rename src/a.ts", paths('rename', 'src/a.ts')],
    ["Don't touch src/a.ts, because it is generated", paths('change', 'src/a.ts')],
    ["Don't touch src/a.ts (it is generated)", paths('change', 'src/a.ts')],
    [
      "Don't modify or delete src/a.ts",
      [{ kind: 'paths', deeds: ['change', 'remove'], paths: ['src/a.ts'] }],
    ],
    ["Don't add new files to src/api/", paths('add', 'src/api/')],
    ['No new files', paths('add')],
    ['No new dependencies', added],
    ["Don't add any new npm dependency.", added],
    ['Do not introduce third-party libraries', added],
    ["Don't add dependencies", added],
    ["Don't change the dependencies", touched],
    ['No dependency changes', touched],
    ['Do not upgrade existing packages', touched],
    ["Don't change the public API", api],
    ['Do not break the public interface.', api],
    ['No changes to the exports', api],
    ['Keep the public API unchanged', api],
    ["Don't remove exports", api],
    ["Don't delete existing tests", tests('remove')],
    ['Do not skip tests', tests('skip')],
    ['Never weaken tests', tests('weaken')],
    ["Don't modify existing tests", tests('change')],
    ["Don't delete or skip tests", tests('remove')],
    ["Don't touch src/a.ts; no new dependencies", [...(paths('change', 'src/a.ts') as unknown[]), ...added]],
    [
      "Don't touch src/a.ts and don't delete tests",
      [...(paths('change', 'src/a.ts') as unknown[]), ...(tests('remove') as unknown[])],
    ],
  ])('is read: %j', (sentence, expected) => {
    expect(readProhibitions(sentence)).toEqual(expected);
  });

  it.each([
    '',
    ' . ',
    "Don't refactor the existing state management",
    "Don't modify the API response format",
    "Don't change the response format in src/api/client.ts",
    "Don't touch src/api/ unless it is needed",
    "Don't touch src/api/ except src/api/new.ts",
    'Do not change anything but src/a.ts',
    'Only change src/a.ts',
    "Don't forget to update src/a.ts",
    "Don't refactor src/a.ts",
    'Keep the slider unchanged',
    "Don't touch `slugify`",
    "Don't touch src/a.ts and the login page",
    "Don't change src/*.test.ts",
    'No new features',
    "Don't add tests for the menu",
    "Don't change more than src/a.ts",
    "Don't use new dependencies in the browser build",
    "Don't change how tests are run",
    "Don't touch src/a.ts; make it nice",
    "Don't import src/a.ts",
    'No',
  ])('is left to the reviewer: %j', (sentence) => {
    expect(readProhibitions(sentence)).toBeNull();
  });

  it('is read or left, whatever it says, in no long time', () => {
    const word = fc.constantFrom(
      "don't",
      'touch',
      'src/a.ts',
      ',',
      'and',
      'no',
      'new',
      'files',
      '(',
      ';',
      '`',
      '*',
      'tests',
      'the',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(word).map((words) => words.join(' ')),
        ),
        (text) => {
          for (const one of readProhibitions(text) ?? [])
            if (one.kind === 'paths') for (const path of one.paths) expect(text).toContain(path);
        },
      ),
      { numRuns: 500 },
    );
    for (const text of ["don't touch ", 'touch or ', 'the ', ' ', '`', 'new ', 'no ', '. ', 'and no '])
      expect(processorMilliseconds(() => readProhibitions(text.repeat(50_000)))).toBeLessThan(1000);
    for (const text of ["don't touch ", 'touch, ', 'the ', ' , it', 'new ', 'src/'])
      expect(
        processorMilliseconds(() => readProhibitions(`don't touch ${text.repeat(480 / text.length)}`)),
      ).toBeLessThan(1000);
  });
});
