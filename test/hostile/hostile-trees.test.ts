/**
 * Hundreds of trees that an obedient or hostile agent could leave, through the real taking over with real git: what must not
 * come in is refused by name, the rest is kept, nothing outside is read or changed, and what git makes of the result, checked
 * out as a person would, is one repository in which no program of the agent's runs.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
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
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { GitWorkspaces } from '../../src/adapters/git/git-workspaces.ts';
import { removeFolder } from '../../src/adapters/git/remove-folder.ts';
import type { Snapshot, Workspace } from '../../src/ports/workspace.ts';
import {
  benignTree,
  type HostileTree,
  hostileKinds,
  hostileTree,
  type TreePlaces,
} from './hostile-tree-cases.ts';

const isThorough = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1';
const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1' };
const files = { 'README.md': 'Read.\n', 'src/a.txt': 'one\ntwo\n', '.gitignore': 'ignored/\n' };

let home = '';
let root = '';
let base = '';
let ran = '';
let workspaces: GitWorkspaces;
let workspace: Workspace;
let places: TreePlaces;

/** As a person has it: with no setting of ours that would keep git from what it does by itself. */
function git(place: string, ...args: string[]): string {
  const env = { ...environment, HOME: home } as NodeJS.ProcessEnv;
  return execFileSync('git', args, { cwd: place, encoding: 'utf8', env, maxBuffer: 1 << 28 }).trim();
}

function writeFiles(folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function fingerprint(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mode, size } = lstatSync(join(folder, name));
      return `${name} ${mode} ${size} ${lstatSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'utf8') : ''}`;
    })
    .join('\n');
}

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'gw-trees-')));
  root = join(home, 'project');
  mkdirSync(root);
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'config', 'user.name', 'T');
  git(root, 'config', 'user.email', 't@example.invalid');
  writeFiles(root);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', 'Start');
  base = git(root, 'rev-parse', 'HEAD');
  workspaces = new GitWorkspaces({
    root,
    environment: { ...environment, HOME: home },
    folder: join(home, 'work'),
  });
  workspace = await workspaces.open('one', base, base);
  ran = join(home, 'ran');
  const trap = join(home, 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  const outside = join(dirname(workspace.folder), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'a secret of somebody\n', { mode: 0o600 });
  places = { folder: workspace.folder, outside, trap };
});
afterAll(async () => {
  await removeFolder(home);
});

beforeEach(() => expect(existsSync(ran)).toBe(false));

/** As it was when it was opened. */
function renew(): void {
  for (const name of readdirSync(workspace.folder, { encoding: 'buffer' })) {
    if (name.toString() === '.git') continue;
    const path = Buffer.concat([Buffer.from(`${workspace.folder}/`), name]);
    rmSync(path, { recursive: true, force: true });
  }
  writeFiles(workspace.folder);
}

let checkouts = 0;
/** What a person gets who checks it out and works in every folder of it. */
async function checkOut(tree: string): Promise<void> {
  checkouts += 1;
  const place = join(home, `checkout-${checkouts}`, 'project');
  mkdirSync(place, { recursive: true });
  const index = join(dirname(place), 'index');
  const env = { ...environment, HOME: home, GIT_DIR: join(root, '.git'), GIT_INDEX_FILE: index };
  const run = (...args: string[]) => execFileSync('git', args, { cwd: place, env: env as NodeJS.ProcessEnv });
  run('read-tree', tree);
  run('checkout-index', '--all', `--prefix=${place}/`);
  writeFileSync(join(place, '.git'), `gitdir: ${join(root, '.git')}\n`);
  const entries = readdirSync(place, { recursive: true, encoding: 'utf8' });
  for (const name of ['', ...entries]) {
    const path = join(place, name);
    const status = lstatSync(path);
    const real = realpathSync(path);
    expect(real === place || real.startsWith(`${place}/`)).toBe(true);
    if (!status.isDirectory()) continue;
    expect(git(path, 'rev-parse', '--absolute-git-dir')).toBe(join(root, '.git'));
    git(path, 'status', '--short');
  }
  expect(existsSync(ran)).toBe(false);
  await removeFolder(dirname(place));
}

const listPaths = (tree: string): string[] =>
  git(root, 'ls-tree', '-r', '-z', '--name-only', tree)
    .split('\0')
    .filter((path) => path !== '');

function expectRefused(snapshot: Snapshot, { kind, about, named }: HostileTree): void {
  const told = [...snapshot.problems, ...snapshot.secrets.map(({ path }) => path)].join('\n');
  expect(told, about).toContain(named);
  if (kind === 'secret') expect(snapshot.secrets.length, about).toBeGreaterThan(0);
  // All else is as it was, and what the agent did beside it is kept.
  const allowed = [...Object.keys(files), 'kept.txt', 'src/kept.sh'];
  const beside = ['s', 'inside.txt'];
  const taken = listPaths(snapshot.tree).filter((path) => !allowed.includes(path));
  expect(
    taken.filter((path) => !beside.includes(path.split('/').at(-1) ?? '')),
    about,
  ).toEqual([]);
  expect(listPaths(snapshot.tree), about).toEqual(expect.arrayContaining(allowed));
}

it('every hostile tree is refused by name, and the rest is kept', { timeout: 600_000 }, async () => {
  const before = fingerprint(places.outside);
  const seen = new Map<string, number>();
  const texts = new Set<string>();
  await fc.assert(
    fc.asyncProperty(hostileTree, async (tree) => {
      renew();
      writeFileSync(join(workspace.folder, 'kept.txt'), 'kept\n');
      writeFileSync(join(workspace.folder, 'src/kept.sh'), '#!/bin/sh\n', { mode: 0o755 });
      tree.make(places);
      seen.set(tree.kind, (seen.get(tree.kind) ?? 0) + 1);
      texts.add(tree.about);
      const snapshot = await workspaces.takeSnapshot(workspace);
      expectRefused(snapshot, tree);
      await checkOut(snapshot.tree);
      expect(readdirSync(dirname(workspace.folder)).sort()).toEqual(['outside', 'tree']);
    }),
    { numRuns: isThorough ? 1000 : 220, endOnFailure: true },
  );
  expect(fingerprint(places.outside)).toBe(before);
  expect([...seen.keys()].sort()).toEqual([...hostileKinds].sort());
  expect(texts.size).toBeGreaterThan(150);
  // Nothing that was refused is among the objects: no key, nothing of 10 MiB.
  const sizes = git(root, 'cat-file', '--batch-all-objects', '--batch-check=%(objectsize)')
    .split('\n')
    .map(Number);
  expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
});

it('early, while the agent is at it, the same is refused', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(hostileTree, async (tree) => {
      renew();
      writeFileSync(join(workspace.folder, 'kept.txt'), 'kept\n');
      writeFileSync(join(workspace.folder, 'src/kept.sh'), '#!/bin/sh\n', { mode: 0o755 });
      tree.make(places);
      const early = await workspaces.takeEarlySnapshot(workspace);
      if (early === null) return;
      expectRefused(early, tree);
      expect(early).toEqual(await workspaces.takeSnapshot(workspace));
    }),
    { numRuns: isThorough ? 200 : 30, endOnFailure: true },
  );
});

it('benign trees are taken over byte by byte', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(benignTree, async (entries) => {
      renew();
      // Attributes that would change what is taken over; they are left out and do nothing.
      writeFileSync(
        join(workspace.folder, '.gitattributes'),
        '* text eol=crlf ident working-tree-encoding=UTF-16 filter=x\n',
      );
      const made = new Map<string, string>();
      for (const { path, content, isProgram, linkTo } of entries) {
        const full = join(workspace.folder, path);
        const isFolder = (at: string): boolean =>
          lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
        const parents = path
          .split('/')
          .map((_, index, parts) => parts.slice(0, index).join('/'))
          .slice(1);
        if (parents.some((parent) => made.has(parent)) || isFolder(full)) continue;
        mkdirSync(dirname(full), { recursive: true });
        if (linkTo === null) {
          writeFileSync(full, content);
          if (isProgram) chmodSync(full, 0o755);
        } else symlinkSync(`${'../'.repeat(path.split('/').length - 1)}${linkTo}`, full);
        made.set(path, linkTo === null ? (isProgram ? '100755' : '100644') : '120000');
      }
      const { problems, secrets, tree, leftOut } = await workspaces.takeSnapshot(workspace);
      expect({ problems, secrets, leftOut }).toEqual({
        problems: [],
        secrets: [],
        leftOut: ['.gitattributes'],
      });
      expect(listPaths(tree).sort()).toEqual([...Object.keys(files), ...made.keys()].sort());
      for (const [path, mode] of made) {
        expect(git(root, 'ls-tree', tree, '--', path).slice(0, 6)).toBe(mode);
        if (mode === '120000') continue;
        const stored = execFileSync('git', ['cat-file', 'blob', `${tree}:${path}`], { cwd: root });
        expect(stored.equals(readFileSync(join(workspace.folder, path)))).toBe(true);
      }
      await checkOut(tree);
    }),
    { numRuns: isThorough ? 200 : 30, endOnFailure: true },
  );
});
