/** The part of the forge contract about reviews: bound to a commit, by anybody but the author. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge, NewReview, Permission } from '../../src/ports/forge/forge.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld } from './forge-world.ts';
import { openPullRequest } from './open-pull-request.ts';

export function describeForgeReviews(getWorld: () => ForgeWorld): void {
  describe('reviews', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    let number: number;
    let head: string;
    const actingAs = (permission: Permission): Forge => world.forgeAs(world.actors[permission]);
    const review = (change: Partial<NewReview> = {}): NewReview => ({
      commit: head,
      decision: 'comment',
      body: 'I looked at it.',
      comments: [],
      ...change,
    });

    beforeEach(async () => {
      world = getWorld();
      ({ forge, repository } = world);
      const pull = await openPullRequest(world);
      number = pull.number;
      head = pull.head.sha;
    });

    it('keeps what reviewers decided, oldest first', async () => {
      expect(await forge.listReviews(repository, number)).toEqual([]);
      const one = await actingAs('read').createReview(repository, number, review());
      await world.pause();
      const two = await forge.createReview(repository, number, review({ decision: 'request-changes' }));
      await world.pause();
      const three = await forge.createReview(repository, number, review({ decision: 'approve', body: '' }));
      await world.pause();
      const four = await world.forgeAs(world.bot).createReview(repository, number, review());
      expect(one).toMatchObject({
        author: world.actors.read,
        authorKind: 'person',
        state: 'commented',
        commit: head,
        body: 'I looked at it.',
      });
      expect(two).toMatchObject({
        author: world.actors.admin,
        association: 'owner',
        state: 'changes-requested',
      });
      expect(three).toMatchObject({ state: 'approved', body: '' });
      expect(four).toMatchObject({ author: world.bot, authorKind: 'bot' });
      expect(one.url).toContain(`${repository}/pull/${number}`);
      expect(Date.parse(two.submittedAt)).toBeGreaterThan(Date.parse(one.submittedAt));
      expect(await forge.listReviews(repository, number)).toEqual([one, two, three, four]);
    });

    it('puts words on lines of the new side', async () => {
      const made = await forge.createReview(
        repository,
        number,
        review({
          comments: [
            { path: 'change.txt', line: 2, body: 'Why two?' },
            { path: 'change.txt', line: 3, body: 'And three?' },
          ],
        }),
      );
      const comments = await forge.listReviewComments(repository, number);
      expect(
        comments.map(({ review: of, author, path, line, commit, body, inReplyTo }) => ({
          of,
          author,
          path,
          line,
          commit,
          body,
          inReplyTo,
        })),
      ).toEqual(
        [
          { line: 2, body: 'Why two?' },
          { line: 3, body: 'And three?' },
        ].map((one) => ({
          of: made.id,
          author: world.actors.admin,
          path: 'change.txt',
          commit: head,
          inReplyTo: null,
          ...one,
        })),
      );
      const id = comments[0]?.id ?? 0;
      await forge.addReaction(repository, { kind: 'review-comment', id }, 'eyes');
      expect(await forge.listReactions(repository, { kind: 'review-comment', id })).toEqual([
        { content: 'eyes', actor: world.actors.admin },
      ]);
      expect(await forge.listComments(repository, number)).toEqual([]);
    });

    it('refuses lines and files that are not in the diff, and then keeps nothing', async () => {
      for (const place of [
        { path: 'change.txt', line: 4 },
        { path: 'change.txt', line: 0 },
        { path: 'README.md', line: 1 },
        { path: 'nowhere.txt', line: 1 },
        { path: '../change.txt', line: 1 },
      ]) {
        const comments = [
          { path: 'change.txt', line: 1, body: 'Fine' },
          { ...place, body: 'Lost' },
        ];
        const work = forge.createReview(repository, number, review({ comments }));
        await expectCode(work, 'remark-outside-diff');
      }
      expect(await forge.listReviews(repository, number)).toEqual([]);
      expect(await forge.listReviewComments(repository, number)).toEqual([]);
    });

    it('forgets the line when it is not there any more, and keeps it when something else changed', async () => {
      const comments = [{ path: 'change.txt', line: 2, body: 'Why two?' }];
      await forge.createReview(repository, number, review({ comments }));
      world.git.commit('change', { 'other.txt': 'x\n' });
      expect((await forge.listReviewComments(repository, number)).map(({ line }) => line)).toEqual([2]);
      world.git.commit('change', { 'change.txt': 'one\nTWO\nthree\n' });
      expect((await forge.listReviewComments(repository, number)).map(({ line }) => line)).toEqual([null]);
      const [only] = await forge.listReviews(repository, number);
      expect(only).toMatchObject({ state: 'commented', commit: head });
    });

    it('does not count for a commit that is not the head any more', async () => {
      const moved = world.git.commit('change', { 'change.txt': 'other\n' });
      for (const decision of ['comment', 'approve', 'request-changes'] as const)
        await expectCode(forge.createReview(repository, number, review({ decision })), 'head-moved');
      expect(await forge.listReviews(repository, number)).toEqual([]);
      expect(await forge.createReview(repository, number, review({ commit: moved }))).toMatchObject({
        commit: moved,
      });
    });

    it('lets authors comment on their own work, never approve or refuse it', async () => {
      const author = actingAs('write');
      for (const decision of ['approve', 'request-changes'] as const)
        await expectCode(author.createReview(repository, number, review({ decision })), 'forge-rejected');
      expect(await author.createReview(repository, number, review())).toMatchObject({ state: 'commented' });
      expect(await forge.listReviews(repository, number)).toHaveLength(1);
    });

    it('wants to be told why', async () => {
      for (const decision of ['comment', 'request-changes'] as const)
        await expectCode(
          forge.createReview(repository, number, review({ decision, body: '' })),
          'forge-rejected',
        );
      for (const body of ['x'.repeat(65_537), 'one\0two'])
        await expectCode(forge.createReview(repository, number, review({ body })), 'forge-rejected');
      const comments = [{ path: 'change.txt', line: 1, body: ' ' }];
      await expectCode(forge.createReview(repository, number, review({ comments })), 'forge-rejected');
      expect(await forge.listReviews(repository, number)).toEqual([]);
    });

    it('says so when there is no such pull request', async () => {
      const issue = await forge.createIssue(repository, { title: 'T', body: '', labels: [] });
      for (const missing of [issue.number, issue.number + 1]) {
        await expectCode(forge.createReview(repository, missing, review()), 'forge-not-found');
        await expectCode(forge.listReviews(repository, missing), 'forge-not-found');
        await expectCode(forge.listReviewComments(repository, missing), 'forge-not-found');
      }
    });
  });
}
