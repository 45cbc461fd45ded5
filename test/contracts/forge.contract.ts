/**
 * What every forge has to do, whoever runs it. Where a forge leaves room the suite follows GitHub, so that a workflow
 * that was tried on the local forge meets no surprise there.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Forge, Permission } from '../../src/ports/forge/forge.ts';
import { expectCode } from './expect-code.ts';
import { describeForgeBranches } from './forge-branches.contract.ts';
import { describeForgeChecks } from './forge-checks.contract.ts';
import { describeForgeCodePermissions } from './forge-code-permissions.contract.ts';
import { describeForgeFiles } from './forge-files.contract.ts';
import { describeForgeMerge } from './forge-merge.contract.ts';
import { describeForgePermissions } from './forge-permissions.contract.ts';
import { describeForgePullRequests } from './forge-pull-requests.contract.ts';
import { describeForgeReviews } from './forge-reviews.contract.ts';
import { describeForgeTalk } from './forge-talk.contract.ts';
import type { ForgeWorld } from './forge-world.ts';

const plain = { title: 'A title', body: 'A body', labels: [] };

export function describeForge(name: string, makeForge: () => Promise<ForgeWorld>): void {
  describe(`${name} is a forge`, () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    const actingAs = (permission: Permission): Forge => world.forgeAs(world.actors[permission]);

    beforeEach(async () => {
      world = await makeForge();
      ({ forge, repository } = world);
    });
    afterEach(() => world.close());

    for (const describePart of [
      describeForgePermissions,
      describeForgeTalk,
      describeForgeBranches,
      describeForgePullRequests,
      describeForgeFiles,
      describeForgeReviews,
      describeForgeMerge,
      describeForgeChecks,
      describeForgeCodePermissions,
    ]) {
      describePart(() => world);
    }

    describe('issues', () => {
      it('returns what was filed, and the same when asked again', async () => {
        const filed = await forge.createIssue(repository, {
          title: 'T',
          body: 'B\n\n- x\n',
          labels: ['one', 'two'],
        });
        expect(filed).toMatchObject({
          title: 'T',
          body: 'B\n\n- x\n',
          state: 'open',
          author: world.actors.admin,
          labels: ['one', 'two'],
        });
        expect(filed.url).toContain(`${repository}/issues/${filed.number}`);
        expect(new Date(filed.createdAt).toISOString().slice(0, 19)).toBe(filed.createdAt.slice(0, 19));
        expect(await forge.getIssue(repository, filed.number)).toEqual(filed);
      });

      it('counts from 1 without gaps and never uses a number again', async () => {
        const numbers: number[] = [];
        for (let index = 0; index < 4; index += 1) {
          const { number } = await forge.createIssue(repository, plain);
          numbers.push(number);
          await forge.editIssue(repository, number, { state: 'closed' });
          // What is refused takes no number.
          await expectCode(forge.createIssue(repository, { ...plain, title: '' }), 'forge-rejected');
        }
        expect(numbers).toEqual([1, 2, 3, 4]);
      });

      it('closes and opens again, also what is closed or open already', async () => {
        const { number } = await forge.createIssue(repository, plain);
        for (const state of ['closed', 'closed', 'open', 'open'] as const) {
          expect((await forge.editIssue(repository, number, { state })).state).toBe(state);
          expect((await forge.getIssue(repository, number)).state).toBe(state);
        }
      });

      it('changes only what it is told to, and dates the change', async () => {
        const filed = await forge.createIssue(repository, { ...plain, labels: ['kept'] });
        await world.pause();
        const edited = await forge.editIssue(repository, filed.number, { body: 'Other' });
        expect({ ...edited, updatedAt: '' }).toEqual({ ...filed, body: 'Other', updatedAt: '' });
        expect(Date.parse(edited.updatedAt)).toBeGreaterThan(Date.parse(filed.updatedAt));
      });

      it('changes nothing when a part of the change is refused', async () => {
        const filed = await forge.createIssue(repository, plain);
        await expectCode(
          forge.editIssue(repository, filed.number, {
            title: 'Good',
            state: 'closed',
            addLabels: ['x'.repeat(51)],
          }),
          'label-invalid',
        );
        await expectCode(
          forge.editIssue(repository, filed.number, { body: 'Good', title: '' }),
          'forge-rejected',
        );
        expect(await forge.getIssue(repository, filed.number)).toEqual(filed);
        expect(await forge.listLabels(repository)).toEqual([]);
      });

      it('says so when the repository or the issue does not exist', async () => {
        const { number } = await forge.createIssue(repository, plain);
        const nowhere = `${repository}-that-does-not-exist`;
        const label = { name: 'x', colour: 'ededed', description: '' };
        for (const call of [
          () => forge.permissionOf(nowhere, world.actors.admin),
          () => forge.listLabels(nowhere),
          () => forge.ensureLabel(nowhere, label),
          () => forge.createIssue(nowhere, plain),
          () => forge.getIssue(nowhere, number),
          () => forge.listIssues(nowhere),
          () => forge.editIssue(nowhere, number, { state: 'closed' }),
          () => forge.createComment(nowhere, number, 'x'),
          () => forge.listComments(nowhere, number),
          ...[number + 1, 0, -1].flatMap((missing) => [
            () => forge.getIssue(repository, missing),
            () => forge.editIssue(repository, missing, { state: 'closed' }),
            () => forge.createComment(repository, missing, 'x'),
            () => forge.listComments(repository, missing),
          ]),
        ]) {
          await expectCode(call(), 'forge-not-found');
        }
      });
    });

    describe('texts', () => {
      it.each([
        ['the longest title', 'x'.repeat(256)],
        ['256 characters outside the basic plane', '🦊'.repeat(256)],
        ['a command substitution', '$(touch pwned) `id` $HOME'],
        ['a path', '../../etc/passwd'],
        ['an option', '--repo=other -F file'],
        ['quotes and SQL', `'); DROP TABLE issues; -- "`],
        ['letters that are read from the right', 'شكراً עברית'],
        ['Markdown and HTML', '<b>**bold**</b> <!-- hidden -->'],
      ])('keeps a title literally: %s', async (_, title) => {
        const { number } = await forge.createIssue(repository, { ...plain, title });
        expect((await forge.getIssue(repository, number)).title).toBe(title);
        expect((await forge.editIssue(repository, number, { title })).title).toBe(title);
      });

      it.each([
        ['empty', ''],
        ['only spaces', ' \t '],
        ['too long', 'x'.repeat(257)],
        ['two lines', 'one\ntwo'],
        ['a carriage return', 'one\rtwo'],
        ['NUL', 'one\0two'],
        ['an escape sequence', '\u001b[31mred'],
        ['a right-to-left override', 'invoice\u202Efdp.exe'],
        ['an isolate', 'a\u2066b\u2069'],
        ['a zero-width space', 'a\u200Bb'],
        ['tag characters', 'a\u{E0041}b'],
      ])('refuses a title: %s', async (_, title) => {
        await expectCode(forge.createIssue(repository, { ...plain, title }), 'forge-rejected');
        expect(await forge.listIssues(repository, { state: 'all' })).toEqual([]);
        const { number } = await forge.createIssue(repository, plain);
        await expectCode(forge.editIssue(repository, number, { title }), 'forge-rejected');
        expect((await forge.getIssue(repository, number)).title).toBe(plain.title);
      });

      it.each([
        ['nothing', ''],
        ['the longest', 'x'.repeat(65_536)],
        ['what shells, paths and options are made of', '-rf $(touch pwned) `id` ../../x\n--\n@file'],
        ['letters of all kinds', 'Grüße 🦊 שלום'],
      ])('keeps a body literally: %s', async (_, body) => {
        const { number } = await forge.createIssue(repository, { ...plain, body });
        expect((await forge.getIssue(repository, number)).body).toBe(body);
        expect((await forge.editIssue(repository, number, { body })).body).toBe(body);
        if (body === '') return;
        await forge.createComment(repository, number, body);
        expect((await forge.listComments(repository, number)).map((comment) => comment.body)).toEqual([body]);
      });

      it.each([
        ['too long', 'x'.repeat(65_537)],
        ['NUL', 'one\0two'],
      ])('refuses a body or comment: %s', async (_, body) => {
        await expectCode(forge.createIssue(repository, { ...plain, body }), 'forge-rejected');
        expect(await forge.listIssues(repository, { state: 'all' })).toEqual([]);
        const { number } = await forge.createIssue(repository, plain);
        await expectCode(forge.editIssue(repository, number, { body }), 'forge-rejected');
        await expectCode(forge.createComment(repository, number, body), 'forge-rejected');
        expect((await forge.getIssue(repository, number)).body).toBe(plain.body);
        expect(await forge.listComments(repository, number)).toEqual([]);
      });
    });

    describe('labels', () => {
      it('makes a label with the first issue that carries it', async () => {
        const { number } = await forge.createIssue(repository, { ...plain, labels: ['first'] });
        await forge.editIssue(repository, number, { addLabels: ['second'] });
        expect((await forge.listLabels(repository)).map((label) => label.name).sort()).toEqual([
          'first',
          'second',
        ]);
        expect((await forge.getIssue(repository, number)).labels).toEqual(['first', 'second']);
      });

      it('never changes a label that exists, however it is spelled', async () => {
        const label = { name: 'Bug', colour: 'd73a4a', description: 'It is broken.' };
        expect(await forge.ensureLabel(repository, label)).toEqual({ created: true });
        for (const name of ['Bug', 'bug', 'BUG']) {
          const again = { name, colour: '000000', description: 'Other' };
          expect(await forge.ensureLabel(repository, again)).toEqual({ created: false });
        }
        await forge.createIssue(repository, { ...plain, labels: ['bUG'] });
        expect(await forge.listLabels(repository)).toEqual([label]);
      });

      it('puts a label on an issue once, spelled as it was made', async () => {
        await forge.ensureLabel(repository, { name: 'Bug', colour: 'd73a4a', description: '' });
        const { number } = await forge.createIssue(repository, { ...plain, labels: ['bug', 'BUG'] });
        expect((await forge.getIssue(repository, number)).labels).toHaveLength(1);
        expect((await forge.editIssue(repository, number, { addLabels: ['buG'] })).labels).toEqual(['Bug']);
        expect((await forge.listIssues(repository, { label: 'bug' })).map((issue) => issue.labels)).toEqual([
          ['Bug'],
        ]);
      });

      it('takes a label off, however it is spelled, and keeps it for others', async () => {
        const { number } = await forge.createIssue(repository, { ...plain, labels: ['Bug', 'ui'] });
        const change = { removeLabels: ['bug', 'not there'] };
        expect((await forge.editIssue(repository, number, change)).labels).toEqual(['ui']);
        expect((await forge.listLabels(repository)).map((label) => label.name).sort()).toEqual(['Bug', 'ui']);
      });

      it.each([
        ['empty', ' '],
        ['too long', 'x'.repeat(51)],
        ['a comma', 'a,b'],
        ['a line break', 'a\nb'],
        ['a right-to-left override', 'a\u202Eb'],
      ])('refuses a label name: %s', async (_, label) => {
        await expectCode(
          forge.createIssue(repository, { ...plain, labels: ['fine', label] }),
          'label-invalid',
        );
        await expectCode(
          forge.ensureLabel(repository, { name: label, colour: 'ededed', description: '' }),
          'label-invalid',
        );
        expect(await forge.listIssues(repository)).toEqual([]);
        expect(await forge.listLabels(repository)).toEqual([]);
      });
    });

    describe('lists', () => {
      it('shows open issues, newest first, unless told otherwise', async () => {
        for (let index = 0; index < 3; index += 1) await forge.createIssue(repository, plain);
        await forge.editIssue(repository, 2, { state: 'closed' });
        const numbers = async (state?: 'open' | 'closed' | 'all') =>
          (await forge.listIssues(repository, state === undefined ? {} : { state })).map(
            (issue) => issue.number,
          );
        expect(await numbers()).toEqual([3, 1]);
        expect(await numbers('open')).toEqual([3, 1]);
        expect(await numbers('closed')).toEqual([2]);
        expect(await numbers('all')).toEqual([3, 2, 1]);
      });

      it('narrows by author, by label and by both', async () => {
        const writer = actingAs('write');
        await forge.createIssue(repository, { ...plain, labels: ['Bug'] });
        await writer.createIssue(repository, { ...plain, labels: ['bug', 'ui'] });
        await writer.createIssue(repository, plain);
        const numbers = async (filter: Parameters<Forge['listIssues']>[1]) =>
          (await forge.listIssues(repository, filter)).map((issue) => issue.number);
        expect(await numbers({ author: world.actors.write })).toEqual([3, 2]);
        expect(await numbers({ author: world.actors.none })).toEqual([]);
        expect(await numbers({ label: 'bug' })).toEqual([2, 1]);
        expect(await numbers({ label: 'bu' })).toEqual([]);
        expect(await numbers({ author: world.actors.write, label: 'BUG' })).toEqual([2]);
      });

      it('narrows by the date of creation, not of change', async () => {
        for (let index = 0; index < 3; index += 1) {
          await forge.createIssue(repository, plain);
          await world.pause();
        }
        await forge.editIssue(repository, 1, { body: 'Changed last' });
        const since = (await forge.getIssue(repository, 2)).createdAt;
        expect((await forge.listIssues(repository, { since })).map((issue) => issue.number)).toEqual([3, 2]);
      });

      it('reads a date in every form that ISO 8601 has for it', async () => {
        const { createdAt } = await forge.createIssue(repository, plain);
        const second = `${createdAt.slice(0, 19)}Z`;
        const elsewhere = new Date(Date.parse(second) + 7_200_000)
          .toISOString()
          .replace(/\.\d+Z$/u, '+02:00');
        const later = new Date(Date.parse(second) + 60_000 - 7_200_000)
          .toISOString()
          .replace(/\.\d+Z$/u, '-02:00');
        expect(await forge.listIssues(repository, { since: second })).toHaveLength(1);
        expect(await forge.listIssues(repository, { since: elsewhere })).toHaveLength(1);
        expect(await forge.listIssues(repository, { since: later })).toHaveLength(0);
      });

      it('shows comments oldest first, each with its author, and on its own issue only', async () => {
        const { number, updatedAt } = await forge.createIssue(repository, plain);
        const { number: other } = await forge.createIssue(repository, plain);
        await world.pause();
        const first = await forge.createComment(repository, number, 'one');
        const second = await actingAs('read').createComment(repository, number, 'two');
        await forge.createComment(repository, other, 'elsewhere');
        expect(await forge.listComments(repository, number)).toEqual([first, second]);
        expect(first).toMatchObject({ author: world.actors.admin, body: 'one' });
        expect(second).toMatchObject({ author: world.actors.read, body: 'two' });
        expect(second.id).not.toBe(first.id);
        expect(Date.parse((await forge.getIssue(repository, number)).updatedAt)).toBeGreaterThan(
          Date.parse(updatedAt),
        );
      });

      it('refuses an empty comment', async () => {
        const { number } = await forge.createIssue(repository, plain);
        await expectCode(forge.createComment(repository, number, ' \n'), 'forge-rejected');
        expect(await forge.listComments(repository, number)).toEqual([]);
      });
    });
  });
}
