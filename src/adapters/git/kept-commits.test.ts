/** Commits that git must not clear away: for how long, and in any number. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BareGit } from './bare-git.ts';
import { holdCommit, keepCommit } from './kept-commits.ts';
import { PlainGit } from './plain-git.ts';

let folder = '';
const environment = {
  ...{ PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
};

function git(args: readonly string[], input = ''): string {
  return execFileSync('git', [...args], { cwd: folder, encoding: 'utf8', env: environment, input }).trim();
}

/** Without a branch; nothing but a ref of ours can hold it. */
const commit = (name: string, ...parents: readonly string[]): string =>
  git([
    ...['commit-tree', ...parents.flatMap((parent) => ['-p', parent])],
    ...['-m', name, '4b825dc642cb6eb9a060e54bf8d69288fbee4904'],
  ]);
const refs = (): string[] =>
  git(['for-each-ref', '--format=%(refname)', 'refs/gatewright'])
    .split('\n')
    .filter((line) => line !== '');
const clearAway = (): string => git(['gc', '--quiet', '--prune=now']);
const isThere = (sha: string): Promise<boolean> => new BareGit(folder, environment).hasCommit(sha);

const day = 24 * 3_600_000;
const today = Date.parse('2026-11-15T12:00:00Z');
const hold = (sha: string, time: number): Promise<void> =>
  holdCommit(new BareGit(folder, environment), sha, time);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-kept-'));
  git(['init', '--quiet', '--initial-branch=main']);
  // The empty tree, which git only knows by heart.
  git(['mktree']);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('what was fetched stays for as long as a run may need it, and is given up long after', async () => {
  const [old, used, young] = [commit('old'), commit('used'), commit('young')];
  for (const sha of [old, used]) await hold(sha, today - 100 * day);
  await hold(used, today - 80 * day);
  await hold(young, today);
  expect(refs().sort()).toEqual([
    `refs/gatewright/fetched/2026-08-27/${used}`,
    `refs/gatewright/fetched/2026-11-15/${young}`,
  ]);
  clearAway();
  expect(await Promise.all([old, used, young].map(isThere))).toEqual([false, true, true]);
});

it('what is kept for good is given up only where a later one holds it', async () => {
  const first = commit('first');
  const [second, rewritten] = [commit('second', first), commit('rewritten')];
  const bare = new BareGit(folder, environment);
  await keepCommit(bare, first);
  await keepCommit(bare, second, first);
  expect(refs()).toEqual([`refs/gatewright/keep/${second}`]);
  await keepCommit(bare, rewritten, second);
  await keepCommit(bare, rewritten, rewritten);
  await hold(rewritten, today + 1000 * day);
  clearAway();
  expect(await Promise.all([first, second, rewritten].map(isThere))).toEqual([true, true, true]);
  expect(refs().filter((ref) => ref.includes('/keep/')).length).toBe(2);
});

it('several at once keep the same commit', async () => {
  const sha = commit('one');
  await Promise.all(Array.from({ length: 8 }, () => hold(sha, today)));
  expect(refs()).toEqual([`refs/gatewright/fetched/2026-11-15/${sha}`]);
});

it('thousands are no hindrance: old ones go, and branches are known to whom we fetch from', async () => {
  const [count, old] = [5100, 1000];
  // Written as git itself would after a while: one by one, refs take minutes.
  const marks = join(folder, 'marks');
  const stream = Array.from(
    { length: count },
    (_, index) =>
      `commit refs/heads/x\nmark :${index + 1}\ncommitter a <a@b> ${1_000_000 + index} +0000\ndata 1\nx\n\n`,
  );
  git(['fast-import', '--quiet', `--export-marks=${marks}`], stream.join(''));
  git(['update-ref', '-d', 'refs/heads/x']);
  const made = readFileSync(marks, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const main = commit('main');
  git(['update-ref', 'refs/heads/main', main]);
  const lines = made.flatMap(([, sha = ''], index) => [
    `${sha} refs/gatewright/keep/${sha}\n`,
    ...(index < old
      ? [`${main} refs/gatewright/fetched/2020-01-01/${String(index).padStart(40, '0')}\n`]
      : []),
  ]);
  lines.sort((one, other) => (one.slice(41) < other.slice(41) ? -1 : 1));
  writeFileSync(
    join(folder, '.git', 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
  );
  expect(refs().length).toBe(count + old);
  await hold(main, today);
  expect(refs().length).toBe(count + 1);
  const known = await PlainGit.with(
    new BareGit(folder, environment),
    join(folder, 'scratch'),
    async (plain) => {
      await plain.adoptRefs();
      return (await plain.try(['for-each-ref', '--format=%(objectname)'])).output.trim().split('\n');
    },
  );
  expect(known.length).toBe(5000);
  expect(known).toContain(main);
  // Of ours, the newest.
  expect(known).toContain(made.find(([mark]) => mark === `:${count}`)?.[1]);
});
