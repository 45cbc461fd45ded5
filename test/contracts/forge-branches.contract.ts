/** The part of the forge contract about branches and commits, and about names that are meant to do something else. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge } from '../../src/ports/forge/forge.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld } from './forge-world.ts';
import { openPullRequest } from './open-pull-request.ts';

/** What a branch name from elsewhere may try. */
const hostileNames = [
  '',
  '--upload-pack=touch pwned',
  '--upload-pack=x',
  '-d',
  '../x',
  '../../config',
  'a..b',
  'refs/heads/x',
  'HEAD',
  '@',
  'with space',
  'tab\tbed',
  'two\nlines',
  'nul\0byte',
  'bell\u0007',
  'right\u202Eleft',
  'main@{1}',
  'main~1',
  'main^',
  'main:README.md',
  'what?',
  'all*',
  'a[b',
  'back\\slash',
  'a//b',
  '/a',
  'a/',
  'a.',
  '.hidden',
  'a/.hidden',
  'x.lock',
  'x.lock/y',
  'x'.repeat(300),
];

const noCommits = [
  '',
  'HEAD',
  'main',
  '--help',
  'abc1234',
  '../x',
  `${'a'.repeat(39)}g`,
  `${'a'.repeat(40)}^`,
];

export function describeForgeBranches(getWorld: () => ForgeWorld): void {
  describe('branches', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    let start: string;

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
      start = world.git.resolve('refs/heads/main') ?? '';
    });

    it('knows the default branch and every other', async () => {
      expect(await forge.defaultBranch(repository)).toBe('main');
      const tip = world.git.commit('topic/one', { 'a.txt': 'a\n' });
      expect((await forge.listBranches(repository)).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: 'main', sha: start },
        { name: 'topic/one', sha: tip },
      ]);
      expect(await forge.getBranch(repository, 'topic/one')).toEqual({ name: 'topic/one', sha: tip });
      expect(await forge.getBranch(repository, 'topic')).toBeNull();
      expect(await forge.getBranch(repository, 'one')).toBeNull();
    });

    it('lists more branches than fit on a page', async () => {
      for (let index = 1; index <= 8; index += 1) await forge.createBranch(repository, `b/${index}`, start);
      expect(await forge.listBranches(repository)).toHaveLength(9);
    });

    it('makes a branch once, at a commit that exists', async () => {
      expect(await forge.createBranch(repository, 'agent/issue-1', start)).toEqual({
        name: 'agent/issue-1',
        sha: start,
      });
      expect(world.git.resolve('refs/heads/agent/issue-1')).toBe(start);
      const other = world.git.commit('other', { 'a.txt': 'a\n' });
      await expectCode(forge.createBranch(repository, 'agent/issue-1', other), 'branch-exists');
      expect(world.git.resolve('refs/heads/agent/issue-1')).toBe(start);
      await expectCode(forge.createBranch(repository, 'nowhere', 'a'.repeat(40)), 'forge-rejected');
      expect(await forge.getBranch(repository, 'nowhere')).toBeNull();
    });

    it('deletes a branch only at the commit that was looked at', async () => {
      const tip = world.git.commit('topic', { 'a.txt': 'a\n' });
      await expectCode(forge.deleteBranch(repository, 'topic', start), 'head-moved');
      expect(world.git.resolve('refs/heads/topic')).toBe(tip);
      expect(await forge.deleteBranch(repository, 'topic', tip)).toBe(true);
      expect(world.git.resolve('refs/heads/topic')).toBeNull();
      expect(await forge.deleteBranch(repository, 'topic', tip)).toBe(false);
    });

    it('keeps the default branch', async () => {
      await expectCode(forge.deleteBranch(repository, 'main', start), 'forge-rejected');
      expect(world.git.resolve('refs/heads/main')).toBe(start);
    });

    it('closes a pull request whose branch is deleted, and keeps what it was', async () => {
      const pull = await openPullRequest(world, { branch: 'topic' });
      const files = await forge.listFiles(repository, pull.number);
      await forge.deleteBranch(repository, 'topic', pull.head.sha);
      const after = await forge.getPullRequest(repository, pull.number);
      expect(after).toMatchObject({ state: 'closed', head: pull.head, mergedAt: null });
      expect(await forge.listFiles(repository, pull.number)).toEqual(files);
      await expectCode(forge.editPullRequest(repository, pull.number, { state: 'open' }), 'forge-rejected');
    });

    it('lists commits newest first, from a branch or a commit', async () => {
      const at = (minute: number) => `2035-03-01T10:0${minute}:00Z`;
      const one = world.git.commit('topic', { a: '1' }, { message: 'One\n\nWhy it is so.', at: at(1) });
      const two = world.git.commit('topic', { a: '2' }, { message: 'Two', at: at(2) });
      const three = world.git.commit('topic', { a: '3' }, { message: 'Three', at: at(3) });
      const commits = await forge.listCommits(repository, 'topic');
      expect(commits.map((commit) => commit.sha)).toEqual([three, two, one, start]);
      expect(commits[2]).toMatchObject({ authorName: 'A Committer', parents: [start] });
      expect(commits[2]?.message.trimEnd()).toBe('One\n\nWhy it is so.');
      expect(Date.parse(commits[2]?.committedAt ?? '')).toBe(Date.parse(at(1)));
      expect((await forge.listCommits(repository, two)).map((commit) => commit.sha)).toEqual([
        two,
        one,
        start,
      ]);
      expect((await forge.listCommits(repository, 'topic', { limit: 2 })).map(({ sha }) => sha)).toEqual([
        three,
        two,
      ]);
      const recent = await forge.listCommits(repository, three, { since: at(2), limit: 10 });
      expect(recent.map(({ sha }) => sha)).toEqual([three, two]);
      await expectCode(forge.listCommits(repository, 'nowhere'), 'forge-not-found');
      await expectCode(forge.listCommits(repository, 'a'.repeat(40)), 'forge-not-found');
    });

    it('refuses hostile names as branches, and runs nothing', async () => {
      world.git.commit('topic', { 'a.txt': 'a\n' });
      const before = world.git.refs();
      for (const name of hostileNames) {
        for (const call of [
          () => forge.getBranch(repository, name),
          () => forge.createBranch(repository, name, start),
          () => forge.deleteBranch(repository, name, start),
          () => forge.listCommits(repository, name),
          () => forge.createPullRequest(repository, { title: 'T', body: '', head: name, base: 'main' }),
          () => forge.createPullRequest(repository, { title: 'T', body: '', head: 'topic', base: name }),
        ]) {
          await expectCode(call(), 'forge-rejected', JSON.stringify(name));
        }
        expect(world.git.refs(), JSON.stringify(name)).toBe(before);
        expect(await forge.listPullRequests(repository, { state: 'all' })).toEqual([]);
      }
    });

    it('refuses what is no commit', async () => {
      const pull = await openPullRequest(world);
      const before = world.git.refs();
      const status = { name: 'ci', state: 'success', description: '' } as const;
      for (const sha of noCommits) {
        const review = { commit: sha, decision: 'comment', body: 'x', comments: [] } as const;
        for (const call of [
          () => forge.createBranch(repository, 'new', sha),
          () => forge.deleteBranch(repository, 'change', sha),
          () => forge.setStatus(repository, sha, status),
          () => forge.listChecks(repository, sha),
          () => forge.createCommitComment(repository, sha, 'x'),
          () => forge.listCommitComments(repository, sha),
          () => forge.createReview(repository, pull.number, review),
          () => forge.mergePullRequest(repository, pull.number, { head: sha, title: 'T', body: '' }),
          () => forge.updateBranch(repository, pull.number, sha),
        ]) {
          await expectCode(call(), 'forge-rejected', JSON.stringify(sha));
        }
        expect(world.git.refs(), JSON.stringify(sha)).toBe(before);
      }
    });

    it('says so when the repository does not exist', async () => {
      const nowhere = `${repository}-that-does-not-exist`;
      for (const call of [
        () => forge.defaultBranch(nowhere),
        () => forge.listBranches(nowhere),
        () => forge.getBranch(nowhere, 'main'),
        () => forge.createBranch(nowhere, 'new', start),
        () => forge.deleteBranch(nowhere, 'topic', start),
        () => forge.listCommits(nowhere, 'main'),
        () => forge.createPullRequest(nowhere, { title: 'T', body: '', head: 'topic', base: 'main' }),
        () => forge.listPullRequests(nowhere),
        () => forge.getPullRequest(nowhere, 1),
        () => forge.listFiles(nowhere, 1),
        () => forge.listReviews(nowhere, 1),
        () => forge.listReviewComments(nowhere, 1),
        () => forge.mergePullRequest(nowhere, 1, { head: start, title: 'T', body: '' }),
        () => forge.updateBranch(nowhere, 1, start),
        () => forge.listChecks(nowhere, start),
        () => forge.setStatus(nowhere, start, { name: 'ci', state: 'success', description: '' }),
        () => forge.listWorkflowRuns(nowhere),
        () => forge.readFailedLogs(nowhere, 1),
        () => forge.listCommitComments(nowhere, start),
        () => forge.createCommitComment(nowhere, start, 'x'),
      ]) {
        await expectCode(call(), 'forge-not-found');
      }
    });
  });
}
