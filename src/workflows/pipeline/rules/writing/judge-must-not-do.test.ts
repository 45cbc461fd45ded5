import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDiff } from '../../../../../test/support/make-diff.ts';
import { processorMilliseconds } from '../../../../../test/support/processor-time.ts';
import type { ChangedPath } from '../../../../domain/changes/change-risk.ts';
import { findWeakened } from '../../../../runs/coding/proof/rules/find-weakened.ts';
import { blocksOf, readDiff } from '../../../../runs/coding/proof/rules/read-diff.ts';
import { judgeMustNotDo } from './judge-must-not-do.ts';

type Files = Readonly<Record<string, string>>;

function changedPaths(diff: string): ChangedPath[] {
  return readDiff(diff).map((file) => ({
    ...{ path: file.path, change: file.change, isBinary: false },
    previousPath: file.previousPath === file.path ? null : file.previousPath,
    additions: blocksOf(file).reduce((sum, { added }) => sum + added.length, 0),
    deletions: blocksOf(file).reduce((sum, { removed }) => sum + removed.length, 0),
    was: file.change === 'added' ? null : 'file',
    is: file.change === 'removed' ? null : 'file',
  }));
}

function judge(mustNotDo: readonly string[], before: Files, after: Files) {
  const diff = makeDiff(before, after);
  return judgeMustNotDo({ mustNotDo, diff, files: changedPaths(diff), weakened: findWeakened(diff) });
}

const before: Files = {
  'src/api/client.ts': 'one();\ntwo();\n',
  'src/api.ts': 'one();\n',
  'src/index.ts': "export { a, b } from './a.ts';\n",
  'src/a.ts': 'export const a = 1;\nexport const b = 2;\n',
  'package.json': '{\n  "dependencies": {\n    "x": "^1.0.0"\n  }\n}\n',
  'test/a.test.ts':
    "it('adds', () => {\n  expect(a).toBe(1);\n});\n\nit('takes', () => {\n  expect(b).toBe(2);\n});\n",
  'mix.exs': 'a\n',
};
const withOut = (path: string): Files =>
  Object.fromEntries(Object.entries(before).filter(([name]) => name !== path));
const dependency = before['package.json']?.replace('"x"', '"y": "^1.0.0",\n    "x"') ?? '';
const twoTests = before['test/a.test.ts'] ?? '';

describe('a change that breaks a sentence of must_not_do', () => {
  it.each<[string, Files, readonly [string, number | null][]]>([
    [
      "Don't touch src/api/",
      { ...before, 'src/api/client.ts': 'one();\nthree();\n' },
      [['src/api/client.ts', 2]],
    ],
    [
      "Don't touch src/api",
      { ...before, 'src/api/client.ts': 'one();\nthree();\n' },
      [['src/api/client.ts', 2]],
    ],
    ["Don't touch `client.ts`", { ...before, 'src/api/client.ts': 'one();\n' }, [['src/api/client.ts', 2]]],
    ["Don't modify src/api/", { ...before, 'src/api/new.ts': 'x\n' }, [['src/api/new.ts', 1]]],
    ["Don't modify src/api/client.ts", withOut('src/api/client.ts'), [['src/api/client.ts', null]]],
    ["Don't delete src/api/client.ts", withOut('src/api/client.ts'), [['src/api/client.ts', null]]],
    [
      "Don't rename src/api/client.ts",
      { ...withOut('src/api/client.ts'), 'src/http.ts': before['src/api/client.ts'] ?? '' },
      [['src/api/client.ts', null]],
    ],
    ['No new files', { ...before, 'src/new.ts': 'x\n' }, [['src/new.ts', 1]]],
    ['No new dependencies', { ...before, 'package.json': dependency }, [['package.json', 3]]],
    [
      "Don't change the public API",
      { ...before, 'src/index.ts': "export { a } from './a.ts';\n" },
      [['src/index.ts', 1]],
    ],
    ["Don't delete tests", { ...before, 'test/a.test.ts': twoTests.slice(0, 47) }, [['test/a.test.ts', 5]]],
    ["Don't delete tests", withOut('test/a.test.ts'), [['test/a.test.ts', 1]]],
    [
      "Don't skip tests",
      { ...before, 'test/a.test.ts': twoTests.replace('it(', 'it.skip(') },
      [['test/a.test.ts', 1]],
    ],
    [
      "Don't modify existing tests",
      { ...before, 'test/a.test.ts': twoTests.replace("'adds'", "'sums'") },
      [['test/a.test.ts', 1]],
    ],
  ])('%j is found', (sentence, after, expected) => {
    const { violations, sentences } = judge([sentence], before, after);
    expect(violations.map(({ path, line }) => [path, line])).toEqual(expected);
    expect(sentences).toEqual([
      { sentence, isJudged: true, note: expect.stringContaining('Code judged it by') },
    ]);
    for (const one of violations)
      expect(one).toMatchObject({ sentence, message: expect.stringMatching(/^\S.*\.$/u) });
  });

  it.each<[string, Files]>([
    ["Don't touch src/api/", { ...before, 'src/api.ts': 'two();\n' }],
    ["Don't touch src/api.ts", { ...before, 'src/api.tsx': 'two();\n' }],
    ["Don't delete src/api/client.ts", { ...before, 'src/api/client.ts': 'one();\n' }],
    ["Don't add new files to src/api/", { ...before, 'src/new.ts': 'x\n' }],
    [
      'No new dependencies',
      { ...before, 'package.json': dependency.replace('"y": "^1.0.0",\n    "x": "^1', '"x": "^2') },
    ],
    [
      "Don't delete tests",
      { ...before, 'test/a.test.ts': `${twoTests}\nit('more', () => {\n  expect(a).toBe(1);\n});\n` },
    ],
    [
      "Don't modify existing tests",
      { ...before, 'test/a.test.ts': `${twoTests}\nit('more', () => {\n  expect(a).toBe(1);\n});\n` },
    ],
    ["Don't change the public API", { ...before, 'src/index.ts': "export { a, b, c } from './a.ts';\n" }],
  ])('%j is kept', (sentence, after) => {
    const { violations, sentences } = judge([sentence], before, after);
    expect(violations).toEqual([]);
    expect(sentences[0]?.isJudged).toBe(true);
  });

  it.each<[string, Files, string]>([
    ["Don't refactor the state management", before, 'No rule can read this sentence'],
    [
      'No new dependencies',
      { ...before, 'mix.exs': 'b\n' },
      'no rule could read the dependencies in `mix.exs`',
    ],
    [
      "Don't change the public API",
      { ...before, 'src/a.ts': 'export const a = 1;\n' },
      '1 other file may change',
    ],
  ])('%j is left to the reviewer', (sentence, after, note) => {
    const { sentences } = judge([sentence], before, after);
    expect(sentences).toEqual([{ sentence, isJudged: false, note: expect.stringContaining(note) }]);
  });

  it('is not judged by a difference that does not show the manifest', () => {
    const diff = makeDiff(before, { ...before, 'package.json': dependency });
    const files = changedPaths(diff);
    const cut = judgeMustNotDo({ mustNotDo: ['No new dependencies'], diff: '', files, weakened: [] });
    expect(cut.violations).toEqual([]);
    expect(cut.sentences[0]).toMatchObject({ isJudged: false });
  });
});

describe('hostile input', () => {
  it('is judged without failing; each sentence is answered once, and violations name its files', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        "Don't touch src/api/",
        'No new files',
        'No new dependencies',
        "Don't delete tests",
        "Don't change the public API",
      ),
    );
    const change = fc.record({
      path: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.keys(before))),
      previousPath: fc.option(fc.string()),
      change: fc.constantFrom('added', 'modified', 'removed', 'renamed'),
      additions: fc.nat(),
      deletions: fc.nat(),
      isBinary: fc.boolean(),
      was: fc.constant(null),
      is: fc.constant(null),
    });
    const diff = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((end) => `${makeDiff(before, {})}${end}`),
    );
    fc.assert(
      fc.property(fc.array(text), fc.array(change), diff, (mustNotDo, files, given) => {
        const { violations, sentences } = judgeMustNotDo({ mustNotDo, files, diff: given, weakened: [] });
        expect(sentences.map(({ sentence }) => sentence)).toEqual(mustNotDo);
        for (const { sentence, message } of violations) {
          expect(mustNotDo).toContain(sentence);
          expect(message).not.toMatch(/[\n\0\u202e]/u);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('takes no long time', () => {
    const big = Array.from({ length: 20_000 }, (_, index) => `    "p-${index}": "^1.0.0",`).join('\n');
    const diff = `diff --git a/package.json b/package.json\n--- a/package.json\n+++ b/package.json\n@@ -1,1 +1,20001 @@\n {\n${big.replace(/^/gmu, '+')}\n`;
    const wide = `diff --git a/src/index.ts b/src/index.ts\n--- a/src/index.ts\n+++ b/src/index.ts\n@@ -1,1 +1,1 @@\n-export {${' a,'.repeat(100_000)}}\n+x\n`;
    const mustNotDo = Array.from({ length: 20 }, () => [
      'No new dependencies',
      "Don't change the public API",
    ]).flat();
    const files = changedPaths(diff);
    expect(
      processorMilliseconds(() => judgeMustNotDo({ mustNotDo, files, diff: `${diff}${wide}`, weakened: [] })),
    ).toBeLessThan(10_000);
  });
});
