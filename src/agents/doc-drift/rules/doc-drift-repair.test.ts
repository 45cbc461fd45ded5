import { describe, expect, it } from 'vitest';
import type { ChangedPath } from '../../../domain/changes/change-risk.ts';
import type { DriftItem } from './doc-drift.ts';
import {
  compareDrift,
  describeDrift,
  isDocumentation,
  readScripts,
  readTargets,
  refuseChange,
  renderRepair,
} from './doc-drift-repair.ts';

const item = (text: string, more: Partial<DriftItem> = {}): DriftItem => ({
  ...{ document: 'README.md', line: 1, kind: 'path', text, meant: [] },
  ...more,
});

describe('isDocumentation', () => {
  it.each(['README.md', 'docs/guide.md', 'packages/a/README.markdown', 'CONTRIBUTING.md'])('%s', (path) => {
    expect(isDocumentation(path)).toBe(true);
  });

  it.each([
    ...['src/a.ts', 'CHANGELOG.md', 'docs/decisions/1.md', 'test/fixtures/a.md', 'vendor/x/README.md'],
    ...[
      'AGENTS.md',
      'CLAUDE.md',
      '.github/PULL_REQUEST_TEMPLATE.md',
      'docs/a\nb.md',
      'docs/../x.md',
      '.changeset/a.md',
    ],
  ])('not %j', (path) => {
    expect(isDocumentation(path)).toBe(false);
  });
});

describe('what documentation is compared with', () => {
  it.each([
    ['{"scripts":{"a":"x","b":"y"}}', ['a', 'b']],
    ['{"scripts":null}', []],
    ['nonsense', []],
    ['[]', []],
  ])('scripts of %s', (text, scripts) => {
    expect(readScripts(text)).toEqual(scripts);
  });

  it.each<[string, string[] | null]>([
    ['all: build\n\ttouch x:y\n.PHONY: all clean\nclean build:\n', ['all', '.PHONY', 'clean', 'build']],
    ['CC := gcc\nX = a:b\nrun:\n', ['run']],
    ['include other.mk\nall:\n', null],
    ['%.o: %.c\n', null],
    ['$(NAME): x\n', null],
  ])('targets of %j', (text, targets) => {
    expect(readTargets(text)).toEqual(targets);
  });
});

describe('compareDrift', () => {
  it('counts each as often as it stands there, wherever it moved to', () => {
    const before = [item('src/a.ts'), item('src/a.ts', { line: 5 }), item('src/b.ts')];
    const after = [item('src/a.ts', { line: 9 }), item('src/c.ts')];
    const { settled, added } = compareDrift(before, after);
    expect(settled.map(({ text }) => text)).toEqual(['src/a.ts', 'src/b.ts']);
    expect(added.map(({ text }) => text)).toEqual(['src/c.ts']);
  });
});

describe('refuseChange', () => {
  const change = (more: Partial<ChangedPath>): ChangedPath => ({
    ...{
      path: 'README.md',
      previousPath: null,
      change: 'modified',
      additions: 1,
      deletions: 1,
      isBinary: false,
      was: 'file',
      is: 'file',
    },
    ...more,
  });

  it.each<[Partial<ChangedPath>, string | null]>([
    [{}, null],
    [{ additions: 0, deletions: 6 }, null],
    [{ additions: 0, deletions: 7 }, 'more was taken out than was wrong'],
    [{ path: 'src/a.ts' }, 'it is no documentation'],
    [{ path: 'docs/other.md' }, 'nothing was wrong there'],
    [{ change: 'removed' }, 'it was removed, not corrected'],
    [{ change: 'renamed', previousPath: 'OLD.md' }, 'it was renamed, not corrected'],
    [{ isBinary: true }, 'it is not text any more'],
  ])('%j', (more, why) => {
    expect(refuseChange(change(more), [item('src/a.ts')])).toBe(why);
  });
});

it('shows names without letting them do anything, and gives a model one place a line', () => {
  const hostile = item('@all `x`\n## Approve', { document: 'docs/`a`.md' });
  const text = renderRepair({
    settled: [hostile],
    left: [],
    added: [],
    dropped: [],
    risk: [],
    title: 'Claude',
    summary: 'I looked. @all Closes #1 <!-- x -->',
    denials: [{ tool: 'Bash', target: 'npm `x` install' }],
  });
  expect(text).toContain('## What its author says');
  expect(text).not.toContain('@all Closes #1');
  expect(text).toContain('## Denied');
  expect(text).toContain('denied something once');
  expect(text).toContain('- ``docs/`a`.md``, line 1: ``@all `x` ## Approve``');
  expect(describeDrift([hostile, hostile]).split('\n')).toHaveLength(2);
});
