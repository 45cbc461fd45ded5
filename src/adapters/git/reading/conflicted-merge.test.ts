/** What git prints about a merge that it cannot finish, read from real merges and from generated output. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BareGit } from '../bare-git.ts';
import { readConflictedMerge } from './conflicted-merge.ts';

let folder = '';
const environment = {
  PATH: process.env.PATH ?? '',
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@localhost', GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@localhost', GIT_CONFIG_GLOBAL: '/dev/null' },
};
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, env: environment, encoding: 'utf8' }).trim();
const write = (path: string, content: string): void => writeFileSync(join(folder, path), content);
const link = (path: string, target: string): void => {
  unlinkSync(join(folder, path));
  symlinkSync(target, join(folder, path));
};
function commit(message: string): string {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
  return git('rev-parse', 'HEAD');
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatewright-merge-'));
  git('init', '--quiet', '--initial-branch=main');
  for (const [path, content] of [
    ['text', 'a\nb\n'],
    ['odd\nname', 'a\n'],
    ['gone', 'x\n'],
    ['bin', '\0a'],
  ])
    write(path as string, content as string);
  symlinkSync('text', join(folder, 'link'));
  commit('one');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('mergeWithMarkers', () => {
  it('names each conflict as git does, and marks contents with the ids of both commits', async () => {
    git('checkout', '--quiet', '-b', 'topic');
    for (const path of ['text', 'odd\nname']) write(path, 'ours\n');
    git('rm', '--quiet', 'gone');
    write('bin', '\0b');
    link('link', 'bin');
    const head = commit('ours');
    git('checkout', '--quiet', 'main');
    for (const path of ['text', 'odd\nname', 'gone']) write(path, 'theirs\n');
    write('bin', '\0c');
    link('link', 'gone');
    const base = commit('theirs');
    const merge = await new BareGit(folder, environment).mergeWithMarkers(head, base);
    expect(merge?.conflicts).toEqual([
      { path: 'bin', kinds: ['binary', 'contents'], isFile: true },
      { path: 'gone', kinds: ['modify/delete'], isFile: true },
      { path: 'link', kinds: ['contents'], isFile: false },
      { path: 'odd\nname', kinds: ['contents'], isFile: true },
      { path: 'text', kinds: ['contents'], isFile: true },
    ]);
    expect(git('show', `${merge?.tree}:text`).split('\n')).toEqual([
      ...[`<<<<<<< ${head}`, 'ours', expect.stringMatching(/^\|{7} /u), 'a', 'b'],
      ...['=======', 'theirs', `>>>>>>> ${base}`],
    ]);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('is null without a conflict', async () => {
    const from = git('rev-parse', 'main');
    git('checkout', '--quiet', '-b', 'other');
    write('new', 'x\n');
    const head = commit('new');
    expect(await new BareGit(folder, environment).mergeWithMarkers(head, from)).toBeNull();
  });
});

const tree = 'a'.repeat(40);
const path = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => !text.includes('\0'));

describe('readConflictedMerge', () => {
  it('reads every path as it is, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
        const stages = paths.map((one) => `100644 ${tree} 2\t${one}\0`).join('');
        const told = paths.map((one) => `1\0${one}\0CONFLICT (contents)\0CONFLICT (contents): in ${one}\0`);
        const { conflicts } = readConflictedMerge(`${tree}\0${stages}\0${told.join('')}`);
        expect(conflicts.map((one) => one.path)).toEqual([...new Set(paths)].sort());
        for (const one of conflicts) expect(one).toMatchObject({ kinds: ['contents'], isFile: true });
      }),
    );
  });

  it.each([
    ['no tree', `nothing\0`],
    ['a stage of another form', `${tree}\0what\0`],
    ['a count that is none', `${tree}\0\0x\0a\0b\0`],
    ['more paths than there are', `${tree}\0\x009\0a\0CONFLICT (contents)\0b\0`],
  ])('refuses %s', (_, output) => {
    expect(() => readConflictedMerge(output)).toThrow(TypeError);
  });
});
