/** Compared with what git itself says of the same repository, after whatever git did to it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BareGit } from './bare-git.ts';
import {
  areSurelyBelow,
  listBranchFiles,
  readBranchFile,
  readHeadFile,
  readOriginHeadFile,
  unknown,
} from './branch-files.ts';

let folder: string;
let first: string;
let second: string;

const environment = {
  PATH: process.env.PATH ?? '',
  HOME: '/nowhere',
  GIT_CONFIG_NOSYSTEM: '1',
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.invalid' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.invalid' },
};

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' }).trim();

function tryGit(...args: string[]): string | null {
  try {
    return git(...args);
  } catch {
    return null;
  }
}

const gitFolder = (): string => join(folder, '.git');
const inFiles = (): Map<string, string> | typeof unknown => listBranchFiles(gitFolder());

function asGitSays(): Map<string, string> {
  const lines = git('for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads/').split('\n');
  return new Map(lines.filter((line) => line !== '').map((line) => line.split(' ') as [string, string]));
}

function begin(): void {
  folder = mkdtempSync(join(tmpdir(), 'gw-branches-'));
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message', 'one');
  first = git('rev-parse', 'HEAD');
  git('commit', '--quiet', '--allow-empty', '--message', 'two');
  second = git('rev-parse', 'HEAD');
}

beforeAll(begin);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const name of asGitSays().keys())
    if (name !== 'main') git('update-ref', '--no-deref', '-d', `refs/heads/${name}`);
  git('update-ref', 'refs/heads/main', second);
});

const names = fc.constantFrom('a', 'a/b', 'a/b/c', 'b', 'b/a', 'ü', 'x-1', 'main', 'A', 'a.b', 'z@1');
const acts = fc.oneof(
  fc.record({ what: fc.constant('set' as const), name: names, isFirst: fc.boolean() }),
  fc.record({ what: fc.constantFrom('delete' as const, 'pack' as const, 'lock' as const), name: names }),
);

type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never;

function perform(act: Act): void {
  const ref = `refs/heads/${act.name}`;
  // Git refuses a branch below another one; then nothing changes.
  if (act.what === 'set') tryGit('update-ref', ref, act.isFirst ? first : second);
  else if (act.what === 'pack') git('pack-refs', '--all');
  else if (act.what === 'delete') tryGit('update-ref', '-d', act.name === 'main' ? 'refs/heads/b' : ref);
  // As a process leaves it that was killed.
  else writeFileSync(join(gitFolder(), 'refs', 'heads', 'left.lock'), '');
}

describe('branches read from files', () => {
  it('are those that git lists, in its order, whatever was done', () => {
    fc.assert(
      fc.property(fc.array(acts, { minLength: 1, maxLength: 12 }), (done) => {
        for (const act of done) perform(act);
        const said = asGitSays();
        expect([...(inFiles() as Map<string, string>)]).toEqual([...said]);
        for (const name of ['a', 'a/b', 'b', 'ü', 'main', 'gone'])
          expect(readBranchFile(gitFolder(), name)).toBe(said.get(name) ?? null);
        rmSync(join(gitFolder(), 'refs', 'heads', 'left.lock'), { force: true });
      }),
      { numRuns: 25 },
    );
  });

  it('leave it to git when one of them is a ref to another, a link, or no ref at all', async () => {
    const heads = join(gitFolder(), 'refs', 'heads');
    const spoil: readonly (readonly [name: string, act: () => void])[] = [
      ['points', () => git('symbolic-ref', 'refs/heads/points', 'refs/heads/main')],
      ['linked', () => symlinkSync(join(heads, 'main'), join(heads, 'linked'))],
      ['empty', () => writeFileSync(join(heads, 'empty'), '')],
      ['short', () => writeFileSync(join(heads, 'short'), `${first.slice(0, 39)}\n`)],
      ['long', () => writeFileSync(join(heads, 'long'), `${first}\n${second}\n`)],
    ];
    for (const [name, act] of spoil) {
      act();
      expect(inFiles(), name).toBe(unknown);
      expect(readBranchFile(gitFolder(), name), name).toBe(unknown);
      rmSync(join(heads, name));
    }
    writeFileSync(join(heads, 'two words'), `${first}\n`);
    expect(inFiles()).toBe(unknown);
    rmSync(join(heads, 'two words'));
    git('symbolic-ref', 'refs/heads/points', 'refs/heads/main');
    const bare = new BareGit(folder, environment);
    expect(await bare.readBranch('points')).toBe(second);
    expect((await bare.listBranches()).get('points')).toBe(second);
    git('symbolic-ref', '--delete', 'refs/heads/points');
  });

  it('leave it to git when refs are kept in another way, or the packed ones cannot be read', () => {
    mkdirSync(join(gitFolder(), 'reftable'));
    expect([inFiles(), readBranchFile(gitFolder(), 'main'), readHeadFile(gitFolder())]).toEqual([
      unknown,
      unknown,
      unknown,
    ]);
    rmSync(join(gitFolder(), 'reftable'), { recursive: true });
    git('pack-refs', '--all');
    const packed = join(gitFolder(), 'packed-refs');
    renameSync(packed, `${packed}.kept`);
    writeFileSync(packed, `${first} refs/heads/main\nnonsense\n`);
    expect(inFiles()).toBe(unknown);
    expect(readBranchFile(gitFolder(), 'main')).toBe(unknown);
    renameSync(`${packed}.kept`, packed);
    expect(inFiles()).toEqual(asGitSays());
  });

  it('tell the default branch of the origin as git does, packed or not', async () => {
    const bare = new BareGit(folder, environment);
    const ref = 'refs/remotes/origin/HEAD';
    const asked = (): string | null =>
      tryGit('symbolic-ref', '--quiet', ref)?.replace('refs/remotes/origin/', '') ?? null;
    expect([readOriginHeadFile(gitFolder()), asked()]).toEqual([null, null]);
    git('update-ref', 'refs/remotes/origin/next/one', first);
    git('symbolic-ref', ref, 'refs/remotes/origin/next/one');
    git('pack-refs', '--all');
    expect([readOriginHeadFile(gitFolder()), asked()]).toEqual(['next/one', 'next/one']);
    git('symbolic-ref', '--delete', ref);
    git('update-ref', ref, first);
    expect([readOriginHeadFile(gitFolder()), await bare.readOriginHead()]).toEqual([unknown, asked()]);
    git('pack-refs', '--all');
    expect([readOriginHeadFile(gitFolder()), asked()]).toEqual([null, null]);
    mkdirSync(join(gitFolder(), 'reftable'));
    expect(readOriginHeadFile(gitFolder())).toBe(unknown);
    rmSync(join(gitFolder(), 'reftable'), { recursive: true });
    git('update-ref', '-d', 'refs/remotes/origin/next/one');
    git('update-ref', '-d', ref);
  });

  it('never leave the folder of branches: such names are left to git, which has none', async () => {
    for (const name of ['../HEAD', '../../config', 'a/../../HEAD', '/etc/hostname', '', '.', 'x.lock'])
      expect(readBranchFile(gitFolder(), name)).toBe(unknown);
    expect(await new BareGit(folder, environment).readBranch('../../HEAD')).toBeNull();
  });

  it('say where HEAD stands: on a branch, also one without a commit, or on a commit', () => {
    expect(readHeadFile(gitFolder())).toBe('main');
    git('symbolic-ref', 'HEAD', 'refs/heads/not/yet');
    expect(readHeadFile(gitFolder())).toBe('not/yet');
    git('update-ref', '--no-deref', 'HEAD', first);
    expect(readHeadFile(gitFolder())).toBeNull();
    git('symbolic-ref', 'HEAD', 'refs/heads/main');
  });
});

describe('refs of ours', () => {
  const parent = 'refs/gatewright/fetched/';
  const isOnly = (): boolean => areSurelyBelow(gitFolder(), parent, 'one');
  const refs = (): string[] => git('for-each-ref', '--format=%(refname)', parent).split('\n').filter(Boolean);
  beforeEach(() => {
    for (const ref of refs()) git('update-ref', '-d', ref);
    rmSync(join(gitFolder(), parent), { recursive: true, force: true });
    git('update-ref', `${parent}one/${first}`, first);
    git('update-ref', `${parent}one/${second}`, second);
  });

  it('are surely below one part of a name where all of them are', () => {
    expect(isOnly()).toBe(true);
    git('pack-refs', '--no-all');
    expect(isOnly()).toBe(true);
  });

  it('are left to git where some are below another part, or may be', () => {
    git('update-ref', `${parent}two/${first}`, first);
    expect(isOnly()).toBe(false);
    git('pack-refs', '--all');
    git('update-ref', `${parent}one/${first}`, second);
    expect(isOnly()).toBe(false);
    for (const ref of refs()) git('update-ref', '-d', ref);
    rmSync(join(gitFolder(), parent), { recursive: true, force: true });
    expect(isOnly()).toBe(false);
  });

  it('are left to git where it keeps refs in another way', () => {
    mkdirSync(join(gitFolder(), 'reftable'));
    expect(isOnly()).toBe(false);
    rmSync(join(gitFolder(), 'reftable'), { recursive: true });
  });
});
