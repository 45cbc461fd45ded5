/** Patterns of `.templatesyncignore`, compared with what git itself makes of the same lines. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processorMilliseconds } from '../../../../test/support/processor-time.ts';
import { makeIgnore } from './template-ignore.ts';

const paths = [
  ...[
    'README.md',
    'LICENSE',
    'docs/README.md',
    'docs/guide.md',
    'docs/deep/more.md',
    'src/a.ts',
    'src/b.test.ts',
  ],
  ...[
    'src/deep/c.ts',
    '.github/workflows/ci.yml',
    '.github/dependabot.yml',
    'a b.txt',
    'src/[x].ts',
    'build',
    'x/build/y',
    'ü😀.txt',
  ],
];

it.each([
  ...[
    'README.md',
    '/README.md',
    'docs',
    'docs/',
    '/docs/',
    'docs/*',
    'docs/**',
    '*.md',
    'docs/*.md',
    '**/more.md',
  ],
  ...[
    'docs/**/more.md',
    'src/*.ts',
    'src/?.ts',
    'src/[ab]*',
    'src/[!a]*',
    'src/\\[x\\].ts',
    'a b.txt',
    'a\\ b.txt',
  ],
  ...[
    '.github/workflows/',
    '*',
    '**',
    'build/',
    '# docs',
    '',
    '   ',
    'docs   ',
    'nothing',
    '[',
    'x/**/y',
    '**/build/**',
    'ü😀.txt',
    '*😀*',
    'src/[a-b]*',
    'src/[]x]*',
  ],
])('%j keeps out what it does in a .gitignore', (line) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-ignore-'));
  try {
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    writeFileSync(join(folder, '.gitignore'), `${line}\n`);
    let output = '';
    try {
      const words = ['-c', 'core.quotePath=false', 'check-ignore', '--no-index', '--stdin'];
      output = execFileSync('git', words, { cwd: folder, input: `${paths.join('\n')}\n`, encoding: 'utf8' });
    } catch (error) {
      // Exit code 1: nothing is ignored.
      if ((error as { status?: number }).status !== 1) throw error;
    }
    const isIgnored = makeIgnore(line);
    expect(paths.filter(isIgnored)).toEqual(output.split('\n').filter((path) => path !== ''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.each([
  ['everything but one file', ':!docs/guide.md\n*\n', ['docs/guide.md']],
  ['the same the other way round', '*\n:!docs/guide.md\n', ['docs/guide.md']],
  [
    'as a .gitignore writes it',
    '*.md\n!docs/\n',
    paths.filter((path) => !path.endsWith('.md') || path.startsWith('docs/')),
  ],
  ['Windows line ends', 'docs/\r\nsrc/\r\n', paths.filter((path) => !/^(?:docs|src)\//u.test(path))],
])('%s is synced', (_, text, synced) => {
  const isIgnored = makeIgnore(text);
  expect(paths.filter((path) => !isIgnored(path))).toEqual(synced);
});

it('never syncs itself, and takes no time on patterns made to take it', () => {
  const isIgnored = makeIgnore('');
  expect([
    isIgnored('.templatesyncignore'),
    isIgnored('.github/.templatesyncignore'),
    isIgnored('a'),
  ]).toEqual([true, true, false]);
  const took = processorMilliseconds(() => {
    const hostile = makeIgnore(`${'*a'.repeat(200)}b\n${'**/'.repeat(150)}x\n${'['.repeat(400)}\n`);
    expect(hostile('a'.repeat(400))).toBe(false);
    expect(hostile('a/'.repeat(100))).toBe(false);
  });
  expect(took).toBeLessThan(2_000);
});
