/** Filters of a person's own settings are not started over what a pull request or an agent brings. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GitWorkspaces } from './git-workspaces.ts';

let folder = '';
let root = '';
let trace = '';
let environment: Record<string, string | undefined> = {};

function git(...args: string[]): string {
  return execFileSync('git', args, {
    ...{ cwd: root, encoding: 'utf8' as const, env: environment as NodeJS.ProcessEnv },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-filters-')));
  [root, trace] = [join(folder, 'project'), join(folder, 'trace')];
  mkdirSync(root);
  environment = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.invalid');
  writeFileSync(
    join(root, '.gitattributes'),
    'a.txt filter=one\nb.txt filter=odd=name\nc.txt filter=own\nd.txt filter=given\n',
  );
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(root, `${name}.txt`), `raw ${name}\n`);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start');
  // Everywhere where somebody may have set one up: for all repositories, for this one, in the environment.
  const program = join(folder, 'filter.sh');
  writeFileSync(program, `#!/bin/sh\necho "$1" >> ${trace}\nsed s/raw/filtered/\n`, { mode: 0o755 });
  for (const name of ['one', 'odd=name'])
    for (const way of ['smudge', 'clean'])
      git('config', '--global', `filter.${name}.${way}`, `${program} ${way}`);
  git('config', '--global', 'filter.one.required', 'true');
  git('config', 'filter.own.clean', `${program} clean`);
  environment = {
    ...environment,
    ...{
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'filter.given.clean',
      GIT_CONFIG_VALUE_0: `${program} given`,
    },
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a copy has the bytes of the commit, and what is taken from it those of the agent', async () => {
  const base = git('rev-parse', 'HEAD');
  git('config', '--global', 'filter.one.process', `${join(folder, 'filter.sh')} process`);
  const workspaces = new GitWorkspaces({ root, environment, folder: join(folder, 'work') });
  const workspace = await workspaces.open('one', base, base);
  for (const name of ['a', 'b', 'c', 'd'])
    expect(readFileSync(join(workspace.folder, `${name}.txt`), 'utf8')).toBe(`raw ${name}\n`);
  expect(await workspaces.takeSnapshot(workspace)).toMatchObject({ files: [], problems: [] });
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    writeFileSync(join(workspace.folder, `${name}.txt`), `raw and new ${name}\n`);
  writeFileSync(join(workspace.folder, '.gitattributes'), '* filter=one\n');
  const { tree, files } = await workspaces.takeSnapshot(workspace);
  expect(files.length).toBe(5);
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    expect(await workspaces.readFile(tree, `${name}.txt`)).toBe(`raw and new ${name}\n`);
  expect(existsSync(trace)).toBe(false);
});

it('without that, they would be started', () => {
  rmSync(join(root, 'b.txt'));
  git('checkout', '--', 'b.txt');
  expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('filtered b\n');
  for (const name of ['c', 'd']) writeFileSync(join(root, `${name}.txt`), 'raw and new\n');
  git('add', 'c.txt', 'd.txt');
  // Git may look at a file twice.
  const started = new Set(readFileSync(trace, 'utf8').trim().split('\n'));
  expect([...started].sort()).toEqual(['clean', 'given', 'smudge']);
});
