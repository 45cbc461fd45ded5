/** Where the rules about paths begin and end: lengths, names of devices, humps, and what is said about each class. */
import { describe, expect, it } from 'vitest';
import { isSteeringPath, judgePath, steeringRootOf } from './path-class.ts';

const classOf = (path: string): string => judgePath(path).class;

describe('what is said about a path', () => {
  it.each([
    ['src/.a.ts', 'hidden', 'a hidden file, or one in a hidden folder'],
    ['src/a b.ts', 'odd-name', 'a name with other characters than plain letters, digits and “._+-”'],
    ['src/a.ts/b.ts', 'odd-name', 'a file in a folder that is called like a file'],
    ['src/a.test.ts', 'test', 'a test that vitest runs'],
    ['docs/a.md', 'prose', 'text for people'],
    ['src/a.md', 'unknown', 'a text outside of the folders of documentation'],
    ['src/a.xyz', 'unknown', 'no rule knows it'],
    ['src/a', 'unknown', 'no rule knows it'],
    ['src/a.b.ts', 'unknown', 'a source file whose name says that it is something else'],
    ['src/a.ts', 'source', 'source of a program'],
    ['a/b.ts', 'unknown', 'a source file outside of the folders of source'],
  ])('%s', (path, expected, what) => expect(judgePath(path)).toEqual({ class: expected, what }));
});

describe('a name', () => {
  const longest = 'a'.repeat(116);
  it.each([
    ['source', `src/${longest}a.ts`],
    ['odd-name', `src/${longest}aa.ts`],
    ['source', `src/${longest}/${longest}/${'a'.repeat(59)}.ts`],
    ['odd-name', `src/${longest}/${longest}/${'a'.repeat(60)}.ts`],
  ])('is %s at its length: %s', (expected, path) => expect(classOf(path)).toBe(expected));

  it.each(['con', 'prn', 'aux', 'nul', 'com1', 'lpt9'])('must not be the device %s', (device) => {
    for (const path of [`src/${device}`, `src/${device}.ts`, `src/${device.toUpperCase()}/a.ts`])
      expect(classOf(path), path).toBe('odd-name');
    for (const path of [`src/a${device}.ts`, `src/${device}s.ts`]) expect(classOf(path), path).toBe('source');
  });

  it.each(['com', 'lpt', 'comx', 'lptx'])('may be %s', (name) =>
    expect(classOf(`src/${name}.ts`)).toBe('source'),
  );

  it.each(['src/ts/a.ts', 'src/md/a.ts', 'docs/txt/a.md', 'src/a.b/c.ts'])('may be a folder: %s', (path) =>
    expect(classOf(path)).toBeOneOf(['source', 'prose']),
  );

  it.each(['docs/v1.10.md', 'docs/a.2026.md', 'docs/a.x.md', 'docs/a.pt_br.md'])('is of prose: %s', (path) =>
    expect(classOf(path)).toBe('prose'),
  );
  it.each(['docs/a.20261.md', 'docs/a.y.md', 'docs/a.ptx.md'])('is not known: %s', (path) =>
    expect(classOf(path)).toBe('unknown'),
  );
});

describe('words within a name that is written in humps', () => {
  it.each([
    ['delicate', 'src/userAuth.m'],
    ['delicate', 'src/a2Token.m'],
    ['build', 'myBuildAll.m'],
    ['source', 'src/userauthx.m'],
    ['source', 'src/users.m'],
  ])('%s: %s', (expected, path) => expect(classOf(path)).toBe(expected));
});

describe('a test by its name, at the root, that is also called like a tool', () => {
  it.each([
    'test_build.py',
    'test-build.js',
    'a_build_test.go',
    'build.spec.ts',
    'config.spec.ts',
    'packages/Tests/BuildTests.swift',
    'packages/Tests/BuildTest.swift',
  ])('%s is one', (path) => expect(classOf(path)).toBe('test'));
  it.each(['tests-build.py', 'tests.test.a-build.py', 'src/a.config.test.ts', 'test/build.js'])(
    '%s builds',
    (path) => expect(classOf(path)).toBe('build'),
  );
  it('is not held back by what it tests', () => expect(classOf('test/token.js')).toBe('test'));
});

describe('a path that steers', () => {
  it.each([
    ['.github. ./a.yml', '.github. .'],
    ['.github/.claude/a', '.github'],
    ['a/.claude/.github/b', 'a/.claude'],
  ])('%s does by %s', (path, root) => expect(steeringRootOf(path)).toBe(root));

  it.each(['.../a', 'a/. /b', ':x/a'])('%j does not, by a part of which nothing is left', (path) =>
    expect(isSteeringPath(path)).toBe(false),
  );

  it('does at the root only where the table says so', () => {
    expect(classOf('rules/README.md')).toBe('agent-text');
    expect(classOf('src/rules/README.md')).toBe('prose');
    expect(classOf('features/a.m')).toBe('test-support');
    expect(classOf('src/features/a.m')).toBe('source');
  });
});
