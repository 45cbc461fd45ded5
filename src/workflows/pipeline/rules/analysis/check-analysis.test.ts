import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../../../test/support/processor-time.ts';
import { testRunners } from '../../../../domain/changes/test-runners.ts';
import type { Analysis, TestRequirement } from './analysis.ts';
import { type AnalysisFacts, checkAnalysis } from './check-analysis.ts';

const files = ['src/slider.ts', 'src/list.ts', 'src/deep/value.ts', 'tests/slider.test.ts', 'README.md'];
const test: TestRequirement = {
  ...{ required: true, type: 'regression', location: 'tests/list.test.ts', description: 'The value stays.' },
};
const sound: Analysis = {
  brief: 'The slider writes its value too late.',
  files: [
    { path: 'src/slider.ts', purpose: 'the slider', action: 'modify' },
    { path: 'src/value.ts', purpose: 'the value', action: 'create' },
  ],
  test_requirement: test,
  must_do: ['Keep the value'],
  must_not_do: ['Do not touch src/list.ts'],
};

function problems(more: Partial<Analysis>, facts: Partial<AnalysisFacts> = {}): string[] {
  const found = checkAnalysis({ ...sound, ...more }, { type: 'BUG_FIX', files, runners: [], ...facts });
  return found.map(({ path, message, suggestion }) => `${path}: ${message} ${suggestion}`);
}

const file = (path: string, action: 'create' | 'modify' | 'delete' = 'modify'): Partial<Analysis> => ({
  files: [{ path, purpose: '', action }],
});

describe('an analysis', () => {
  it('that fits the repository has no problem', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ must_not_do: [] })).toEqual([]);
  });

  it.each<[string, Partial<Analysis>, string]>([
    ['no brief', { brief: null }, 'brief: The brief is empty.'],
    ['a blank brief', { brief: ' \n' }, 'brief: The brief is empty.'],
    ['no file', { files: [] }, 'files: The analysis names no file.'],
    ['nothing to do', { must_do: [' '] }, 'must_do: The analysis does not say what has to be done.'],
    ['a blank entry', { must_do: ['One', ''] }, 'must_do[1]: This entry is empty.'],
    [
      'a file that may not be touched',
      { must_not_do: ["Don't touch src/slider.ts"] },
      'forbids to modify `src/slider.ts`',
    ],
    ['a new file that may not be', { must_not_do: ['No new files'] }, 'forbids to create `src/value.ts`'],
    ['both lists', { must_not_do: ['keep the value!'] }, 'must_not_do[0]: The same is in must_do.'],
    [
      'a file that is not there',
      file('src/sliders.ts'),
      'files[0].path: `src/sliders.ts` does not exist, so it cannot be modified. Did you mean `src/slider.ts`',
    ],
    [
      'a file in another folder',
      file('lib/value.ts', 'delete'),
      'files[0].path: `lib/value.ts` does not exist, so it cannot be deleted. Did you mean `src/deep/value.ts`',
    ],
    ['a folder', file('src/deep'), 'files[0].path: `src/deep` is a folder. Name the files in it.'],
    [
      'a new file that is there',
      file('src/deep/value.ts', 'create'),
      'exists already. Call the action "modify".',
    ],
    ['a new file in a file', file('README.md/x.ts', 'create'), '`README.md` is a file'],
    ['a new folder that is there', file('src/deep', 'create'), '`src/deep` is a folder. Name a file.'],
    ['another case', file('src/List.ts', 'create'), 'is the same file as `src/list.ts` on some disks'],
    ['a way out', file('../../etc/passwd'), 'is not a path inside the repository'],
    ['an absolute path', file('/etc/passwd', 'create'), 'is not a path inside the repository'],
    ['a drive', file('C:/x.ts', 'create'), 'is not a path inside the repository'],
    ['git itself', file('.git/hooks/pre-commit', 'create'), 'is not a path inside the repository'],
    ['a steering file', file('.github/workflows/ci.yml', 'create'), 'only a person changes it'],
    ['instructions of agents', file('src/CLAUDE.md', 'create'), 'only a person changes it'],
    ['secrets', file('config/server.key', 'create'), 'may hold secrets'],
    ['settings with secrets', file('.env.local', 'create'), 'may hold secrets'],
  ])('with %s', (_, more, expected) => {
    const found = problems(more);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  it('with a file twice', () => {
    expect(problems({ files: [...sound.files, ...sound.files] })).toEqual([
      expect.stringContaining('files[2].path: `src/slider.ts` is listed twice.'),
      expect.stringContaining('files[3].path: `src/value.ts` is listed twice.'),
    ]);
  });

  it('tells all its problems at once, in the order of its fields', () => {
    const worst = {
      brief: '',
      files: file('x').files ?? [],
      test_requirement: null,
      must_do: [],
      must_not_do: [],
    };
    expect(problems(worst).map((one) => one.split(':')[0])).toEqual([
      ...['brief', 'files[0].path', 'test_requirement', 'must_do'],
    ]);
  });

  it('guesses for few paths only', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      path: `src/slider${index}.ts`,
      purpose: '',
      action: 'modify' as const,
    }));
    expect(problems({ files: many }).filter((one) => one.includes('Did you mean'))).toHaveLength(12);
  });
});

describe('the test that an analysis demands', () => {
  const refactoring: Partial<AnalysisFacts> = { type: 'REFACTOR_STYLE' };
  const feature: Partial<AnalysisFacts> = { type: 'NEW_FEATURE' };
  const none: TestRequirement = { required: false, type: 'none', location: null, description: null };

  it.each<[string, TestRequirement | null, Partial<AnalysisFacts>, readonly string[]]>([
    ['of a fix', test, {}, []],
    ['of a fix in a file that is there', { ...test, location: 'tests/slider.test.ts' }, {}, []],
    ['of a feature', { ...test, type: 'happy_path' }, feature, []],
    ['of a refactoring', none, refactoring, []],
    ['of a refactoring without a type', { ...none, type: null }, refactoring, []],
    ['of a refactoring, too much', test, refactoring, ['needs no new test']],
    ['missing', null, {}, ['does not say which test is required']],
    ['of a fix, none', none, {}, ['.required', '.type', '.description', '.location']],
    ['of a fix, of the wrong type', { ...test, type: 'happy_path' }, {}, ['Set type to "regression"']],
    ['of a feature, of the wrong type', test, feature, ['Set type to "happy_path"']],
    ['without description', { ...test, description: ' ' }, {}, ['no description']],
    ['without a place', { ...test, location: '' }, {}, ['no location']],
    [
      'in a source file',
      { ...test, location: 'src/list.ts' },
      {},
      ['no file that the tests of this project would run'],
    ],
    ['with an odd name', { ...test, location: 'tests/süm.test.ts' }, {}, ['other characters than plain']],
    ['outside', { ...test, location: '../x.test.ts' }, {}, ['not a path inside']],
    ['in a file that steers', { ...test, location: '.github/x.test.ts' }, {}, ['only a person']],
    ['in no known folder', { ...test, location: 'a/b/c/list.test.ts' }, {}, ['There is no folder `a/b/c`']],
    ['in a folder that is a file', { ...test, location: 'README.md/x.test.ts' }, {}, ['called like a file']],
    [
      'for another runner',
      test,
      { runners: testRunners.filter(({ name }) => name === 'pytest') },
      ['Name it as pytest expects'],
    ],
  ])('%s', (_, requirement, facts, parts) => {
    const found = problems({ test_requirement: requirement }, facts);
    expect(found).toHaveLength(parts.length);
    for (const [index, part] of parts.entries()) expect(found[index]).toContain(part);
  });

  it('may not stand in a file that is to be deleted', () => {
    const doomed = { path: 'tests/slider.test.ts', purpose: '', action: 'delete' as const };
    expect(
      problems({ files: [doomed], test_requirement: { ...test, location: doomed.path } }).join('\n'),
    ).toContain('is to be deleted');
  });
});

describe('a hostile analysis', () => {
  const path = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      ...files,
      '../x',
      '/x',
      '.git/config',
      'a\0b',
      'CON',
      '.env',
      '\u202e.ts',
      '~/x',
      'src//x',
    ),
    fc.array(fc.constantFrom('..', '.', 'src', '.git', 'x.ts', '')).map((parts) => parts.join('/')),
  );

  it('is judged without failing, and no unusable path goes through', () => {
    const requirement = fc.record({
      required: fc.boolean(),
      type: fc.constantFrom('regression', 'happy_path', 'none', null),
      location: fc.option(path),
      description: fc.option(fc.string()),
    });
    const analysis = fc.record({
      brief: fc.option(fc.string()),
      files: fc.array(
        fc.record({ path, purpose: fc.string(), action: fc.constantFrom('create', 'modify', 'delete') }),
      ),
      test_requirement: fc.option(requirement),
      must_do: fc.array(fc.string()),
      must_not_do: fc.array(fc.string()),
    });
    fc.assert(
      fc.property(analysis, fc.constantFrom('BUG_FIX', 'NEW_FEATURE', 'REFACTOR_STYLE'), (given, type) => {
        const found = checkAnalysis(given, { type, files, runners: [] });
        const places = new Set(found.map((problem) => problem.path));
        for (const [index, one] of given.files.entries()) {
          const isUnusable = /^(?:\/|~|[A-Za-z]:)|(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)|[\0\\\u202e\n]/u.test(
            one.path,
          );
          const isAbsent = one.action !== 'create' && !files.includes(one.path);
          if (isUnusable || isAbsent) expect(places.has(`files[${index}].path`)).toBe(true);
        }
        for (const { message, suggestion } of found) {
          expect(message).toMatch(/^\S.*\.$/su);
          expect(message).not.toMatch(/[\0\u202e\n]/u);
          expect(suggestion).toMatch(/[.?]$/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes no long time', () => {
    const tree = Array.from({ length: 20_000 }, (_, index) => `src/part-${index % 100}/file-${index}.ts`);
    const many = tree
      .slice(0, 1000)
      .map((one) => ({ path: `${one}x`, purpose: '', action: 'modify' as const }));
    expect(processorMilliseconds(() => problems({ files: many }, { files: tree }))).toBeLessThan(5000);
  });
});
