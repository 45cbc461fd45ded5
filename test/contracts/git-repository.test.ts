/** The git adapter passes the repository contract; and hooks, crashes, full disks and other processes do no harm. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRepositoryRoot, GitRepository } from '../../src/adapters/git/git-repository.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { Playground } from '../support/playground.ts';
import { expectCode } from './expect-code.ts';
import { describeRepository } from './repository.contract.ts';
import { childEnvironment, runChildren } from './run-children.ts';

const createFileChild = fileURLToPath(new URL('./create-file-child.ts', import.meta.url));
const commitFileChild = new URL('./commit-file-child.ts', import.meta.url);

function openRepository(
  playground: Playground,
  environment = {},
  root = playground.repository,
): GitRepository {
  return new GitRepository(root, {
    environment: { ...playground.environment, ...environment },
    clock: systemClock,
    worktreeFolder: join(playground.folder, 'data', 'worktrees'),
  });
}

describeRepository('GitRepository', (playground) => ({
  repository: openRepository(playground),
  playground,
  withEnvironment: (environment) => openRepository(playground, environment),
}));

describe('GitRepository', () => {
  let playground: Playground;
  let repository: GitRepository;

  beforeEach(() => {
    playground = new Playground();
    repository = openRepository(playground);
  });
  afterEach(() => playground.remove());

  it('lists the files that are there, whatever git calls them', async () => {
    const names = ['kept.txt', 'R kept.txt', 'two\nlines.txt', 'gone.txt', 'staged-gone.txt', 'hidden.txt'];
    playground.commit({ ...Object.fromEntries(names.map((name) => [name, 'x\n'])), '.gitignore': '*.log\n' });
    const before = await repository.listFiles();
    expect(before).toEqual(expect.arrayContaining(names));
    rmSync(join(playground.repository, 'gone.txt'));
    playground.git('rm', '--quiet', 'staged-gone.txt');
    playground.git('update-index', '--skip-worktree', 'hidden.txt');
    playground.write('new.txt', 'y\n');
    playground.write('ignored.log', 'z\n');
    const without = before.filter((name) => name !== 'gone.txt' && name !== 'staged-gone.txt');
    expect(await repository.listFiles()).toEqual([...without, 'new.txt'].sort());
  });

  it('knows the branch of each work tree, and whether it has a commit, wherever git keeps it', async () => {
    const folder = join(playground.folder, 'beside');
    playground.git('worktree', 'add', '--quiet', '-b', 'other', folder);
    playground.git('pack-refs', '--all');
    const beside = openRepository(playground, {}, folder);
    const both = [repository, beside];
    expect(await Promise.all(both.map((one) => one.currentBranch()))).toEqual(['main', 'other']);
    expect(await Promise.all(both.map((one) => one.checkReady(['new.md'])))).toEqual([[], []]);
    const inside = { cwd: folder, env: playground.environment };
    execFileSync('git', ['switch', '--quiet', '--orphan', 'unborn'], inside);
    expect(await Promise.all(both.map((one) => one.currentBranch()))).toEqual(['main', 'unborn']);
    expect(await repository.checkReady(['new.md'])).toEqual([]);
    expect(await beside.checkReady(['new.md'])).toMatchObject([
      { problem: expect.stringContaining('no commit yet') },
    ]);
    execFileSync('git', ['switch', '--quiet', '--detach', 'other'], inside);
    expect(await beside.currentBranch()).toBeNull();
    // A name that stands for another one: git is asked.
    playground.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    playground.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
    expect(await repository.checkReady(['new.md'])).toEqual([]);
  });

  it('commits what an earlier try had staged when it was killed, removals too', async () => {
    const idea = 'ideas/active/export-csv.md';
    await repository.move(idea, 'ideas/done/1.md');
    playground.git('add', '--all', '--', idea, 'ideas/done/1.md');
    await repository.commit({ message: 'Move', paths: [idea, 'ideas/done/1.md'], marker: 'm' });
    expect(playground.git('status', '--porcelain')).toBe('');
    expect(playground.git('show', '--name-status', '--format=', '--no-renames', 'HEAD').split('\n')).toEqual([
      `D\t${idea}`,
      'A\tideas/done/1.md',
    ]);
  });

  it('takes no folder for a repository that only holds the files of one', async () => {
    // Anybody can commit such files, with settings that name a program to run.
    const folder = playground.path('fixtures/evil');
    mkdirSync(join(folder, 'files'), { recursive: true });
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: folder, env: playground.environment, encoding: 'utf8' }).trim();
    git('init', '--quiet', '--bare', '.');
    git('config', 'core.bare', 'false');
    git('config', 'core.worktree', join(folder, 'files'));
    expect(git('rev-parse', '--show-toplevel')).toBe(join(folder, 'files'));
    await expectCode(findRepositoryRoot(folder, playground.environment), 'not-a-repository');
    expect(await findRepositoryRoot(playground.path('fixtures'), playground.environment)).toBe(
      playground.repository,
    );
  });

  const hookNames = [
    'applypatch-msg',
    'pre-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-commit',
    'post-checkout',
    'post-index-change',
    'pre-auto-gc',
    'reference-transaction',
  ];

  it.each(['.git/hooks', 'hooks'])('starts no hook in %s', async (folder) => {
    const witness = join(playground.folder, 'hook-ran');
    mkdirSync(playground.path(folder), { recursive: true });
    for (const hook of hookNames) {
      writeFileSync(playground.path(folder, hook), `#!/bin/sh\necho ${hook} >> '${witness}'\nexit 1\n`, {
        mode: 0o755,
      });
    }
    if (folder === 'hooks') playground.git('config', 'core.hooksPath', playground.path(folder));
    playground.write('new.md', 'x');
    await repository.commit({ message: 'Add', paths: ['new.md'], marker: 'm' });
    await repository.makeWorktree('run-1');
    await repository.removeWorktree('run-1');
    await repository.checkReady(['new.md']);
    expect(readdirSync(playground.folder)).not.toContain('hook-ran');
    // The hooks do run when a person commits: else the above would prove nothing.
    expect(() => playground.git('commit', '--allow-empty', '--message', 'x')).toThrow();
    expect(readdirSync(playground.folder)).toContain('hook-ran');
  });

  it('is not led astray when it is started from a hook of another repository', async () => {
    const elsewhere = new Playground();
    const steered = openRepository(playground, {
      GIT_DIR: elsewhere.path('.git'),
      GIT_WORK_TREE: elsewhere.repository,
      GIT_INDEX_FILE: elsewhere.path('.git/index'),
      GIT_PREFIX: 'sub/',
    });
    playground.write('new.md', 'x');
    const made = await steered.commit({ message: 'Add', paths: ['new.md'], marker: 'm' });
    expect(playground.git('rev-parse', 'HEAD')).toBe(made);
    expect(elsewhere.git('rev-list', '--count', 'HEAD')).toBe('1');
    elsewhere.remove();
  });

  it('gives up with a word about it when the index stays locked', async () => {
    const pauses: number[] = [];
    const hasty = new GitRepository(playground.repository, {
      environment: playground.environment,
      // The longest pause there is, passed in no time.
      clock: {
        sleep: async (milliseconds) => void pauses.push(milliseconds),
        randomBytes: () => Uint8Array.of(119),
      },
      worktreeFolder: playground.folder,
    });
    playground.write('new.md', 'x');
    writeFileSync(playground.path('.git/index.lock'), '');
    await expectCode(hasty.commit({ message: 'Add', paths: ['new.md'], marker: 'm' }), 'git-busy');
    const waited = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(waited).toBeGreaterThanOrEqual(30_000);
    expect(waited).toBeLessThan(31_000);
    expect(playground.git('rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('loses none of ten commits made at once, and tells each process its own', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `file ${index}.md`);
    playground.write('staged', 'x');
    playground.git('add', 'staged');
    const made = await runChildren<string>(
      commitFileChild,
      names.map((name, index) => [playground.repository, playground.folder, name, `marker-${index}`]),
    );
    expect(playground.git('rev-list', '--count', 'HEAD')).toBe('11');
    expect(playground.git('status', '--porcelain')).toBe('A  staged');
    for (const [index, name] of names.entries()) {
      const commit = await repository.findCommit(`marker-${index}`, null);
      expect(playground.git('show', '--format=', '--name-only', commit ?? '')).toBe(name);
      expect(made[index]).toBe(commit);
    }
  });

  it('returns its own commit, also when somebody else commits right after it', async () => {
    const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    // A git that, like a busy colleague, adds a commit of its own as soon as ours is made.
    const script = `#!/bin/sh
'${realGit}' "$@" || exit $?
case " $* " in *' commit '*) '${realGit}' commit --quiet --allow-empty --message 'Theirs' ;; esac
`;
    mkdirSync(join(playground.folder, 'bin'));
    writeFileSync(join(playground.folder, 'bin', 'git'), script, { mode: 0o755 });
    const busy = openRepository(playground, {
      PATH: [join(playground.folder, 'bin'), playground.environment.PATH].join(delimiter),
    });
    playground.write('new.md', 'x');
    const made = await busy.commit({ message: 'Ours', paths: ['new.md'], marker: 'm' });
    expect(playground.git('log', '-1', '--format=%s')).toBe('Theirs');
    expect(playground.git('log', '-1', '--format=%s', made)).toBe('Ours');
  });

  it('tries again when somebody else commits while it does', async () => {
    // Git signs after it has looked where the branch stands and before it moves it: the moment for a colleague's commit.
    const signer = join(playground.folder, 'signer.sh');
    const witness = join(playground.folder, 'signed-once');
    const script = `#!/bin/sh
cat > /dev/null
if [ ! -e '${witness}' ]; then
  touch '${witness}'
  git update-ref refs/heads/main "$(git commit-tree -m Theirs -p HEAD 'HEAD^{tree}')"
fi
printf '%s\\n' '-----BEGIN PGP SIGNATURE-----' '' x '-----END PGP SIGNATURE-----'
printf '\\n[GNUPG:] SIG_CREATED D\\n' >&2
`;
    writeFileSync(signer, script, { mode: 0o755 });
    playground.git('config', 'commit.gpgSign', 'true');
    playground.git('config', 'gpg.program', signer);
    playground.write('new.md', 'x');
    const made = await repository.commit({ message: 'Ours', paths: ['new.md'], marker: 'm' });
    expect(playground.git('log', '--format=%s')).toBe('Ours\nTheirs\nStart');
    expect(made).toBe(playground.git('rev-parse', 'HEAD'));
  });

  it('finds its work tree again when the folder for them is reached through a link', async () => {
    mkdirSync(join(playground.folder, 'disk'));
    symlinkSync('disk', join(playground.folder, 'link'));
    const linked = new GitRepository(playground.repository, {
      environment: playground.environment,
      clock: systemClock,
      worktreeFolder: join(playground.folder, 'link'),
    });
    const path = await linked.makeWorktree('run-1');
    writeFileSync(join(path, 'work.txt'), 'x');
    expect(await linked.makeWorktree('run-1')).toBe(path);
    expect(readdirSync(path)).toContain('work.txt');
  });

  it('leaves nothing of a file whose writing was cut off, once it is written again', async () => {
    const size = 64 * 1024 * 1024;
    const child = spawn(
      process.execPath,
      [createFileChild, playground.repository, 'docs/new.md', 'a', String(size)],
      {
        env: childEnvironment,
      },
    );
    const ended = once(child, 'exit');
    while (playground.list('docs').length === 0) await wait(1);
    child.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
    expect(await repository.exists('docs/new.md')).toBe(false);
    expect(playground.list('docs')).toHaveLength(1);
    expect(await repository.createFile('docs/new.md', 'whole')).toBe(true);
    expect(playground.list('docs')).toEqual(['new.md']);
    expect(playground.read('docs/new.md')).toBe('whole');
  });

  it('leaves nothing of a file that the disk has no room for', async () => {
    // A limit on the size of files stands in for the full disk: the write fails half-way in the same manner.
    const command = `ulimit -f 64; exec "$0" "$@"`;
    const child = spawn(
      'sh',
      [
        '-c',
        command,
        process.execPath,
        createFileChild,
        playground.repository,
        'docs/new.md',
        'a',
        '1000000',
      ],
      { env: childEnvironment },
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(child, 'close');
    expect(output).toBe('disk-full');
    expect(playground.list('docs')).toEqual([]);
  });

  it('finds the root from any folder below it, with links resolved', async () => {
    const deep = playground.path('ideas/active');
    symlinkSync(playground.repository, join(playground.folder, 'shortcut'));
    const { environment } = playground;
    expect(await findRepositoryRoot(deep, environment)).toBe(playground.repository);
    expect(await findRepositoryRoot(join(playground.folder, 'shortcut'), environment)).toBe(
      playground.repository,
    );
    await expectCode(findRepositoryRoot(playground.folder, environment), 'not-a-repository');
    await expectCode(findRepositoryRoot(playground.path('missing'), environment), 'not-a-repository');
    await expectCode(findRepositoryRoot(playground.path('.git'), environment), 'not-a-repository');
  });
});
