/** A copy has a whole repository of its own, of any kind of original, and git finds nothing wrong with it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tryGit } from '../run-git.ts';
import { HistoryCopier } from './copy-history.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-history-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgSign=false'];

function gitIn(place: string, ...args: string[]): string {
  return execFileSync('git', [...who, ...args], { cwd: place, env: environment, encoding: 'utf8' }).trim();
}

function makeOriginal(commits: number, ...words: string[]): string {
  const root = join(folder, 'original');
  mkdirSync(root);
  gitIn(root, 'init', '--quiet', '--initial-branch=main', ...words);
  for (let number = 1; number <= commits; number += 1) {
    writeFileSync(join(root, 'number.txt'), `${number}\n`);
    gitIn(root, 'add', '--all');
    gitIn(root, 'commit', '--quiet', '--message', `Number ${number}`);
  }
  return root;
}

let lists = 0;
const copier = (
  longest: number,
  findParents?: (commit: string) => Promise<readonly string[] | null>,
): HistoryCopier =>
  new HistoryCopier(
    async (place, args, input = '', variables = {}) => {
      if (args.includes('rev-list')) lists += 1;
      const { code, output, errors } = await tryGit(place, environment, args, { input, variables });
      if (code !== 0) throw new Error(errors);
      return output;
    },
    longest,
    findParents,
  );

let made = 0;
/** Copies, checks the copy as git does, and gives the subjects of its commits. */
async function copyOf(
  root: string,
  name: string,
  by: HistoryCopier,
): Promise<{ place: string; log: string[] }> {
  made += 1;
  const place = join(folder, `copy-${made}`);
  mkdirSync(place);
  const commit = gitIn(root, 'rev-parse', name);
  await by.copy({ root, gitFolder: gitIn(root, 'rev-parse', '--absolute-git-dir') }, commit, place);
  gitIn(place, 'checkout', '--quiet', '-B', 'work', commit);
  expect(gitIn(place, 'fsck', '--full', '--strict')).toBe('');
  expect(gitIn(place, 'status', '--porcelain')).toBe('');
  expect(gitIn(place, 'remote')).toBe('');
  return { place, log: gitIn(place, 'log', '--format=%s').split('\n') };
}

describe('a copy', () => {
  it('has all of a short history, the second one too', async () => {
    const root = makeOriginal(3);
    const by = copier(10);
    for (const _ of [1, 2]) {
      const { place, log } = await copyOf(root, 'main', by);
      expect(log).toEqual(['Number 3', 'Number 2', 'Number 1']);
      expect(gitIn(place, 'rev-parse', '--is-shallow-repository')).toBe('false');
      expect(readFileSync(join(place, '.git', 'HEAD'), 'utf8')).toBe('ref: refs/heads/work\n');
    }
  });

  it('has the last commits of a long one, and nothing of those before', async () => {
    const root = makeOriginal(6);
    const first = gitIn(root, 'rev-parse', 'main~5:number.txt');
    const { place, log } = await copyOf(root, 'main', copier(3));
    expect(log).toEqual(['Number 6', 'Number 5', 'Number 4']);
    expect(() => gitIn(place, 'cat-file', '-e', first)).toThrow();
    expect((await copyOf(root, 'main~4', copier(3))).log).toEqual(['Number 2', 'Number 1']);
  });

  it.each([1, 2, 3, 4, 5, 6, 7])(
    'is whole wherever merged histories are cut: after %i commits',
    async (longest) => {
      const root = makeOriginal(2);
      for (const side of ['one', 'two']) {
        gitIn(root, 'checkout', '--quiet', '-b', side, 'main');
        writeFileSync(join(root, `${side}.txt`), side);
        gitIn(root, 'add', '--all');
        gitIn(root, 'commit', '--quiet', '--message', side);
        gitIn(root, 'checkout', '--quiet', 'main');
        gitIn(root, 'merge', '--quiet', '--no-ff', '--message', `Merge ${side}`, side);
      }
      const { log } = await copyOf(root, 'main', copier(longest));
      expect(log[0]).toBe('Merge two');
      expect(log.length).toBeLessThanOrEqual(longest);
      if (longest >= 6) expect(log).toHaveLength(6);
    },
  );

  it.each([1, 2, 3, 4, 10])(
    'of what follows from the same commit is the same: of %i commits',
    async (longest) => {
      const root = makeOriginal(4);
      const parentsOf = async (commit: string) => gitIn(root, 'log', '-1', '--format=%P', commit).split(' ');
      const make = (name: string, from: string): string => {
        gitIn(root, 'checkout', '--quiet', '-B', name, from);
        writeFileSync(join(root, 'number.txt'), name);
        gitIn(root, 'commit', '--quiet', '--all', '--message', name);
        return name;
      };
      const names = [make('a', 'main'), make('b', 'main'), make('c', 'a'), 'main', make('d', 'main~1'), 'c'];
      const by = copier(longest, parentsOf);
      lists = 0;
      for (const name of names) {
        const { log } = await copyOf(root, name, by);
        expect(log).toEqual(gitIn(root, 'log', `-${longest}`, '--format=%s', name).split('\n'));
      }
      expect(lists).toBe(longest === 1 ? 4 : 2);
    },
  );

  it('of an original that is cut off itself ends where that one does', async () => {
    const whole = makeOriginal(5);
    const root = join(folder, 'shallow');
    gitIn(folder, 'clone', '--quiet', '--depth=3', `file://${whole}`, root);
    expect((await copyOf(root, 'HEAD', copier(10))).log).toEqual(['Number 5', 'Number 4', 'Number 3']);
    const linked = join(folder, 'linked');
    gitIn(root, 'worktree', 'add', '--quiet', '--detach', linked);
    expect((await copyOf(linked, 'HEAD', copier(10))).log).toHaveLength(3);
  });

  it('takes what other repositories hold for the original, and shares nothing with them', async () => {
    const whole = makeOriginal(3);
    const root = join(folder, 'borrower');
    gitIn(folder, 'clone', '--quiet', '--shared', whole, root);
    const { place, log } = await copyOf(root, 'HEAD', copier(10));
    expect(log).toHaveLength(3);
    rmSync(whole, { recursive: true });
    rmSync(root, { recursive: true });
    expect(gitIn(place, 'fsck', '--full')).toBe('');
  });

  it('has what was committed where the person replaced a commit by another', async () => {
    const root = makeOriginal(3);
    gitIn(root, 'replace', gitIn(root, 'rev-parse', 'main'), gitIn(root, 'rev-parse', 'main~2'));
    expect((await copyOf(root, 'main', copier(10))).log).toEqual(['Number 3', 'Number 2', 'Number 1']);
  });

  it('uses the longer names of objects where the original does', async () => {
    const root = makeOriginal(2, '--object-format=sha256');
    const by = copier(10);
    for (const _ of [1, 2]) expect((await copyOf(root, 'main', by)).log).toHaveLength(2);
  });
});
