import { describe, expect, it } from 'vitest';
import { isGitFolder, isPlainPath } from './plain-path.ts';

describe('isPlainPath', () => {
  it.each(['README.md', 'src/a b/c.ts', '.github/workflows/ci.yml', 'ä/ö.md', '...', 'a'.repeat(500)])(
    'takes %s',
    (path) => expect(isPlainPath(path)).toBe(true),
  );

  it.each([
    '',
    '/etc/passwd',
    '..',
    'a/../b',
    './a',
    'a//b',
    'a/',
    'a/ .. /b',
    'a\\b',
    'a\u202Eb',
    'a\0b',
    'a'.repeat(501),
  ])('refuses %j', (path) => expect(isPlainPath(path)).toBe(false));
});

describe('isGitFolder', () => {
  it.each(['.git', '.GIT', '.Git ', '.git.', '.git::$INDEX_ALLOCATION', 'git~1', '.g\u200Cit'])(
    'knows %j',
    (name) => expect(isGitFolder(name)).toBe(true),
  );

  it.each(['.github', '.gitignore', 'git', 'git~', 'digit~1', ''])('leaves %j alone', (name) =>
    expect(isGitFolder(name)).toBe(false),
  );
});
