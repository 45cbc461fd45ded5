/** The part of the forge contract about what a pull request changes. Real git is the judge of every count. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChangedFile, Forge } from '../../src/ports/forge/forge.ts';
import type { ForgeWorld } from './forge-world.ts';
import { getSettled, openPullRequest } from './open-pull-request.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

const binary = Uint8Array.from({ length: 300 }, (_, index) => index % 256);

/** Additions, deletions and path as git counts them; a renamed file goes by its new path. */
function countWithGit(world: ForgeWorld, base: string, head: string): [string, number, number][] {
  const words = world.git.run('diff', '--numstat', '-M', '-z', `${base}...${head}`).split('\0');
  const counts: [string, number, number][] = [];
  for (let index = 0; index < words.length; index += 1) {
    const [added = '', removed = '', path = ''] = (words[index] ?? '').split('\t');
    if (added === '') continue;
    if (path === '') index += 2;
    const name = path === '' ? (words[index] ?? '') : path;
    counts.push([name, added === '-' ? 0 : Number(added), removed === '-' ? 0 : Number(removed)]);
  }
  return counts.toSorted();
}

const counted = (files: readonly ChangedFile[]): [string, number, number][] =>
  files.map((file): [string, number, number] => [file.path, file.additions, file.deletions]).toSorted();

export function describeForgeFiles(getWorld: () => ForgeWorld): void {
  describe('files of a pull request', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
    });

    it('tells what was added, changed, removed and renamed, with the counts of git', async () => {
      world.git.commit('main', {
        'kept.txt': lines(1, 30),
        'gone.txt': lines(1, 4),
        'old/name.txt': lines(1, 40),
        'moved.txt': lines(50, 80),
        'image.bin': binary,
      });
      const pull = await openPullRequest(world, {
        files: {
          'kept.txt': `${lines(1, 10)}changed\n${lines(12, 30)}`,
          'gone.txt': null,
          'old/name.txt': null,
          'new/name.txt': `${lines(1, 40)}and more\n`,
          'moved.txt': null,
          'moved-as-it-is.txt': lines(50, 80),
          'image.bin': binary.toReversed(),
          'added.txt': 'without a line break',
          'other.bin': binary,
          'empty.txt': '',
        },
      });
      const files = await forge.listFiles(repository, pull.number);
      const summary = files.map(({ path, previousPath, change }) => [path, previousPath, change]).toSorted();
      expect(summary).toEqual([
        ['added.txt', null, 'added'],
        ['empty.txt', null, 'added'],
        ['gone.txt', null, 'removed'],
        ['image.bin', null, 'modified'],
        ['kept.txt', null, 'modified'],
        ['moved-as-it-is.txt', 'moved.txt', 'renamed'],
        ['new/name.txt', 'old/name.txt', 'renamed'],
        ['other.bin', null, 'added'],
      ]);
      expect(counted(files)).toEqual(countWithGit(world, 'main', 'change'));
      const patchOf = (path: string) => files.find((file) => file.path === path)?.patch;
      expect(patchOf('kept.txt')).toMatch(/^@@ -8,7 \+8,7 @@/u);
      expect(patchOf('kept.txt')).toContain('\n-line 11\n+changed\n');
      expect(patchOf('added.txt')).toContain('+without a line break');
      expect(patchOf('gone.txt')).toContain('-line 4');
      expect(patchOf('new/name.txt')).toContain('+and more');
      for (const path of ['image.bin', 'other.bin', 'empty.txt', 'moved-as-it-is.txt'])
        expect(patchOf(path)).toBeNull();
      const { diffStat } = await getSettled(world, pull.number);
      expect(diffStat).toEqual({
        files: 8,
        additions: files.reduce((sum, file) => sum + file.additions, 0),
        deletions: files.reduce((sum, file) => sum + file.deletions, 0),
      });
    });

    it('counts what the branch did, not what its base did meanwhile', async () => {
      const pull = await openPullRequest(world);
      world.git.commit('main', { 'elsewhere.txt': lines(1, 20) });
      const files = await forge.listFiles(repository, pull.number);
      expect(files.map((file) => file.path)).toEqual(['change.txt']);
      expect((await getSettled(world, pull.number)).diffStat).toEqual({
        files: 1,
        additions: 3,
        deletions: 0,
      });
    });

    it('keeps strange paths as they are', async () => {
      const paths = [
        'with space.txt',
        'ünï/cödé.txt',
        '--option',
        'quo"te.txt',
        'tab\tbed.txt',
        '-',
        'a => b',
      ];
      const pull = await openPullRequest(world, {
        files: Object.fromEntries(paths.map((path) => [path, 'x\n'])),
      });
      const files = await forge.listFiles(repository, pull.number);
      expect(files.map((file) => file.path).toSorted()).toEqual(paths.toSorted());
      expect(files.every((file) => file.additions === 1 && file.change === 'added')).toBe(true);
      expect(files.every((file) => file.patch?.includes('+x'))).toBe(true);
    });

    it('lists more files than fit on a page', async () => {
      const pull = await openPullRequest(world, {
        files: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f/${index}.txt`, `${index}\n`])),
      });
      expect(await forge.listFiles(repository, pull.number)).toHaveLength(10);
    });

    it('still tells them when it is merged and its branch is gone', async () => {
      const pull = await openPullRequest(world);
      const files = await forge.listFiles(repository, pull.number);
      const head = pull.head.sha;
      await forge.mergePullRequest(repository, pull.number, { head, title: 'T', body: '' });
      await forge.deleteBranch(repository, pull.head.branch, head);
      expect(await forge.listFiles(repository, pull.number)).toEqual(files);
      expect((await forge.getPullRequest(repository, pull.number)).diffStat).toEqual({
        files: 1,
        additions: 3,
        deletions: 0,
      });
    });
  });
}
