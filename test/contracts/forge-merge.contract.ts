/** The part of the forge contract about putting changes onto their base. Real git is the judge of the result. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge, Permission } from '../../src/ports/forge/forge.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld } from './forge-world.ts';
import { getSettled, openPullRequest } from './open-pull-request.ts';

const message = { title: 'Add the change (#1)', body: 'Why it is good.\n\nCo-written by many.' };

export function describeForgeMerge(getWorld: () => ForgeWorld): void {
  describe('merges', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    const actingAs = (permission: Permission): Forge => world.forgeAs(world.actors[permission]);
    const tip = (branch: string): string => world.git.resolve(`refs/heads/${branch}`) ?? '';

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
    });

    describe('merging', () => {
      it('puts the change on its base as one commit', async () => {
        const pull = await openPullRequest(world);
        world.git.commit('change', { 'second.txt': 'second\n' });
        world.git.commit('main', { 'meanwhile.txt': 'meanwhile\n' });
        const [base, head] = [tip('main'), tip('change')];
        const tree = world.git.run('merge-tree', '--write-tree', base, head);
        const merger = actingAs('maintain');
        await world.pause();
        const { commit } = await merger.mergePullRequest(repository, pull.number, { head, ...message });
        expect(tip('main')).toBe(commit);
        expect(world.git.run('rev-parse', `${commit}^{tree}`)).toBe(tree);
        expect(world.git.run('log', '-1', '--format=%P', commit)).toBe(base);
        expect(world.git.run('log', '-1', '--format=%B', commit).trimEnd()).toBe(
          `${message.title}\n\n${message.body}`,
        );
        // The branch stays until somebody deletes it.
        expect(tip('change')).toBe(head);
        const merged = await forge.getPullRequest(repository, pull.number);
        expect(merged).toMatchObject({ state: 'merged', mergeCommit: commit, head: { sha: head } });
        expect(Date.parse(merged.mergedAt ?? '')).toBeGreaterThan(Date.parse(pull.createdAt));
        expect(merged.closedAt).toBe(merged.mergedAt);
        expect(await forge.getIssue(repository, pull.number)).toMatchObject({ state: 'closed' });
        expect(await forge.deleteBranch(repository, 'change', head)).toBe(true);
        expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({ state: 'merged' });
      });

      it('takes a title without a body', async () => {
        const pull = await openPullRequest(world);
        const merge = { head: pull.head.sha, title: 'Only this', body: '' };
        const { commit } = await forge.mergePullRequest(repository, pull.number, merge);
        expect(world.git.run('log', '-1', '--format=%B', commit).trimEnd()).toBe('Only this');
      });

      it('refuses when the branch moved on', async () => {
        const pull = await openPullRequest(world);
        const base = tip('main');
        const moved = world.git.commit('change', { 'change.txt': 'not reviewed\n' });
        await expectCode(
          forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, ...message }),
          'head-moved',
        );
        expect(tip('main')).toBe(base);
        expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({ state: 'open' });
        await forge.mergePullRequest(repository, pull.number, { head: moved, ...message });
        expect(world.git.readFile('main', 'change.txt')).toBe('not reviewed\n');
      });

      it('refuses when the base is not where it is expected', async () => {
        const pull = await openPullRequest(world);
        const [head, old] = [pull.head.sha, tip('main')];
        const base = world.git.commit('main', { 'meanwhile.txt': 'meanwhile\n' });
        const merge = (expected: string) =>
          forge.mergePullRequest(repository, pull.number, { head, ...message, base: expected });
        await expectCode(merge(old), 'head-moved');
        await expectCode(merge(head), 'head-moved');
        expect(tip('main')).toBe(base);
        const { commit } = await merge(base);
        expect(world.git.run('log', '-1', '--format=%P', commit)).toBe(base);
      });

      it('refuses what does not fit', async () => {
        const pull = await openPullRequest(world, { files: { 'README.md': '# Mine\n' } });
        const base = world.git.commit('main', { 'README.md': '# Theirs\n' });
        await getSettled(world, pull.number);
        await expectCode(
          forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, ...message }),
          'merge-conflict',
        );
        expect(tip('main')).toBe(base);
        expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({
          state: 'open',
          mergeCommit: null,
        });
      });

      it('refuses a draft, a closed one and one that is merged already', async () => {
        const pull = await openPullRequest(world, { isDraft: true });
        const merge = { head: pull.head.sha, ...message };
        const attempt = () => forge.mergePullRequest(repository, pull.number, merge);
        const base = tip('main');
        await expectCode(attempt(), 'merge-refused');
        await forge.editPullRequest(repository, pull.number, { isDraft: false, state: 'closed' });
        await expectCode(attempt(), 'merge-refused');
        expect(tip('main')).toBe(base);
        await forge.editPullRequest(repository, pull.number, { state: 'open' });
        const { commit } = await attempt();
        await expectCode(attempt(), 'merge-refused');
        expect(tip('main')).toBe(commit);
        for (const edit of ['editPullRequest', 'editIssue'] as const)
          await expectCode(forge[edit](repository, pull.number, { state: 'open' }), 'forge-rejected');
        expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({ state: 'merged' });
      });

      it('refuses a title that cannot be one', async () => {
        const pull = await openPullRequest(world);
        const base = tip('main');
        for (const title of ['', 'two\nlines', '\u001b[31mred'])
          await expectCode(
            forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, title, body: '' }),
            'forge-rejected',
          );
        expect(tip('main')).toBe(base);
      });

      it('keeps messages literally', async () => {
        const pull = await openPullRequest(world);
        const odd = { title: '--amend $(touch pwned) `id`', body: '# not a comment\n\n-F file\n; rm -rf x' };
        await forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, ...odd });
        expect(world.git.run('log', '-1', '--format=%B', 'main').trimEnd()).toBe(
          `${odd.title}\n\n${odd.body}`,
        );
      });

      it('closes the issues that it says it closes, on the default branch', async () => {
        const issue = () => forge.createIssue(repository, { title: 'T', body: '', labels: [] });
        const numbers: number[] = [];
        for (let index = 0; index < 5; index += 1) numbers.push((await issue()).number);
        const [one, two, three, four, five] = numbers;
        const pull = await openPullRequest(world, {
          body: `Closes #${one}, fixes: #${two}.\n\nSee #${three}. \`Closes #${four}\`\n\n    Resolves #${five}\n`,
        });
        await forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, ...message });
        const states = await Promise.all(
          numbers.map(async (number) => (await forge.getIssue(repository, number)).state),
        );
        expect(states).toEqual(['closed', 'closed', 'open', 'open', 'open']);
        world.git.run('branch', 'release', 'main');
        const other = await openPullRequest(world, {
          branch: 'topic',
          files: { 'x.txt': 'x\n' },
          base: 'release',
          body: `Closes #${three}`,
        });
        await forge.mergePullRequest(repository, other.number, { head: other.head.sha, ...message });
        expect((await forge.getIssue(repository, three ?? 0)).state).toBe('open');
      });

      it('makes whoever brought a change a contributor', async () => {
        const stranger = actingAs('none');
        const pull = await openPullRequest(world, { by: stranger });
        expect(pull.association).toBe('none');
        await forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, ...message });
        const issue = await stranger.createIssue(repository, { title: 'T', body: '', labels: [] });
        expect(issue.association).toBe('contributor');
      });

      it('lands two changes one after the other', async () => {
        const pulls = [
          await openPullRequest(world, { branch: 'one', files: { 'one.txt': '1\n' } }),
          await openPullRequest(world, { branch: 'two', files: { 'two.txt': '2\n' } }),
        ];
        for (const pull of pulls)
          await forge.mergePullRequest(repository, pull.number, { head: pull.head.sha, ...message });
        expect(world.git.readFile('main', 'one.txt')).toBe('1\n');
        expect(world.git.readFile('main', 'two.txt')).toBe('2\n');
      });
    });

    describe('merging several', () => {
      const stepOf = (base: string, pull: { number: number; head: { sha: string } }) => ({
        number: pull.number,
        head: pull.head.sha,
        title: `Add ${pull.number}`,
        body: '',
        tree: world.git.run('merge-tree', '--write-tree', base, pull.head.sha),
      });
      /** Two pull requests, and what putting them onto the base one after the other gives. */
      const openTwo = async () => {
        const one = await openPullRequest(world, { branch: 'one', files: { 'one.txt': '1\n' } });
        const two = await openPullRequest(world, { branch: 'two', files: { 'two.txt': '2\n' } });
        const base = tip('main');
        const first = stepOf(base, one);
        const between = world.git.run('commit-tree', first.tree, '-p', base, '-m', 'x');
        return { base, pulls: [first, stepOf(between, two)] };
      };

      it('is done in one move where that can be done, and refused where it cannot', async () => {
        const { base, pulls } = await openTwo();
        const attempt = forge.mergeTogether(repository, { base, pulls });
        if (!forge.mergesTogether) {
          await expectCode(attempt, 'merge-refused');
          expect(tip('main')).toBe(base);
          return;
        }
        const { commits } = await attempt;
        expect(tip('main')).toBe(commits[1]);
        expect(world.git.run('rev-list', '--reverse', `${base}..main`).split('\n')).toEqual(commits);
        for (const [index, { number, tree }] of pulls.entries()) {
          expect(world.git.run('rev-parse', `${commits[index]}^{tree}`)).toBe(tree);
          expect(await forge.getPullRequest(repository, number)).toMatchObject({
            state: 'merged',
            mergeCommit: commits[index],
          });
        }
      });

      it('does all of it or nothing', async () => {
        const { base, pulls } = await openTwo();
        if (!forge.mergesTogether) return;
        const [first, second] = pulls as [(typeof pulls)[number], (typeof pulls)[number]];
        const refusals = [
          [{ base, pulls: [first, { ...second, tree: first.tree }] }, 'head-moved'],
          [{ base, pulls: [first, { ...second, head: first.head }] }, 'head-moved'],
          [{ base: first.head, pulls }, 'head-moved'],
          [{ base, pulls: [first, first] }, 'merge-refused'],
          [{ base, pulls: [] }, 'merge-refused'],
        ] as const;
        for (const [merge, code] of refusals) await expectCode(forge.mergeTogether(repository, merge), code);
        await forge.editPullRequest(repository, second.number, { isDraft: true });
        await expectCode(forge.mergeTogether(repository, { base, pulls }), 'merge-refused');
        await expectCode(actingAs('triage').mergeTogether(repository, { base, pulls }), 'forge-forbidden');
        expect(tip('main')).toBe(base);
        for (const { number } of pulls)
          expect(await forge.getPullRequest(repository, number)).toMatchObject({ state: 'open' });
      });
    });

    describe('bringing a branch up to date', () => {
      it('merges the base into it', async () => {
        const pull = await openPullRequest(world);
        const base = world.git.commit('main', { 'meanwhile.txt': 'meanwhile\n' });
        const { head } = await actingAs('write').updateBranch(repository, pull.number, pull.head.sha);
        expect(tip('change')).toBe(head);
        expect(world.git.run('log', '-1', '--format=%P', head)).toBe(`${pull.head.sha} ${base}`);
        expect(world.git.run('rev-parse', `${head}^{tree}`)).toBe(
          world.git.run('merge-tree', '--write-tree', pull.head.sha, base),
        );
        expect(await forge.getPullRequest(repository, pull.number)).toMatchObject({
          state: 'open',
          head: { sha: head },
          diffStat: { files: 1, additions: 3, deletions: 0 },
        });
      });

      it('does nothing when there is nothing to merge', async () => {
        const pull = await openPullRequest(world);
        expect(await forge.updateBranch(repository, pull.number, pull.head.sha)).toEqual({
          head: pull.head.sha,
        });
        expect(tip('change')).toBe(pull.head.sha);
      });

      it('refuses when the branch moved on or does not fit', async () => {
        const pull = await openPullRequest(world, { files: { 'README.md': '# Mine\n' } });
        world.git.commit('main', { 'README.md': '# Theirs\n' });
        await expectCode(forge.updateBranch(repository, pull.number, pull.head.sha), 'merge-conflict');
        expect(tip('change')).toBe(pull.head.sha);
        const moved = world.git.commit('change', { 'x.txt': 'x\n' });
        await expectCode(forge.updateBranch(repository, pull.number, pull.head.sha), 'head-moved');
        expect(tip('change')).toBe(moved);
      });
    });
  });
}
