/** The local forge beside a person's own work in the same repository: their files, branches, settings and history. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import type { PullRequest } from '../../src/ports/forge/forge.ts';
import { expectCode } from './expect-code.ts';
import { gitEnvironment, type LocalWorld, makeLocalWorld } from './local-world.ts';
import { openPullRequest } from './open-pull-request.ts';

describe('LocalForge in a repository that a person works in', () => {
  let world: LocalWorld;
  let forge: LocalForge;
  let repository: string;

  beforeEach(async () => {
    world = await makeLocalWorld();
    ({ forge, repository } = world);
  });
  afterEach(() => world.close());

  const path = (...parts: string[]): string => join(world.git.folder, ...parts);
  const write = (file: string, text: string): void => writeFileSync(path(file), text);
  const read = (file: string): string => readFileSync(path(file), 'utf8');
  const status = (): string => world.git.run('status', '--porcelain');
  const merge = (pull: PullRequest) =>
    forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, title: 'Merged', body: '' });

  describe('with the base checked out', () => {
    beforeEach(() => world.git.run('checkout', '--quiet', 'main'));

    it('moves files with the branch when nothing is uncommitted', async () => {
      world.git.run('branch', 'start', 'main');
      const pull = await openPullRequest(world, { files: { 'README.md': null, 'sub/new.txt': 'new\n' } });
      write('untracked.txt', 'mine\n');
      const { commit } = await merge(pull);
      expect(world.git.run('rev-parse', 'HEAD')).toBe(commit);
      expect(world.git.run('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
      expect(status()).toBe('?? untracked.txt');
      expect(read('sub/new.txt')).toBe('new\n');
      expect(existsSync(path('README.md'))).toBe(false);
      expect(read('untracked.txt')).toBe('mine\n');
    });

    it.each([
      ['a changed file', () => write('README.md', '# Mine\n')],
      ['a removed file', () => world.git.run('rm', '--quiet', 'README.md')],
      [
        'a staged file',
        () => {
          write('staged.txt', 'mine\n');
          world.git.run('add', 'staged.txt');
        },
      ],
      ['a file in the way that git does not track', () => write('change.txt', 'mine\n')],
    ])('touches nothing when there is %s', async (_, prepare) => {
      const pull = await openPullRequest(world);
      prepare();
      const [before, refs] = [status(), world.git.refs()];
      const attempt = merge(pull);
      await expectCode(attempt, 'checkout-in-the-way');
      await expect(attempt).rejects.toMatchObject({ hint: expect.stringContaining(world.git.folder) });
      expect([status(), world.git.refs()]).toEqual([before, refs]);
      expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({ state: 'open' });
      world.git.run('stash', '--quiet', '--include-untracked');
      await merge(pull);
      expect(status()).toBe('');
      expect(read('change.txt')).toBe('one\ntwo\nthree\n');
    });

    it('waits for nobody who holds the index for good', async () => {
      const pull = await openPullRequest(world);
      write('.git/index.lock', '');
      await expectCode(merge(pull), 'git-busy');
      expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({ state: 'open' });
    });
  });

  it('moves the files of every work tree that has the branch', async () => {
    const linked = join(dirname(world.git.folder), 'linked');
    world.git.run('worktree', 'add', '--quiet', linked, 'main');
    const pull = await openPullRequest(world);
    writeFileSync(join(linked, 'README.md'), '# Mine\n');
    await expectCode(merge(pull), 'checkout-in-the-way');
    writeFileSync(join(linked, 'README.md'), '# Project\n');
    await merge(pull);
    expect(readFileSync(join(linked, 'change.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(world.git.run('-C', linked, 'status', '--porcelain')).toBe('');
    // The other work tree is on no branch and stays as it is.
    expect(existsSync(path('change.txt'))).toBe(false);
  });

  it('brings a branch up to date where it is checked out, and does not delete it there', async () => {
    const pull = await openPullRequest(world);
    world.git.commit('main', { 'meanwhile.txt': 'x\n' });
    world.git.run('checkout', '--quiet', 'change');
    write('change.txt', 'mine\n');
    await expectCode(forge.updateBranch(repository, pull.number, pull.head.sha), 'checkout-in-the-way');
    expect(read('change.txt')).toBe('mine\n');
    world.git.run('checkout', '--quiet', '--', 'change.txt');
    const { head } = await forge.updateBranch(repository, pull.number, pull.head.sha);
    expect(read('meanwhile.txt')).toBe('x\n');
    expect(status()).toBe('');
    await expectCode(forge.deleteBranch(repository, 'change', head), 'forge-rejected');
    expect(world.git.resolve('refs/heads/change')).toBe(head);
  });

  it('keeps the last commit of a branch that was rewritten, deleted and cleared away by git', async () => {
    const pull = await openPullRequest(world);
    const comments = [{ path: 'change.txt', line: 2, body: 'Why?' }];
    await forge.createReview(repository, pull.number, {
      commit: pull.head.sha,
      decision: 'request-changes',
      body: 'See below',
      comments,
    });
    world.git.run('branch', '--quiet', '--force', 'change', 'main');
    const rewritten = world.git.commit('change', { 'change.txt': 'other\n' });
    expect((await forge.getPullRequest(repository, pull.number)).head.sha).toBe(rewritten);
    world.git.run('branch', '--quiet', '-D', 'change');
    world.git.run('reflog', 'expire', '--expire=now', '--all');
    world.git.run('gc', '--quiet', '--prune=now');
    const after = await forge.getPullRequest(repository, pull.number);
    expect(after).toMatchObject({ state: 'closed', head: { sha: rewritten } });
    expect(await forge.listFiles(repository, pull.number)).toMatchObject([
      { path: 'change.txt', additions: 1 },
    ]);
    expect(await forge.listReviewComments(repository, pull.number)).toMatchObject([
      { line: null, commit: pull.head.sha },
    ]);
    world.git.run('branch', 'change', rewritten);
    expect(await forge.editPullRequest(repository, pull.number, { state: 'open' })).toMatchObject({
      state: 'open',
    });
  });

  it.each([
    ['with a merge commit', ['--no-ff'], true, true],
    ['by moving the base forward', ['--ff-only'], false, true],
    ['and deletes the branch at once', ['--no-ff'], true, false],
  ])('sees that a person merged by hand %s', async (_, options, isMerge, isKept) => {
    const issue = await forge.createIssue(repository, { title: 'T', body: '', labels: [] });
    const pull = await openPullRequest(world, { body: `Fixes #${issue.number}` });
    const files = await forge.listFiles(repository, pull.number);
    world.git.run('checkout', '--quiet', 'main');
    const head = world.git.commit('change', { 'more.txt': 'more\n' });
    world.git.run('merge', '--quiet', ...options, '--message=By hand', 'change');
    const landed = world.git.run('rev-parse', 'HEAD');
    world.git.run('commit', '--quiet', '--allow-empty', '--message=After');
    if (!isKept) world.git.run('branch', '--quiet', '-d', 'change');
    expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({
      state: 'merged',
      mergeCommit: isKept ? (isMerge ? landed : head) : expect.any(String),
    });
    expect((await forge.listFiles(repository, pull.number)).map(({ path: name }) => name)).toEqual(
      isKept ? ['change.txt', 'more.txt'] : files.map(({ path: name }) => name),
    );
    expect(await forge.getIssue(repository, issue.number)).toMatchObject({ state: 'closed' });
    await expectCode(merge(pull), 'merge-refused');
  });

  it('does not take a branch that was thrown back for a merged one', async () => {
    const pull = await openPullRequest(world);
    world.git.commit('main', { 'meanwhile.txt': 'x\n' });
    world.git.run('branch', '--quiet', '--force', 'change', 'main');
    expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({
      state: 'open',
      mergeCommit: null,
      diffStat: { files: 0 },
    });
  });

  it('runs no program that the repository names', async () => {
    const attributes = { '.gitattributes': '* merge=trap diff=trap\n', 'a.txt': '1\n2\n3\n4\n5\n6\n' };
    world.git.commit('main', attributes);
    const pull = await openPullRequest(world, { files: { 'a.txt': '1\n2\n3\n4\n5\nsix\n' } });
    world.git.commit('main', { 'a.txt': 'one\n2\n3\n4\n5\n6\n' });
    world.git.run('checkout', '--quiet', 'main');
    const [trap, trace] = ['trap.sh', 'ran'].map((name) => join(dirname(world.git.folder), name)) as [
      string,
      string,
    ];
    const script = `#!/bin/sh\necho "$0 $*" >> '${trace}'\nexit 0\n`;
    writeFileSync(trap, script, { mode: 0o755 });
    writeFileSync(trace, '');
    for (const name of [
      'merge.trap.driver',
      'diff.trap.textconv',
      'diff.trap.command',
      'diff.external',
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'gpg.program',
    ])
      world.git.run('config', name, trap);
    world.git.run('config', 'commit.gpgSign', 'true');
    for (const hook of [
      'reference-transaction',
      'post-index-change',
      'post-checkout',
      'post-merge',
      'pre-commit',
    ])
      writeFileSync(path('.git/hooks', hook), script, { mode: 0o755 });
    expect((await forge.listFiles(repository, pull.number))[0]?.patch).toContain('+six');
    expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({ mergeable: 'clean' });
    await forge.listCommits(repository, 'main');
    await merge(pull);
    expect(read('a.txt')).toBe('one\n2\n3\n4\n5\nsix\n');
    expect(readFileSync(trace, 'utf8')).toBe('');
    // The traps are real ones: git itself steps into them.
    world.git.run('status');
    expect(readFileSync(trace, 'utf8')).not.toBe('');
  });

  it('takes the usual default branch, settles it, and leaves it when a person checks out another', async () => {
    world.git.run('branch', '--quiet', '-m', 'main', 'master');
    expect(await forge.defaultBranch(repository)).toBe('master');
    world.git.commit('main', { 'x.txt': 'x\n' }, { from: 'master' });
    world.git.run('checkout', '--quiet', 'main');
    expect(await forge.defaultBranch(repository)).toBe('master');
    world.git.run('branch', '--quiet', '-D', 'master');
    expect(await forge.defaultBranch(repository)).toBe('main');
  });

  it('takes the default branch of origin', async () => {
    world.git.run('branch', 'develop', 'main');
    world.git.run('update-ref', 'refs/remotes/origin/develop', 'main');
    world.git.run('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
    expect(await forge.defaultBranch(repository)).toBe('develop');
  });

  it('says so when the folder is gone', async () => {
    const other = new LocalForge(world.database, { now: () => new Date() }, 'x', gitEnvironment);
    const name = await other.registerRepository('/nowhere/at/all', 'local/nowhere');
    await expectCode(other.listBranches(name), 'not-a-repository');
    await other.createIssue(name, { title: 'Issues need no folder', body: '', labels: [] });
  });
});
