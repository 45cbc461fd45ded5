/** The part of the forge contract about what people say and show: comments, label events, assignees, reactions. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge, Permission } from '../../src/ports/forge/forge.ts';
import { reactionContents } from '../../src/ports/forge/forge-issues.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld } from './forge-world.ts';
import { openPullRequest } from './open-pull-request.ts';

const plain = { title: 'A title', body: 'A body', labels: [] };

export function describeForgeTalk(getWorld: () => ForgeWorld): void {
  describe('talk', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    const actingAs = (permission: Permission): Forge => world.forgeAs(world.actors[permission]);

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
    });

    describe('who changed the words of an issue', () => {
      it('is told for the title and for the text, with the words of that moment', async () => {
        const author = actingAs('read');
        const { number } = await author.createIssue(repository, plain);
        const text = { title: 'A title', body: 'A body', titleBy: null, bodyBy: null };
        expect(await forge.getIssueText(repository, number)).toEqual(text);
        await author.editIssue(repository, number, { body: 'Other' });
        const byAuthor = { login: world.actors.read, kind: 'person' };
        expect(await forge.getIssueText(repository, number)).toEqual({
          ...{ ...text, body: 'Other', bodyBy: byAuthor },
        });
        await world.forgeAs(world.bot).editIssue(repository, number, { title: 'Better' });
        // What is set to what it was, and everything else, is no change of the words.
        await forge.editIssue(repository, number, { body: 'Other', title: 'Better', addLabels: ['x'] });
        await forge.createComment(repository, number, 'Hello');
        expect(await forge.getIssueText(repository, number)).toEqual({
          ...{ title: 'Better', body: 'Other' },
          ...{ titleBy: { login: world.bot, kind: 'bot' }, bodyBy: byAuthor },
        });
        await expectCode(forge.getIssueText(repository, number + 1), 'forge-not-found');
      });
    });

    describe('comments', () => {
      it('changes a comment, dates the change and leaves the rest', async () => {
        const { number } = await forge.createIssue(repository, plain);
        const comment = await forge.createComment(repository, number, 'First words');
        const other = await forge.createComment(repository, number, 'Other words');
        // A forge may read its clock once for each of the two dates.
        expect(Date.parse(comment.updatedAt) - Date.parse(comment.createdAt)).toBeLessThan(1000);
        await world.pause();
        const changed = await forge.updateComment(repository, comment.id, 'Better words');
        expect({ ...changed, updatedAt: '' }).toEqual({ ...comment, body: 'Better words', updatedAt: '' });
        expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(comment.updatedAt));
        expect(await forge.listComments(repository, number)).toEqual([changed, other]);
      });

      it('refuses an empty or a missing comment', async () => {
        const { number } = await forge.createIssue(repository, plain);
        const comment = await forge.createComment(repository, number, 'Words');
        for (const body of ['', ' \n', 'x'.repeat(65_537), 'one\0two'])
          await expectCode(forge.updateComment(repository, comment.id, body), 'forge-rejected');
        await expectCode(forge.updateComment(repository, comment.id + 1000, 'x'), 'forge-not-found');
        expect(await forge.listComments(repository, number)).toEqual([comment]);
      });

      it('tells people from programs, and what somebody is to the repository', async () => {
        const { number } = await forge.createIssue(repository, plain);
        for (const actor of [world.actors.admin, world.actors.write, world.actors.none, world.bot])
          await world.forgeAs(actor).createComment(repository, number, 'Hello');
        expect(
          (await forge.listComments(repository, number)).map(({ author, authorKind, association }) => [
            author,
            authorKind,
            association,
          ]),
        ).toEqual([
          [world.actors.admin, 'person', 'owner'],
          [world.actors.write, 'person', 'collaborator'],
          [world.actors.none, 'person', 'none'],
          [world.bot, 'bot', expect.any(String)],
        ]);
        expect(await forge.getIssue(repository, number)).toMatchObject({
          authorKind: 'person',
          association: 'owner',
          closedAt: null,
        });
        const byBot = await world.forgeAs(world.bot).createIssue(repository, plain);
        expect(byBot).toMatchObject({ author: world.bot, authorKind: 'bot' });
      });

      it('has an address for every comment', async () => {
        const { number } = await forge.createIssue(repository, plain);
        const [one, two] = [
          await forge.createComment(repository, number, 'One'),
          await forge.createComment(repository, number, 'Two'),
        ];
        expect(one.url).toContain(`${repository}/issues/${number}#`);
        expect(one.url).not.toBe(two.url);
      });
    });

    it('dates the closing of an issue and forgets it when it is opened again', async () => {
      const { number } = await forge.createIssue(repository, plain);
      await world.pause();
      const closed = await forge.editIssue(repository, number, { state: 'closed' });
      expect(Date.parse(closed.closedAt ?? '')).toBeGreaterThan(Date.parse(closed.createdAt));
      await world.pause();
      const touched = await forge.editIssue(repository, number, { body: 'Changed after it was closed' });
      expect(touched.closedAt).toBe(closed.closedAt);
      expect((await forge.editIssue(repository, number, { state: 'open' })).closedAt).toBeNull();
    });

    it('narrows issues by the date of their last change', async () => {
      for (let index = 0; index < 3; index += 1) await forge.createIssue(repository, plain);
      await world.pause();
      const { updatedAt } = await forge.editIssue(repository, 1, { body: 'Changed' });
      const numbers = async (updatedSince: string) =>
        (await forge.listIssues(repository, { updatedSince })).map((issue) => issue.number);
      expect(await numbers(updatedAt)).toEqual([1]);
      expect(await numbers(new Date(Date.parse(updatedAt) + 60_000).toISOString())).toEqual([]);
      expect(await numbers('2001-01-01T00:00:00Z')).toEqual([3, 2, 1]);
    });

    describe('label events', () => {
      it('tells who put a label on and who took it off, oldest first', async () => {
        const { number } = await forge.createIssue(repository, { ...plain, labels: ['Bug'] });
        await world.pause();
        await actingAs('triage').editIssue(repository, number, { addLabels: ['ui'] });
        await world.pause();
        await actingAs('write').editIssue(repository, number, { removeLabels: ['bug'] });
        await world.pause();
        await world.forgeAs(world.bot).editIssue(repository, number, { addLabels: ['BUG'] });
        const events = await forge.listLabelEvents(repository, number);
        expect(
          events.map(({ label, change, actor, actorKind }) => [label, change, actor, actorKind]),
        ).toEqual([
          ['Bug', 'added', world.actors.admin, 'person'],
          ['ui', 'added', world.actors.triage, 'person'],
          ['Bug', 'removed', world.actors.write, 'person'],
          ['Bug', 'added', world.bot, 'bot'],
        ]);
        const times = events.map((event) => Date.parse(event.at));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(new Set(times).size).toBe(4);
      });

      it('tells nothing of a change that changed nothing', async () => {
        const { number } = await forge.createIssue(repository, { ...plain, labels: ['Bug'] });
        await forge.editIssue(repository, number, { addLabels: ['bug'], removeLabels: ['not there'] });
        expect(await forge.listLabelEvents(repository, number)).toHaveLength(1);
        await expectCode(
          actingAs('read').editIssue(repository, number, { removeLabels: ['Bug'] }),
          'forge-forbidden',
        );
        expect(await forge.listLabelEvents(repository, number)).toHaveLength(1);
        await expectCode(forge.listLabelEvents(repository, number + 1), 'forge-not-found');
      });
    });

    describe('assignees', () => {
      it('assigns people once, takes them off, and leaves out who cannot be assigned', async () => {
        const { number } = await forge.createIssue(repository, plain);
        const { write, triage } = world.actors;
        const change = { addAssignees: [write, write, triage, 'unheard-of'] };
        expect([...(await forge.editIssue(repository, number, change)).assignees].sort()).toEqual(
          [write, triage].sort(),
        );
        const after = await forge.editIssue(repository, number, { removeAssignees: [triage, 'unheard-of'] });
        expect(after.assignees).toEqual([write]);
        expect((await forge.getIssue(repository, number)).assignees).toEqual([write]);
      });

      it.each(['none', 'read', 'triage', 'write'] as const)(
        'lets somebody with %s permission assign only from triage on',
        async (permission) => {
          const own = actingAs(permission);
          const { number } = await own.createIssue(repository, plain);
          const edit = own.editIssue(repository, number, { addAssignees: [world.actors.write] });
          if (permission === 'triage' || permission === 'write')
            expect((await edit).assignees).toEqual([world.actors.write]);
          else {
            await expectCode(edit, 'forge-forbidden');
            expect((await forge.getIssue(repository, number)).assignees).toEqual([]);
          }
        },
      );
    });

    describe('reactions', () => {
      it('keeps one of each kind for each person, on issues, comments and pull requests', async () => {
        const { number } = await forge.createIssue(repository, plain);
        const { id } = await forge.createComment(repository, number, 'Words');
        const pull = await openPullRequest(world);
        for (const target of [
          { kind: 'issue', number },
          { kind: 'comment', id },
          { kind: 'issue', number: pull.number },
        ] as const) {
          expect(await forge.listReactions(repository, target)).toEqual([]);
          await forge.addReaction(repository, target, 'eyes');
          await forge.addReaction(repository, target, 'eyes');
          await actingAs('none').addReaction(repository, target, 'eyes');
          await forge.addReaction(repository, target, '+1');
          expect(await forge.listReactions(repository, target)).toEqual([
            { content: 'eyes', actor: world.actors.admin },
            { content: 'eyes', actor: world.actors.none },
            { content: '+1', actor: world.actors.admin },
          ]);
        }
      });

      it('knows every kind, and says so when there is nothing to react to', async () => {
        const { number } = await forge.createIssue(repository, plain);
        const { id } = await forge.createComment(repository, number, 'Words');
        for (const content of reactionContents)
          await forge.addReaction(repository, { kind: 'comment', id }, content);
        const found = await forge.listReactions(repository, { kind: 'comment', id });
        expect(found.map((reaction) => reaction.content)).toEqual([...reactionContents]);
        for (const target of [
          { kind: 'issue', number: number + 7 },
          { kind: 'comment', id: id + 1000 },
          { kind: 'review-comment', id: id + 1000 },
        ] as const) {
          await expectCode(forge.addReaction(repository, target, 'heart'), 'forge-not-found');
          await expectCode(forge.listReactions(repository, target), 'forge-not-found');
        }
      });
    });
  });
}
