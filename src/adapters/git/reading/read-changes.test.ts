/** Lines are followed through patches that real git makes: what is said of a line stays with it, or is let go. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitStore } from '../../../../test/support/git-store.ts';
import { BareGit } from '../bare-git.ts';
import { followLine, followLineBetween, readChanges } from './read-changes.ts';

describe('followLine', () => {
  it.each([
    ['nothing changed', '', 5, 5],
    ['lines were added before', '@@ -2,0 +3,2 @@\n+a\n+b', 5, 7],
    ['lines were added right after', '@@ -5,0 +6,2 @@\n+a\n+b', 5, 5],
    ['lines were added right before', '@@ -4,0 +5 @@\n+a', 5, 6],
    ['lines were added at the top', '@@ -0,0 +1 @@\n+a', 1, 2],
    ['lines were removed before', '@@ -1,2 +0,0 @@\n-a\n-b', 5, 3],
    ['it was changed', '@@ -5 +5 @@\n-a\n+b', 5, null],
    ['it was the last of several that were', '@@ -3,3 +3 @@\n-a\n-b\n-c\n+d', 5, null],
    ['something after it was changed', '@@ -6 +6 @@\n-a\n+b', 5, 5],
  ])('when %s', (_, patch, line, expected) => {
    expect(followLine(patch, line)).toBe(expected);
  });
});

describe('followLineBetween and readChanges', () => {
  let folder: string;
  let store: GitStore;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gw-changes-'));
    store = GitStore.make(join(folder, 'repository'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };

  it('shows what changed whatever attributes are checked out', async () => {
    const own = GitStore.make(join(folder, 'attributes'));
    own.commit('main', { '.gitattributes': '* -diff\n', 'a.txt': '1\n2\n' });
    const from = own.run('rev-parse', 'main');
    own.commit('change', { 'a.txt': '1\ntwo\n' }, { from: 'main' });
    own.run('checkout', '--quiet', '--force', 'main');
    const git = new BareGit(own.folder, environment);
    const [file] = await readChanges(git, from, own.run('rev-parse', 'change'));
    expect(file).toMatchObject({ path: 'a.txt', additions: 1, deletions: 1 });
    expect(file?.patch).toContain('+two');
  });

  it('finds each line that is still there where it is now', async () => {
    const git = new BareGit(store.folder, environment);
    const edits = fc.array(fc.tuple(fc.nat(14), fc.constantFrom('drop', 'add', 'change')), { maxLength: 5 });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        round += 1;
        const path = `file-${round}.txt`;
        const before = Array.from({ length: 12 }, (_, index) => `line ${index} of ${round}`);
        const after: string[] = [...before];
        for (const [at, change] of changes) {
          if (change === 'add') after.splice(Math.min(at, after.length), 0, `added ${at} ${after.length}`);
          else if (at < after.length) after.splice(at, 1, ...(change === 'drop' ? [] : [`changed ${at}`]));
        }
        const text = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');
        const from = store.commit('main', { [path]: text(before) });
        const to = store.commit('main', { [path]: text(after) });
        for (const line of [1, 6, 12]) {
          const now = after.indexOf(before[line - 1] ?? '');
          const found = await followLineBetween(git, from, to, path, line);
          expect(found).toBe(now === -1 ? null : now + 1);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('shows a file that became a link as one change, beside those around it', async () => {
    const git = new BareGit(store.folder, environment);
    const from = store.commit('links', { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    store.run('checkout', '--quiet', '--force', 'links');
    store.run('-c', 'core.symlinks=true', 'rm', '--quiet', 'b.txt');
    const blob = store.run('rev-parse', `${from}:a.txt`);
    store.run('update-index', '--add', '--cacheinfo', `120000,${blob},b.txt`);
    store.run('commit', '--quiet', '--message', 'Link');
    const to = store.commit('links', { 'a.txt': 'A\n', 'c.txt': 'C\n' });
    const files = await readChanges(git, from, to);
    expect(files.map(({ path, change }) => [path, change])).toEqual([
      ['a.txt', 'modified'],
      ['b.txt', 'modified'],
      ['c.txt', 'modified'],
    ]);
    expect(files[0]?.patch).toContain('+A');
    expect(files[1]?.patch).toContain('-b');
    expect(files[2]?.patch).toContain('+C');
  });

  it('is not taken in by files that look like a diff', async () => {
    const git = new BareGit(store.folder, environment);
    const from = store.commit('spoof', { 'b.txt': 'safe\nkept\n' });
    const fake = ['\r', '\u2028', '\u0085', '\n'].map(
      (end) => `x${end}diff --git a/b.txt b/b.txt${end}@@ -1 +1 @@${end}+fake`,
    );
    const to = store.commit('spoof', { 'a.txt': `${fake.join('\n')}\n`, 'b.txt': 'evil\nkept\n' });
    const [a, b] = await readChanges(git, from, to);
    expect(a).toMatchObject({ path: 'a.txt' });
    expect(a?.patch?.startsWith('@@ -0,0 +1,')).toBe(true);
    expect(b).toMatchObject({ path: 'b.txt', patch: '@@ -1,2 +1,2 @@\n-safe\n+evil\n kept' });
    // Nor is a line followed to where a file says it went.
    const moved = store.commit('spoof', { 'b.txt': `evil\nkept\nnew\r@@ -1,0 +1,9 @@\r\u2028@@ -2 +2 @@\n` });
    expect(await followLineBetween(git, to, moved, 'b.txt', 2)).toBe(2);
  });

  it('counts what is too large to be shown', async () => {
    const git = new BareGit(store.folder, environment);
    const from = store.commit('large', { 'small.txt': '1\n' });
    const to = store.commit('large', { 'large.txt': 'x\n'.repeat(20_001), 'small.txt': '2\n' });
    const [large, small] = await readChanges(git, from, to);
    expect(large).toMatchObject({ path: 'large.txt', additions: 20_001, patch: null });
    expect(small?.patch).toContain('+2');
  });
});
