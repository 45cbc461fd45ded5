/**
 * A submodule is a folder that git looks into with the settings that it finds there, and settings name programs. An agent
 * that fills such a folder must not get one of them started outside its sandbox.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitWorkspaces } from './git-workspaces.ts';

let folder = '';
let root = '';
let canary = '';
let base = '';
let workspaces: GitWorkspaces;

const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1' };

function git(place: string, ...args: string[]): string {
  const env = { ...environment, HOME: folder } as NodeJS.ProcessEnv;
  return execFileSync('git', args, { cwd: place, encoding: 'utf8', env }).trim();
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-submodule-')));
  root = join(folder, 'project');
  canary = join(folder, 'canary');
  mkdirSync(root);
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'config', 'user.name', 'T');
  git(root, 'config', 'user.email', 't@example.invalid');
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', 'Start');
  workspaces = new GitWorkspaces({
    root,
    environment: { ...environment, HOME: folder },
    folder: join(folder, 'work'),
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A repository whose settings start a program as soon as git compares its files. */
function makeTrap(place: string): string {
  const program = join(place, 'trap.sh');
  mkdirSync(place, { recursive: true });
  git(place, 'init', '--quiet', '--initial-branch=main');
  git(place, 'config', 'user.name', 'A');
  git(place, 'config', 'user.email', 'a@example.invalid');
  writeFileSync(program, `#!/bin/sh\ntouch '${canary}'\ncat\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(place, '.gitattributes'), 'file.txt filter=trap\n');
  writeFileSync(join(place, 'file.txt'), 'one\n');
  git(place, 'add', '--all');
  git(place, 'commit', '--quiet', '--message', 'Trap');
  git(place, 'config', 'filter.trap.clean', program);
  git(place, 'config', 'core.fsmonitor', program);
  writeFileSync(join(place, 'file.txt'), 'two\n');
  return git(place, 'rev-parse', 'HEAD');
}

describe('a workspace with a submodule', () => {
  beforeEach(() => {
    const sha = makeTrap(join(folder, 'trap'));
    git(root, 'update-index', '--add', '--cacheinfo', `160000,${sha},library`);
    git(root, 'commit', '--quiet', '--message', 'With a submodule');
    base = git(root, 'rev-parse', 'HEAD');
    rmSync(canary, { force: true });
  });

  it.each([
    ['', 'false'],
    [' of a repository of which only a part is checked out', 'true'],
  ])('starts no program that an agent names in it%s', async (_, sparse) => {
    git(root, 'config', 'core.sparseCheckout', sparse);
    const workspace = await workspaces.open('one', base, base);
    rmSync(join(workspace.folder, 'library'), { recursive: true, force: true });
    execFileSync('cp', ['-a', join(folder, 'trap'), join(workspace.folder, 'library')]);
    writeFileSync(join(workspace.folder, 'a.txt'), 'two\n');
    const { files, problems, tree } = await workspaces.takeSnapshot(workspace);
    expect(existsSync(canary)).toBe(false);
    expect(files.map(({ path }) => path)).toEqual(['a.txt']);
    expect(git(root, 'ls-tree', tree, 'library')).toBe(git(root, 'ls-tree', base, 'library'));
    expect(problems).toEqual([]);
  });

  it('may be removed', async () => {
    const workspace = await workspaces.open('one', base, base);
    rmSync(join(workspace.folder, 'library'), { recursive: true, force: true });
    const { files, problems } = await workspaces.takeSnapshot(workspace);
    expect(files.map(({ path, change }) => [path, change])).toEqual([['library', 'removed']]);
    expect(problems).toEqual([]);
  });

  it('becomes no link that leads outside', async () => {
    const workspace = await workspaces.open('one', base, base);
    rmSync(join(workspace.folder, 'library'), { recursive: true, force: true });
    symlinkSync(join(folder, 'trap'), join(workspace.folder, 'library'));
    const { problems } = await workspaces.takeSnapshot(workspace);
    expect(existsSync(canary)).toBe(false);
    expect(problems.join()).toContain('library is a link that leads outside');
  });

  it('that its agent made is refused, and starts nothing', async () => {
    const workspace = await workspaces.open('one', base, base);
    execFileSync('cp', ['-a', join(folder, 'trap'), join(workspace.folder, 'another')]);
    const { problems } = await workspaces.takeSnapshot(workspace);
    expect(existsSync(canary)).toBe(false);
    expect(problems.join()).toContain('another is a repository in the repository');
  });
});
