/** What steers agents is that of the base, whatever a pull request put in its place: every shape against every other. */
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GitWorkspaces } from '../git-workspaces.ts';

let folder = '';
let root = '';
const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1' };

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', env: { ...environment, HOME: folder } }).trim();

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

/** Makes something at a path that says whose it is. */
const shapes: Readonly<Record<string, (path: string, whose: string) => void>> = {
  nothing: () => undefined,
  file: (path, whose) => write(path, whose),
  folder: (path, whose) => {
    write(`${path}/inner`, whose);
    write(`${path}/deep/er`, whose);
  },
  link: (path) => link('../target.md', path),
  'link to a folder': (path) => link('../targets', path),
  'link to a link': (path) => link('../chain', path),
  'link outside': (path) => link('../../../../outside', path),
  'link to nothing': (path) => link('missing', path),
  'link to itself': (path) => link('../', path),
};

/** What has to be there, by the shape in the base. */
const expected: Readonly<Record<string, unknown>> = {
  nothing: null,
  file: 'base',
  folder: { inner: 'base', deep: { er: 'base' } },
  link: 'base target',
  'link to a folder': { inner: 'base target' },
  'link to a link': 'base target',
  'link outside': null,
  'link to nothing': null,
};

function look(path: string): unknown {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return null;
  if (status.isFile()) return readFileSync(path, 'utf8');
  if (!status.isDirectory()) return 'a link';
  return Object.fromEntries(readdirSync(path).map((name) => [name, look(join(path, name))]));
}

const bases = Object.keys(expected);
const heads = Object.keys(shapes);
const names = ['CLAUDE.md', '.claude'];
/** Each pair has a folder of its own, so that one copy shows them all. */
const pairs = bases.flatMap((base, row) =>
  heads.flatMap((head, column) => names.map((name) => ({ base, head, path: `f${row}x${column}/${name}` }))),
);

function commit(side: 'base' | 'head'): string {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  execFileSync('git', ['clone', '--quiet', join(folder, 'store.git'), root], { stdio: 'ignore' });
  for (const name of readdirSync(root).filter((one) => one !== '.git'))
    rmSync(join(root, name), { recursive: true });
  for (const pair of pairs) {
    write(`${dirname(pair.path)}/other.txt`, 'x');
    shapes[pair[side]]?.(pair.path, side);
  }
  write('target.md', `${side} target`);
  write('targets/inner', `${side} target`);
  link('target.md', 'chain');
  // A folder that is a link now: nothing is written through it.
  if (side === 'base') write('moved/CLAUDE.md', 'base');
  else link('../../../outside', 'moved');
  git('add', '--all', '--force');
  git('-c', 'user.name=T', '-c', 'user.email=t@example.invalid', 'commit', '--quiet', '--message', side);
  git('push', '--quiet', 'origin', `HEAD:refs/heads/${side}`);
  return git('rev-parse', 'HEAD');
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-steering-')));
  root = join(folder, 'project');
  execFileSync('git', ['init', '--quiet', '--bare', join(folder, 'store.git')]);
  mkdirSync(join(folder, 'work', 'outside'), { recursive: true });
  writeFileSync(join(folder, 'work', 'outside', 'kept'), 'kept');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is as in the base, and what the pull request has stays in what the agent leaves', async () => {
  const [base, head] = [commit('base'), commit('head')];
  const workspaces = new GitWorkspaces({
    root,
    environment: { ...environment, HOME: folder },
    folder: join(folder, 'work'),
  });
  const workspace = await workspaces.open('one', head, base);
  const found = pairs.map(({ path, ...pair }) => ({ ...pair, path, is: look(join(workspace.folder, path)) }));
  expect(found).toEqual(pairs.map((pair) => ({ ...pair, is: expected[pair.base] })));
  expect(look(join(folder, 'work', 'outside'))).toEqual({ kept: 'kept' });
  const snapshot = await workspaces.takeSnapshot(workspace);
  expect([snapshot.files, snapshot.problems]).toEqual([[], []]);
  expect(snapshot.tree).toBe(git('rev-parse', `${head}^{tree}`));
});
