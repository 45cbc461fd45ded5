/** Every rule about what must not come in, with what is let in right beside it. */
import { describe, expect, it } from 'vitest';
import {
  describeName,
  type JudgedFile,
  judgeTree,
  longestName,
  longestPath,
  nameForPeople,
} from './judge-tree.ts';

const file = (path: string, state: JudgedFile['state'] = 'new'): JudgedFile => ({
  path,
  kind: 'file',
  state,
});
const link = (path: string, target: string, state: JudgedFile['state'] = 'new'): JudgedFile => ({
  ...{ path, kind: 'link', state, target },
});
const judge = (...files: JudgedFile[]): Record<string, string> =>
  Object.fromEntries(judgeTree(files).map(({ path, why }) => [path, why]));
const refused = (...files: JudgedFile[]): string[] => Object.keys(judge(...files)).sort();

describe('names', () => {
  it.each([
    ...[
      '.git',
      '.GIT',
      'd/.git',
      'd/.Git/config',
      '.git ',
      '.git.',
      '.git. . .',
      'git~1',
      'GIT~1',
      'd/git~2/x',
    ],
    ...['.git::$INDEX_ALLOCATION', '.git:x', '.g\u200Cit', '.\u200Dgit', '\uFEFF.git', '.gıt'],
    ...[
      'gitmod~1',
      'gi7eba~1',
      'GITATT~1',
      'a\nb',
      'a\tb',
      'a\\b',
      'a\\..\\b',
      'a\u0007',
      'a\u202Eb',
      'a\uFFFDb',
    ],
    ...[
      '.',
      '..',
      'a/./b',
      'a/../b',
      'a//b',
      ' ',
      'a/  /b',
      '/a',
      'a/',
      `${'a/'.repeat(longestPath / 2)}b`,
      'ü'.repeat(128),
      `d/${'ü'.repeat(128)}`,
    ],
  ])('%j is refused', (name) => {
    expect(describeName(name)).not.toBeNull();
    expect(refused(file(name))).toEqual([name]);
  });

  it.each([
    ...[
      '.github/x',
      '.gitignore',
      '.gitkeep',
      'git',
      'digit~1',
      'a~1',
      'x.git',
      '.gitx',
      'Ünïcödé/ñ.md',
      'a b',
      ' a',
    ],
    ...[
      'Foo::Bar.3pm',
      '.a',
      '...',
      'a.',
      `${'a/'.repeat(longestPath / 2 - 1)}bb`,
      'a'.repeat(longestName),
      '🎉.md',
      'HEAD',
    ],
  ])('%j is let in', (name) => {
    expect(describeName(name)).toBeNull();
    expect(refused(file(name))).toEqual([]);
  });

  it('says which and why, whatever the name holds', () => {
    expect(judge(file('.GIT/config'))).toEqual({
      '.GIT/config': '".GIT/config" is no name for a file: git keeps it for itself.',
    });
    expect(Object.values(judge(file(`a\u202E${'x'.repeat(500)}`)))[0]).toMatch(
      /^"a\\\\u\{202e\}x{60,}… \(502 characters\)" is longer than 400 characters\.$/u,
    );
    expect(describeName('a\tb')).toBe('"a b" is no name for a file.');
    expect(describeName('a\uFFFD')).toContain('not UTF-8');
    expect(describeName('ü'.repeat(128))).toContain('255 bytes');
  });

  it('are shown in whole up to 120 characters', () => {
    expect(nameForPeople('a'.repeat(120))).toBe('a'.repeat(120));
    expect(nameForPeople('a'.repeat(121))).toBe(`${'a'.repeat(80)}… (121 characters)`);
  });

  it('that are there already stay', () => {
    expect(refused(file('.GIT', 'same'), file('a\\b', 'same'), file('c'))).toEqual([]);
    expect(refused(file('a\\b', 'changed'))).toEqual(['a\\b']);
  });
});

describe('repositories', () => {
  const bare = (folder: string, ...names: string[]): JudgedFile[] =>
    names.map((name) => file(`${folder}${name}`));

  it.each<[string, JudgedFile[]]>([
    ['bare', bare('e/', 'HEAD', 'config', 'objects/x', 'refs/x')],
    ['deep', bare('a/b/c/d/', 'HEAD', 'config', 'objects/x/y', 'refs/heads/x')],
    ['of a work tree', bare('e/', 'HEAD', 'commondir', 'gitdir')],
    ['with other letters', bare('e/', 'head', 'config', 'Objects/x', 'REFS/x')],
    ['with dots and spaces', bare('e/', 'HEAD.', 'objects /x', 'refs/x')],
    [
      'with a link for its head',
      [link('e/HEAD', 'refs/heads/main'), ...bare('e/', 'objects/x', 'refs/heads/main')],
    ],
    [
      'with links for its folders',
      [...bare('e/', 'HEAD', 'o/x', 'r/x'), link('e/objects', 'o'), link('e/refs', 'r')],
    ],
    [
      'with programs for its folders',
      [...bare('e/', 'HEAD'), { ...file('e/objects'), kind: 'program' }, file('e/refs')],
    ],
  ])('%s: nothing of it comes in', (_, files) => {
    expect(refused(...files, file('ok'))).toEqual(files.map(({ path }) => path).sort());
    expect(Object.values(judge(...files))[0]).toContain('is a folder that git takes for a repository.');
  });

  it('at the root only what makes it one is refused', () => {
    expect(refused(...bare('', 'HEAD', 'config', 'objects/x', 'refs/x', 'src/x'))).toEqual([
      'HEAD',
      'objects/x',
      'refs/x',
    ]);
    expect(judge(...bare('', 'HEAD', 'commondir')).HEAD).toBe(
      'the root is a folder that git takes for a repository.',
    );
    expect(judge(...bare('e/', 'HEAD', 'commondir'))['e/HEAD']).toBe(
      'e is a folder that git takes for a repository.',
    );
  });

  it('in part it is none', () => {
    expect(refused(...bare('e/', 'HEAD', 'objects/x', 'config'))).toEqual([]);
    expect(refused(...bare('e/', 'HEAD', 'refs/x'))).toEqual([]);
    expect(refused(...bare('e/', 'objects/x', 'refs/x', 'commondir'))).toEqual([]);
    expect(refused(...bare('e/', 'HEAD', 'x/objects/y', 'x/refs/y'))).toEqual([]);
  });

  it('that was there stays as it is, and what would complete one is refused', () => {
    const old = ['HEAD', 'objects/x', 'refs/x'].map((name) => file(`e/${name}`, 'same'));
    expect(refused(...old, file('ok'))).toEqual([]);
    expect(refused(...old, file('e/config'))).toEqual(['e/config']);
    expect(refused(...old, file('e/HEAD', 'changed'))).toEqual(['e/HEAD']);
    expect(refused(...old.slice(1), file('e/HEAD'))).toEqual(['e/HEAD']);
  });

  it('of a submodule are refused when they are new or moved', () => {
    const sub = (state: JudgedFile['state']): JudgedFile => ({ path: 's', kind: 'repository', state });
    expect(judge(sub('new'))).toEqual({ s: 's is a repository in the repository.' });
    expect(refused(sub('changed'))).toEqual(['s']);
    expect(refused(sub('same'), file('a'))).toEqual([]);
  });
});

describe('links', () => {
  it('through a link, as text and as the kernel sees them', () => {
    expect(judge(file('x/y/z/f'), link('x/y/z/s', '../../..'), link('x/y/z/l', 's/../secret'))).toEqual({
      'x/y/z/s': 'x/y/z/s is a link to a folder that it is in itself.',
      'x/y/z/l': 'x/y/z/l is a link that leads through another link.',
    });
  });

  it('that were fine until a new one came in their way', () => {
    const old = [link('x/y/l', 's/../f', 'same'), file('x/y/f', 'same'), file('x/g', 'same')];
    expect(refused(...old, file('x/y/s/a', 'same'), file('b'))).toEqual([]);
    expect(judge(...old, link('x/y/s', '../g'))).toEqual({
      'x/y/s': 'x/y/s is a link that another link, x/y/l, leads through.',
    });
  });

  it('that were there stay, wherever they lead', () => {
    expect(refused(link('l', '/etc/passwd', 'same'), link('m', 'l', 'same'), file('a'))).toEqual([]);
    expect(refused(link('l', '/etc/passwd', 'changed'))).toEqual(['l']);
  });

  it('lead to files, programs and folders, and not into a file or a repository', () => {
    const program: JudgedFile = { ...file('p', 'same'), kind: 'program' };
    const sub: JudgedFile = { path: 's', kind: 'repository', state: 'same' };
    const old = [program, sub, file('d/f', 'same')];
    expect(refused(...old, link('l', 'p'), link('m', 'd'), link('n', 'd/f'))).toEqual([]);
    expect(refused(...old, link('l', 's'), link('m', 'p/.'), link('n', 'd/f/'))).toEqual(['l', 'm', 'n']);
  });

  it('are links by their kind, and refused when it is not known where they lead', () => {
    expect(judge({ path: 'l', kind: 'link', state: 'new' })).toEqual({
      l: 'l is a link to something that is no plain path.',
    });
    expect(refused({ path: 'l', kind: 'link', state: 'changed' })).toEqual(['l']);
    expect(refused({ path: 'l', kind: 'link', state: 'same' }, file('a'))).toEqual([]);
    expect(refused({ ...file('a'), target: '/etc/passwd' })).toEqual([]);
  });

  it('whose end is refused are refused with it', () => {
    expect(refused(file('a\\b'), link('l', 'd/x'), file('d/x\u200D'), file('ok'))).toEqual([
      'a\\b',
      'd/x\u200D',
      'l',
    ]);
    expect(refused(link('one', 'two'), link('two', 'one'))).toEqual(['one', 'two']);
    expect(judge(file('A', 'same'), file('a'), link('l', 'a'))).toEqual({
      a: 'a and A are the same name on some disks.',
      l: 'l is a link that leads to nothing in the repository.',
    });
  });
});

describe('names that some disks do not tell apart', () => {
  it.each<[string, string, string]>([
    ['capitals', 'README.md', 'readme.md'],
    ['folders', 'Docs/a', 'docs/b'],
    ['accents', 'e\u0301.md', '\u00E9.md'],
    ['dots at the end', 'a', 'a.'],
    ['spaces at the end', 'a/b', 'a /c'],
    ['the sharp s', 'straße', 'STRASSE'],
    ['a file and a folder', 'a', 'A/b'],
    ['the sign for Kelvin', 'k', '\u212A'],
  ])('%s', (_, one, other) => {
    expect(refused(file(one, 'same'), file(other))).toEqual([other]);
    expect(refused(file(one), file(other))).toEqual([other]);
    expect(refused(file(one, 'same'), file(other, 'same'), file('new'))).toEqual([]);
    expect(refused(file(one, 'same'), file(other, 'changed'))).toEqual([]);
    expect(refused(file(one))).toEqual([]);
  });

  it('beside two that are there already, each with files of its own', () => {
    const both = [file('Docs/a', 'same'), file('docs/b', 'same')];
    expect(refused(...both, file('docs/c'), file('Docs/d'))).toEqual([]);
    expect(refused(...both, file('docs/A'), file('Docs/B'))).toEqual(['Docs/B', 'docs/A']);
    expect(refused(file('a/x', 'same'), file('a./y', 'same'), file('a./X'))).toEqual(['a./X']);
  });

  it('a link in the place of a folder', () => {
    expect(judge(file('Docs/a', 'same'), file('b', 'same'), link('docs', 'b'))).toEqual({
      docs: 'docs and Docs are the same name on some disks.',
    });
  });
});

it('one reason for each, and nothing for a tree that did not change', () => {
  expect(judgeTree([file('.git/a\\b')])).toHaveLength(1);
  // The first that was found.
  expect(judge(file('a\\b', 'same'), file('A\\B'))).toEqual({ 'A\\B': '"A\\\\B" is no name for a file.' });
  expect(judgeTree([file('.git', 'same'), file('.GIT', 'same')])).toEqual([]);
  expect(judgeTree([])).toEqual([]);
});
