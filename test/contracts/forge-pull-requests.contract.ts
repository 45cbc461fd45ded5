/** The part of the forge contract about opening, finding and changing pull requests. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge, Permission, PullRequestFilter } from '../../src/ports/forge/forge.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld } from './forge-world.ts';
import { getSettled, openPullRequest } from './open-pull-request.ts';

const plain = { title: 'A title', body: 'A body', labels: [] };

export function describeForgePullRequests(getWorld: () => ForgeWorld): void {
  describe('pull requests', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    const actingAs = (permission: Permission): Forge => world.forgeAs(world.actors[permission]);

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
    });

    it('returns what was opened, and the same when asked again', async () => {
      const start = world.git.resolve('refs/heads/main');
      const sha = world.git.commit('topic', { 'a.txt': 'a\nb\n' });
      const opened = await actingAs('write').createPullRequest(repository, {
        title: '  A change ',
        body: 'What it is for.\n\nCloses #9\n',
        head: 'topic',
        base: 'main',
      });
      expect(opened).toMatchObject({
        title: 'A change',
        body: 'What it is for.\n\nCloses #9\n',
        state: 'open',
        isDraft: false,
        author: world.actors.write,
        authorKind: 'person',
        association: 'collaborator',
        labels: [],
        head: { branch: 'topic', sha, repository },
        base: { branch: 'main', sha: start },
        closedAt: null,
        mergedAt: null,
        mergeCommit: null,
      });
      expect(opened.url).toContain(`${repository}/pull/${opened.number}`);
      const { mergeable, diffStat, ...rest } = await getSettled(world, opened.number);
      expect(rest).toEqual(opened);
      expect(mergeable).toBe('clean');
      expect(diffStat).toEqual({ files: 1, additions: 2, deletions: 0 });
      expect(await forge.listPullRequests(repository)).toEqual([opened]);
    });

    it('shares its numbers with issues, and is not among them', async () => {
      expect((await forge.createIssue(repository, plain)).number).toBe(1);
      expect((await openPullRequest(world)).number).toBe(2);
      expect((await forge.createIssue(repository, plain)).number).toBe(3);
      const issues = await forge.listIssues(repository, { state: 'all' });
      expect(issues.map((issue) => issue.number)).toEqual([3, 1]);
      const pulls = await forge.listPullRequests(repository, { state: 'all' });
      expect(pulls.map((pull) => pull.number)).toEqual([2]);
      for (const number of [1, 3, 4, 0, -1]) {
        await expectCode(forge.getPullRequest(repository, number), 'forge-not-found');
        await expectCode(forge.listFiles(repository, number), 'forge-not-found');
        await expectCode(forge.editPullRequest(repository, number, { title: 'x' }), 'forge-not-found');
      }
    });

    it('opens one from a branch to a base only once at a time', async () => {
      world.git.commit('release', { 'r.txt': 'r\n' });
      const first = await openPullRequest(world, { branch: 'topic' });
      const again = { title: 'Again', body: '', head: 'topic', base: 'main' };
      await expectCode(forge.createPullRequest(repository, again), 'pull-request-exists');
      const other = await forge.createPullRequest(repository, { ...again, base: 'release' });
      await forge.editPullRequest(repository, first.number, { state: 'closed' });
      const second = await forge.createPullRequest(repository, again);
      expect([other.number, second.number]).toEqual([first.number + 1, first.number + 2]);
      await expectCode(
        forge.editPullRequest(repository, first.number, { state: 'open' }),
        'pull-request-exists',
      );
      expect(await forge.listPullRequests(repository)).toHaveLength(2);
    });

    it('refuses branches that are not there or bring nothing', async () => {
      world.git.commit('topic', { 'a.txt': 'a\n' });
      world.git.run('branch', 'same', 'main');
      for (const [head, base] of [
        ['nowhere', 'main'],
        ['topic', 'nowhere'],
        ['main', 'main'],
        ['same', 'main'],
      ] as const) {
        await expectCode(
          forge.createPullRequest(repository, { title: 'T', body: '', head, base }),
          'forge-rejected',
        );
      }
      for (const title of ['', 'two\nlines', 'x'.repeat(257)])
        await expectCode(
          forge.createPullRequest(repository, { title, body: '', head: 'topic', base: 'main' }),
          'forge-rejected',
        );
      expect(await forge.listPullRequests(repository, { state: 'all' })).toEqual([]);
      // What is refused takes no number.
      expect((await forge.createIssue(repository, plain)).number).toBe(1);
    });

    it('narrows the list by state, head, base, author, label and date', async () => {
      world.git.commit('release', { 'r.txt': 'r\n' });
      const one = await openPullRequest(world, { branch: 'one', files: { one: '1' } });
      const two = await openPullRequest(world, { branch: 'two', files: { two: '2' }, base: 'release' });
      const three = await openPullRequest(world, { branch: 'three', files: { three: '3' }, by: forge });
      const four = await openPullRequest(world, { branch: 'four', files: { four: '4' } });
      await forge.editPullRequest(repository, two.number, { state: 'closed' });
      await forge.mergePullRequest(repository, four.number, { head: four.head.sha, title: 'T', body: '' });
      await world.pause();
      await forge.editIssue(repository, one.number, { addLabels: ['Risk'] });
      const { updatedAt } = await forge.getPullRequest(repository, one.number);
      const numbers = async (filter?: PullRequestFilter) =>
        (await forge.listPullRequests(repository, filter)).map((pull) => pull.number);
      expect(await numbers()).toEqual([three.number, one.number]);
      expect(await numbers({ state: 'closed' })).toEqual([four.number, two.number]);
      expect(await numbers({ state: 'all' })).toEqual([4, 3, 2, 1]);
      expect(await numbers({ head: 'one' })).toEqual([one.number]);
      expect(await numbers({ head: 'on' })).toEqual([]);
      expect(await numbers({ state: 'all', base: 'release' })).toEqual([two.number]);
      expect(await numbers({ state: 'all', author: world.actors.write })).toEqual([4, 2, 1]);
      expect(await numbers({ label: 'risk' })).toEqual([one.number]);
      expect(await numbers({ state: 'all', updatedSince: updatedAt })).toEqual([one.number]);
    });

    it('changes title, body, base and draft, and nothing else', async () => {
      world.git.commit('release', { 'r.txt': 'r\n' });
      const opened = await openPullRequest(world, { isDraft: true });
      expect(opened.isDraft).toBe(true);
      await world.pause();
      const ready = await forge.editPullRequest(repository, opened.number, { isDraft: false });
      expect({ ...ready, updatedAt: '' }).toEqual({ ...opened, isDraft: false, updatedAt: '' });
      expect(Date.parse(ready.updatedAt)).toBeGreaterThan(Date.parse(opened.updatedAt));
      const again = await forge.editPullRequest(repository, opened.number, { isDraft: true });
      expect(again.isDraft).toBe(true);
      const edited = await forge.editPullRequest(repository, opened.number, {
        title: 'Better',
        body: 'More',
        base: 'release',
      });
      expect(edited).toMatchObject({ title: 'Better', body: 'More', base: { branch: 'release' } });
      await expectCode(
        forge.editPullRequest(repository, opened.number, { body: 'Good', title: '' }),
        'forge-rejected',
      );
      for (const base of ['nowhere', '--x', 'change'])
        await expectCode(forge.editPullRequest(repository, opened.number, { base }), 'forge-rejected');
      expect(await forge.getPullRequest(repository, opened.number)).toMatchObject({
        title: 'Better',
        body: 'More',
        base: { branch: 'release' },
      });
    });

    it('closes and opens again, from either side', async () => {
      const { number } = await openPullRequest(world);
      const closed = await forge.editPullRequest(repository, number, { state: 'closed' });
      expect(closed.state).toBe('closed');
      expect(closed.closedAt).not.toBeNull();
      expect((await forge.getIssue(repository, number)).state).toBe('closed');
      expect((await forge.editIssue(repository, number, { state: 'open' })).state).toBe('open');
      expect(await forge.getPullRequest(repository, number)).toMatchObject({ state: 'open', closedAt: null });
      await forge.editIssue(repository, number, { state: 'closed' });
      expect((await forge.editPullRequest(repository, number, { state: 'open' })).state).toBe('open');
    });

    it('is labelled, discussed and assigned as an issue is', async () => {
      const { number } = await openPullRequest(world);
      const issue = await actingAs('triage').editIssue(repository, number, {
        addLabels: ['risk: low', 'second'],
        addAssignees: [world.actors.write],
      });
      expect(issue).toMatchObject({
        number,
        title: 'A change',
        labels: ['risk: low', 'second'],
        assignees: [world.actors.write],
        author: world.actors.write,
      });
      expect(issue.url).toContain(`${repository}/pull/${number}`);
      await forge.editIssue(repository, number, { removeLabels: ['second'] });
      expect((await forge.getPullRequest(repository, number)).labels).toEqual(['risk: low']);
      expect(
        (await forge.listLabelEvents(repository, number)).map(({ label, change, actor }) => [
          label,
          change,
          actor,
        ]),
      ).toEqual([
        ['risk: low', 'added', world.actors.triage],
        ['second', 'added', world.actors.triage],
        ['second', 'removed', world.actors.admin],
      ]);
      const comment = await actingAs('read').createComment(repository, number, 'Looks good');
      const changed = await actingAs('read').updateComment(repository, comment.id, 'Looks very good');
      expect(await forge.listComments(repository, number)).toEqual([changed]);
      await forge.editIssue(repository, number, { title: 'Another title' });
      expect((await forge.getPullRequest(repository, number)).title).toBe('Another title');
    });

    it('follows its branch', async () => {
      const { number, head, updatedAt } = await openPullRequest(world);
      await world.pause();
      const moved = world.git.commit('change', { 'more.txt': 'x\ny\n' });
      const after = await getSettled(world, number);
      expect(after.head).toEqual({ ...head, sha: moved });
      expect(after.diffStat).toEqual({ files: 2, additions: 5, deletions: 0 });
      expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
      const [listed] = await forge.listPullRequests(repository);
      expect(listed?.head.sha).toBe(moved);
    });

    it('stays at its commit when it is closed and its branch goes on', async () => {
      const { number, head } = await openPullRequest(world);
      await forge.editPullRequest(repository, number, { state: 'closed' });
      world.git.commit('change', { 'more.txt': 'x\n' });
      expect((await forge.getPullRequest(repository, number)).head.sha).toBe(head.sha);
    });

    it('sees a conflict, and that it is gone', async () => {
      const { number } = await openPullRequest(world, { files: { 'README.md': '# Mine\n' } });
      expect((await getSettled(world, number)).mergeable).toBe('clean');
      world.git.commit('main', { 'README.md': '# Theirs\n' });
      expect((await getSettled(world, number)).mergeable).toBe('conflicting');
      world.git.commit('main', { 'README.md': '# Project\n' });
      expect((await getSettled(world, number)).mergeable).toBe('clean');
    });
  });
}
