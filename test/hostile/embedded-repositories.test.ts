/**
 * Folders that may be repositories, put together at random. Real git is asked in each, as it is without any setting: whatever
 * it takes for a repository inside the tree is refused when it is taken over, and no program that is named there ever ran.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitWorkspaces } from '../../src/adapters/git/git-workspaces.ts';
import { removeFolder } from '../../src/adapters/git/remove-folder.ts';
import type { Workspace } from '../../src/ports/workspace.ts';

const isThorough = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1';
const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1' };

let home = '';
let root = '';
let workspaces: GitWorkspaces;
let workspace: Workspace;
let base = '';
let ran = '';
let trap = '';

function git(place: string, ...args: string[]): string {
  const env = { ...environment, HOME: home } as NodeJS.ProcessEnv;
  return execFileSync('git', args, { cwd: place, encoding: 'utf8', env }).trim();
}

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'gw-embedded-')));
  root = join(home, 'project');
  mkdirSync(root);
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(
    root,
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.invalid',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'Start',
  );
  base = git(root, 'rev-parse', 'HEAD');
  workspaces = new GitWorkspaces({
    root,
    environment: { ...environment, HOME: home },
    folder: join(home, 'work'),
  });
  ran = join(home, 'ran');
  trap = join(home, 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  workspace = await workspaces.open('one', base, base);
});
afterAll(async () => {
  await removeFolder(home);
});

type Part = (place: string, name: string) => void;

const file =
  (content: string): Part =>
  (place, name) =>
    writeFileSync(join(place, name), content);
const folder: Part = (place, name) => {
  mkdirSync(join(place, name));
  writeFileSync(join(place, name, 'keep'), '');
};
const program: Part = (place, name) => {
  writeFileSync(join(place, name), '#!/bin/sh\n');
  chmodSync(join(place, name), 0o755);
};
const linkTo =
  (target: string): Part =>
  (place, name) =>
    symlinkSync(target, join(place, name));
const nothing: Part = () => undefined;

const heads = [
  ...[
    file('ref: refs/heads/main\n'),
    file(`${'1'.repeat(40)}\n`),
    file('ref:refs/heads/x'),
    file('no head\n'),
  ],
  ...[linkTo('refs/heads/main'), linkTo('elsewhere'), nothing],
];
const folders = [folder, folder, program, linkTo('other'), file('x'), nothing];

const candidate = fc.record({
  depth: fc.nat(3),
  HEAD: fc.constantFrom(...heads),
  objects: fc.constantFrom(...folders),
  refs: fc.constantFrom(...folders),
  commondir: fc.constantFrom(nothing, nothing, file('.\n'), file('../common\n'), file('other\n')),
  gitfile: fc.constantFrom(nothing, nothing, nothing, file('gitdir: other\n'), file('gitdir: .\n')),
});

it('whatever git takes for a repository is refused', { timeout: 600_000 }, async () => {
  const seen = { taken: 0, other: 0 };
  await fc.assert(
    fc.asyncProperty(candidate, async ({ depth, gitfile, ...parts }) => {
      for (const name of ['top', 'common']) await removeFolder(join(workspace.folder, name));
      const place = join(
        workspace.folder,
        'top',
        ...Array.from({ length: depth }, (_, index) => `d${index}`),
      );
      mkdirSync(join(place, 'other', 'objects'), { recursive: true });
      for (const where of [join(place, 'other'), join(dirname(place), 'common')]) {
        for (const name of ['objects', 'refs']) mkdirSync(join(where, name), { recursive: true });
        writeFileSync(join(where, 'objects', 'keep'), '');
        writeFileSync(join(where, 'refs', 'keep'), '');
        writeFileSync(
          join(where, 'config'),
          `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${trap}\n`,
        );
      }
      writeFileSync(
        join(place, 'config'),
        `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = ${trap}\n`,
      );
      for (const [name, make] of Object.entries(parts)) make(place, name);
      gitfile(place, '.git');
      const env = { ...environment, HOME: home } as NodeJS.ProcessEnv;
      const asked = spawnSync('git', ['rev-parse', '--absolute-git-dir'], {
        cwd: place,
        encoding: 'utf8',
        env,
      });
      const own = join(workspace.folder, '.git');
      // A file `.git` that git cannot follow is an error, and no reason to let it in.
      const isTaken = asked.status !== 0 || asked.stdout.trim() !== own;
      seen[isTaken ? 'taken' : 'other'] += 1;
      const { tree, problems } = await workspaces.takeSnapshot(workspace);
      const shown = place.slice(workspace.folder.length + 1);
      if (isTaken) expect(problems.join('\n')).toContain(shown);
      // As somebody else gets it: git finds no other repository in any folder of it.
      const copy = join(home, 'copy');
      await removeFolder(copy);
      mkdirSync(copy);
      git(copy, 'init', '--quiet');
      git(copy, 'fetch', '--quiet', root);
      const variables = { ...env, GIT_DIR: join(root, '.git'), GIT_INDEX_FILE: join(home, 'index') };
      execFileSync('git', ['read-tree', tree], { cwd: copy, env: variables });
      execFileSync('git', ['checkout-index', '--all', '--force', `--prefix=${copy}/`], {
        cwd: copy,
        env: variables,
      });
      const there = [place, join(place, 'other'), join(dirname(place), 'common')].map((one) =>
        join(copy, one.slice(workspace.folder.length + 1)),
      );
      for (const one of there) {
        if (!existsSync(one)) continue;
        expect(git(one, 'rev-parse', '--absolute-git-dir')).toBe(join(copy, '.git'));
        git(one, 'status', '--short');
      }
      expect(existsSync(ran)).toBe(false);
    }),
    { numRuns: isThorough ? 1000 : 100, endOnFailure: true },
  );
  expect(Math.min(seen.taken, seen.other)).toBeGreaterThan(10);
});
