/** Which changes to files that steer agents and builds are named as left out: those of the agent, and none of ours. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GitWorkspaces } from './git-workspaces.ts';

let folder = '';
let root = '';
let workspaces: GitWorkspaces;

function git(...args: string[]): string {
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', HOME: folder } as NodeJS.ProcessEnv;
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', env }).trim();
}

function write(place: string, path: string, content: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), content);
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-steering-')));
  root = join(folder, 'project');
  mkdirSync(root);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.invalid');
  write(root, 'src/a.txt', 'one\n');
  write(root, 'CLAUDE.md', 'Be good.\n');
  const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  workspaces = new GitWorkspaces({ root, environment, folder: join(folder, 'work') });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('names as left out what the agent did to them, and nothing that we put into its copy', async () => {
  // A pull request that renames a page so that it steers agents, and changes another one that does.
  write(root, 'guide.md', 'A guide.\n');
  write(root, '.github/workflows/x.yml', 'on: push\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'More');
  const from = git('rev-parse', 'HEAD');
  git('mv', 'guide.md', 'AGENTS.md');
  git('rm', '--quiet', '.github/workflows/x.yml');
  write(root, 'CLAUDE.md', 'Be different.\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Rename');
  const head = git('rev-parse', 'HEAD');
  const copy = await workspaces.open('two', head, from);
  write(copy.folder, 'src/a.txt', 'changed\n');
  expect(existsSync(join(copy.folder, 'AGENTS.md'))).toBe(false);
  const first = await workspaces.takeSnapshot(copy);
  expect(first.leftOut).toEqual([]);
  expect(first.files.map((file) => file.path)).toEqual(['src/a.txt']);
  expect(await workspaces.readFile(first.tree, 'AGENTS.md')).toBe('A guide.\n');
  expect(await workspaces.readFile(first.tree, 'CLAUDE.md')).toBe('Be different.\n');
  // The same copy, opened again after a crash.
  expect((await workspaces.takeSnapshot(await workspaces.open('two', head, from))).leftOut).toEqual([]);
  write(copy.folder, 'AGENTS.md', 'Be bad.\n');
  rmSync(join(copy.folder, 'CLAUDE.md'));
  write(copy.folder, '.github/workflows/x.yml', 'on: pull_request_target\n');
  const { leftOut, tree } = await workspaces.takeSnapshot(copy);
  expect(leftOut).toEqual(['.github/workflows/x.yml', 'AGENTS.md', 'CLAUDE.md']);
  expect(tree).toBe(first.tree);
});
