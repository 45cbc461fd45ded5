import { describe, expect, it } from 'vitest';
import type { ChangedPath } from '../../../../domain/changes/change-risk.ts';
import { findTouchedTests } from './find-touched-tests.ts';

const changed = (path: string, more: Partial<ChangedPath> = {}): ChangedPath => ({
  ...{ path, previousPath: null, change: 'modified', additions: 1, deletions: 1, isBinary: false },
  ...{ was: 'file', is: 'file', ...more },
});
const none = { files: [], test_requirement: null };
const find = (...files: readonly ChangedPath[]) => findTouchedTests(files, none, []);

describe('tests that were there before', () => {
  it.each([
    ['is added', changed('test/a.test.js', { change: 'added', deletions: 0 })],
    ['only grows', changed('test/a.test.js', { deletions: 0 })],
    ['is no test', changed('src/a.js')],
  ])('may be changed by a file that %s', (_, file) => {
    expect(find(file)).toBeNull();
  });

  it.each([
    ['loses a line', changed('test/a.test.js')],
    ['is gone', changed('test/a.test.js', { change: 'removed', is: null })],
    ['has another name', changed('src/a.js', { change: 'renamed', previousPath: 'test/a.test.js' })],
    ['is binary', changed('test/a.test.js', { deletions: 0, isBinary: true })],
  ])('are put before a person where one %s', (_, file) => {
    expect(find(file)).toContain('`test/a.test.js`');
  });

  it('are left to the writer where the analysis names them', () => {
    const file = changed('test/a.test.js');
    const files = [{ path: 'test/a.test.js', purpose: 'expects the old text', action: 'modify' as const }];
    expect(findTouchedTests([file], { ...none, files }, [])).toBeNull();
    const test_requirement = {
      required: true,
      type: 'regression' as const,
      location: 'test/a.test.js',
      description: '',
    };
    expect(findTouchedTests([file], { ...none, test_requirement }, [])).toBeNull();
  });

  it('are counted where there are many', () => {
    const many = Array.from({ length: 13 }, (_, index) => changed(`test/${index}.test.js`));
    expect(find(...many)).toMatch(/ and 3 more\.$/u);
  });
});
