/** What every repository has to do: files, commits of exactly what was asked for, work trees, and a look beforehand. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Repository } from '../../src/ports/repository.ts';
import { Playground } from '../support/playground.ts';
import { expectCode } from './expect-code.ts';
import { describeRepositoryFiles } from './repository-files.contract.ts';
import { listTree, type RepositoryWorld } from './repository-world.ts';

const marker = 'abc.def';

export function describeRepository(
  name: string,
  makeRepository: (playground: Playground) => RepositoryWorld,
): void {
  describe(`${name} is a repository`, () => {
    let world: RepositoryWorld;
    let repository: Repository;
    let playground: Playground;

    beforeEach(() => {
      playground = new Playground();
      world = makeRepository(playground);
      ({ repository } = world);
    });
    afterEach(() => playground.remove());

    const git = (...args: string[]): string => playground.git(...args);
    const commit = (paths: readonly string[], mark = marker): Promise<string> =>
      repository.commit({ message: 'docs: add things\n\nWhy.', paths, marker: mark });
    /** Names that a commit changed, with how: `A`, `M`, `D`. */
    const changesOf = (revision: string): string[] =>
      git('-c', 'core.quotePath=false', 'show', '--no-renames', '--format=', '--name-status', revision)
        .split('\n')
        .map((line) => line.replace('\t', ' '));

    describeRepositoryFiles(() => world);

    describe('commits', () => {
      it('commits new, changed and deleted files, and folders, and returns the commit', async () => {
        playground.write('docs/new.md', 'x');
        playground.write('docs/deep/new.md', 'x');
        playground.write('README.md', 'changed');
        rmSync(playground.path('ideas'), { recursive: true });
        const before = git('rev-parse', 'HEAD');
        const made = await commit(['docs', 'README.md', 'ideas/active']);
        expect(made).toBe(git('rev-parse', 'HEAD'));
        expect(git('rev-parse', 'HEAD^')).toBe(before);
        expect(changesOf(made)).toEqual([
          'M README.md',
          'A docs/deep/new.md',
          'A docs/new.md',
          'D ideas/active/export-csv.md',
        ]);
        expect(git('status', '--porcelain')).toBe('');
        expect(git('log', '-1', '--format=%B')).toContain('docs: add things\n\nWhy.\n');
        expect(git('log', '-1', '--format=%an')).toBe('Test Person');
      });

      it('commits a move as a move', async () => {
        await repository.move('ideas/active/export-csv.md', 'ideas/done/1-export-csv.md');
        const made = await commit(['ideas/active/export-csv.md', 'ideas/done/1-export-csv.md']);
        expect(git('show', '--format=', '--name-status', '-M', made)).toMatch(/^R100\t/u);
        expect(git('status', '--porcelain')).toBe('');
      });

      it('leaves everything else as it is: staged, changed, deleted and new', async () => {
        for (const file of ['modified', 'staged', 'both', 'removed', 'unlinked']) playground.write(file, 'x');
        git('add', '--all');
        git('commit', '--quiet', '--message', 'More');
        playground.write('modified', 'y');
        playground.write('staged', 'y');
        playground.write('both', 'y');
        playground.write('added', 'y');
        git('add', 'staged', 'both', 'added');
        playground.write('both', 'z');
        git('rm', '--quiet', 'removed');
        rmSync(playground.path('unlinked'));
        playground.write('untracked', 'y');
        const before = git('status', '--porcelain');
        playground.write('ours/new.md', 'x');
        const made = await commit(['ours/new.md']);
        expect(changesOf(made)).toEqual(['A ours/new.md']);
        expect(git('status', '--porcelain')).toBe(before);
        expect(git('show', ':both')).toBe('y');
      });

      it('commits what is in the file now, also when something else of it was staged', async () => {
        playground.write('README.md', 'staged');
        git('add', 'README.md');
        playground.write('README.md', 'now');
        await commit(['README.md']);
        expect(git('show', 'HEAD:README.md')).toBe('now');
      });

      it.each([
        'with space',
        '-rf',
        '--all',
        '*',
        'a[bc]?.md',
        ':(top)x',
        ':!x',
        'größe 🦊.md',
        ' leading',
        'trailing ',
      ])('takes a path literally when it adds, changes and deletes: "%s"', async (path) => {
        playground.write('bystander', 'x');
        playground.write('ab.md', 'x');
        playground.write(path, '1');
        expect(changesOf(await commit([path], 'm1'))).toEqual([`A ${path}`.trimEnd()]);
        playground.write(path, '2');
        expect(changesOf(await commit([path], 'm2'))).toEqual([`M ${path}`.trimEnd()]);
        rmSync(playground.path(path));
        expect(changesOf(await commit([path], 'm3'))).toEqual([`D ${path}`.trimEnd()]);
        expect(git('status', '--porcelain')).toBe('?? ab.md\n?? bystander');
      });

      it('passes over a path that never was, as after a move that left no trace', async () => {
        playground.write('new.md', 'x');
        expect(changesOf(await commit(['never-was.md', 'new.md']))).toEqual(['A new.md']);
      });

      it.each([
        ['none of the paths exists', ['never-was.md']],
        ['there are no paths', []],
      ])('commits nothing and stages nothing when %s', async (_, paths) => {
        playground.write('untracked', 'x');
        playground.write('README.md', 'changed');
        const [head, status] = [git('rev-parse', 'HEAD'), git('status', '--porcelain')];
        await expectCode(commit(paths), 'git-failed');
        expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual([head, status]);
      });

      it('takes the commit that holds the files already when nothing is left to commit', async () => {
        const holds = git('rev-list', '--max-count=1', 'HEAD', '--', 'README.md');
        playground.write('other.md', 'x');
        git('add', 'other.md');
        git('commit', '--quiet', '--message', 'Another');
        const head = git('rev-parse', 'HEAD');
        expect(await commit(['README.md'])).toBe(holds);
        expect(git('rev-parse', 'HEAD')).toBe(head);
      });

      it('takes a message literally', async () => {
        playground.write('new.md', 'x');
        const message = '--amend -F /etc/passwd $(touch pwned)\n\n# not a comment';
        await repository.commit({ message, paths: ['new.md'], marker });
        expect(git('log', '-1', '--format=%B')).toContain(message);
        expect(git('rev-list', '--count', 'HEAD')).toBe('2');
      });

      it('waits for whoever holds the index', async () => {
        playground.write('new.md', 'x');
        const lock = playground.path('.git/index.lock');
        writeFileSync(lock, '');
        let isHeld = true;
        const released = wait(1000).then(() => {
          isHeld = false;
          rmSync(lock);
        });
        const made = await commit(['new.md']);
        expect(isHeld).toBe(false);
        await released;
        expect(changesOf(made)).toEqual(['A new.md']);
      });
    });

    describe('finding a commit', () => {
      const soon = (): string => new Date(Date.now() + 3_600_000).toISOString();
      const lately = (): string => new Date(Date.now() - 60_000).toISOString();

      it('finds it by its marker, on whichever branch it is', async () => {
        git('switch', '--quiet', '--create', 'side');
        playground.write('new.md', 'x');
        const made = await commit(['new.md']);
        git('switch', '--quiet', 'main');
        for (const since of [null, lately()]) {
          expect(await repository.findCommit(marker, since)).toBe(made);
          expect(await repository.findCommit('abc', since)).toBeNull();
          expect(await repository.findCommit('abc.defg', since)).toBeNull();
        }
      });

      it('looks no further back than it is told, in whatever time zone', async () => {
        playground.write('new.md', 'x');
        const made = await commit(['new.md']);
        for (const zone of ['UTC', 'America/Los_Angeles', 'Asia/Tokyo']) {
          const elsewhere = world.withEnvironment({ TZ: zone });
          expect(await elsewhere.findCommit(marker, lately())).toBe(made);
          expect(await elsewhere.findCommit(marker, soon())).toBeNull();
        }
      });

      it('is not taken in by a marker that somebody only writes about', async () => {
        for (const message of [
          `See Gatewright-Effect: ${marker}`,
          `Gatewright-Effect: ${marker}\n\nquoted above`,
          marker,
        ]) {
          git('commit', '--quiet', '--allow-empty', '--message', message);
        }
        expect(await repository.findCommit(marker, null)).toBeNull();
      });

      it('finds nothing where there is no commit', async () => {
        rmSync(playground.path('.git'), { recursive: true });
        git('init', '--quiet');
        expect(await repository.findCommit(marker, null)).toBeNull();
      });
    });

    describe('work trees', () => {
      const registered = (): number => git('worktree', 'list').split('\n').length;

      it('makes one with nothing checked out, on no branch, outside the repository', async () => {
        const path = await repository.makeWorktree('run-1');
        expect(path.startsWith(playground.repository)).toBe(false);
        expect(listTree(path)).toEqual([]);
        expect(git('-C', path, 'rev-parse', 'HEAD')).toBe(git('rev-parse', 'HEAD'));
        expect(git('-C', path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD');
        expect(git('status', '--porcelain')).toBe('');
      });

      it('finds the one made before, with what is in it', async () => {
        const path = await repository.makeWorktree('run-1');
        writeFileSync(join(path, 'work.txt'), 'x');
        expect(await repository.makeWorktree('run-1')).toBe(path);
        expect(listTree(path)).toEqual(['work.txt']);
        expect(await repository.makeWorktree('run-2')).not.toBe(path);
        expect(registered()).toBe(3);
      });

      it('makes it again after somebody deleted it, or its link to git, by hand', async () => {
        const path = await repository.makeWorktree('run-1');
        rmSync(path, { recursive: true });
        expect(await repository.makeWorktree('run-1')).toBe(path);
        expect(git('-C', path, 'rev-parse', 'HEAD')).toBe(git('rev-parse', 'HEAD'));
        rmSync(join(path, '.git'));
        expect(await repository.makeWorktree('run-1')).toBe(path);
        expect(git('-C', path, 'rev-parse', '--show-toplevel')).toBe(path);
        expect(registered()).toBe(2);
      });

      it('removes it with what is in it, once', async () => {
        const path = await repository.makeWorktree('run-1');
        writeFileSync(join(path, 'work.txt'), 'x');
        expect(await repository.removeWorktree('run-1')).toBe(true);
        expect(existsSync(path)).toBe(false);
        expect(registered()).toBe(1);
        expect(await repository.removeWorktree('run-1')).toBe(false);
        expect(await repository.removeWorktree('never-was')).toBe(false);
      });

      it('forgets one that somebody deleted by hand', async () => {
        rmSync(await repository.makeWorktree('run-1'), { recursive: true });
        expect(await repository.removeWorktree('run-1')).toBe(false);
        expect(registered()).toBe(1);
      });

      it("leaves a person's own work tree alone, also while its disk is unplugged", async () => {
        const theirs = join(playground.folder, 'theirs');
        git('worktree', 'add', '--quiet', '-b', 'theirs', theirs);
        renameSync(theirs, `${theirs}-unplugged`);
        await repository.makeWorktree('run-1');
        await repository.removeWorktree('run-1');
        renameSync(`${theirs}-unplugged`, theirs);
        expect(git('-C', theirs, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('theirs');
      });

      it('takes no name that leads elsewhere', async () => {
        mkdirSync(join(playground.folder, 'precious'));
        for (const path of ['../precious', '../../precious', '.', '..', '']) {
          const before = listTree(playground.folder);
          await expectCode(repository.removeWorktree(path), 'path-outside-root');
          await expectCode(repository.makeWorktree(path), 'path-outside-root');
          expect(listTree(playground.folder)).toEqual(before);
        }
      });
    });

    describe('looking beforehand', () => {
      it('knows which branch is checked out, also before its first commit, and when none is', async () => {
        expect(await repository.currentBranch()).toBe('main');
        git('checkout', '--quiet', '-b', 'feature/ünï');
        expect(await repository.currentBranch()).toBe('feature/ünï');
        git('checkout', '--quiet', '--detach');
        expect(await repository.currentBranch()).toBeNull();
        git('checkout', '--quiet', '--orphan', 'new');
        expect(await repository.currentBranch()).toBe('new');
      });

      const problems = async (paths = ['docs/lineage/x.md'], environment = {}): Promise<string[]> =>
        (await world.withEnvironment(environment).checkReady(paths)).map(({ problem, fix }) => {
          expect(fix).not.toBe('');
          return problem;
        });

      it('finds nothing where a commit can be made', async () => {
        expect(await problems()).toEqual([]);
      });

      it('finds that there is no commit yet', async () => {
        git('update-ref', '-d', 'HEAD');
        expect(await problems()).toEqual([expect.stringContaining('no commit yet')]);
      });

      it('finds that git does not know who commits, or who writes', async () => {
        git('config', '--unset', 'user.name');
        git('config', '--unset', 'user.email');
        git('config', 'user.useConfigOnly', 'true');
        const committer = { GIT_COMMITTER_NAME: 'C', GIT_COMMITTER_EMAIL: 'c@example.invalid' };
        const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.invalid' };
        const unknown = [expect.stringContaining('git does not know your name and address')];
        expect(await problems()).toEqual(unknown);
        expect(await problems(undefined, { ...committer, ...author })).toEqual([]);
        expect(await problems(undefined, author)).toEqual(unknown);
        expect(await problems(undefined, committer)).toEqual(unknown);
      });

      it('finds what git ignores, and names it', async () => {
        playground.write('.gitignore', 'docs/lineage/\n*.log\n');
        expect(await problems()).toEqual([expect.stringContaining('docs/lineage/x.md')]);
        expect(await problems(['docs/other/x.md', 'a.log'])).toEqual([
          expect.stringMatching(/ignores a\.log,/u),
        ]);
        expect(await problems(['docs/other/x.md'])).toEqual([]);
      });

      it('finds everything at once', async () => {
        git('update-ref', '-d', 'HEAD');
        git('config', '--unset', 'user.email');
        git('config', 'user.useConfigOnly', 'true');
        playground.write('.gitignore', '*');
        expect(await problems()).toHaveLength(3);
      });
    });
  });
}
