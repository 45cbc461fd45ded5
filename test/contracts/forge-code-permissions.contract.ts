/** The part of the forge contract about who may do what with code. The rules are GitHub's for a public repository. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge, Permission } from '../../src/ports/forge/forge.ts';
import { onlyOf } from '../support/property-runs.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld } from './forge-world.ts';
import { openPullRequest } from './open-pull-request.ts';

const permissions: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
/** Below and at the limits of each rule. */
const anyone = onlyOf(permissions, ['none', 'admin']);
const aroundWrite = onlyOf(permissions, ['triage', 'write']);
const aroundTriage = onlyOf(permissions, ['read', 'triage', 'write']);
const canTriage: readonly Permission[] = ['triage', 'write', 'maintain', 'admin'];
const canWrite: readonly Permission[] = ['write', 'maintain', 'admin'];

export function describeForgeCodePermissions(getWorld: () => ForgeWorld): void {
  describe('people and code', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    const actingAs = (permission: Permission): Forge => world.forgeAs(world.actors[permission]);

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
    });

    async function expectOnly(isAllowed: boolean, work: Promise<unknown>): Promise<void> {
      if (isAllowed) await work;
      else await expectCode(work, 'forge-forbidden');
    }

    it.each(anyone)(
      'lets somebody with %s permission open, edit, talk about and close their own pull request',
      async (permission) => {
        const own = actingAs(permission);
        const { number, head } = await openPullRequest(world, { by: own, isDraft: true });
        await own.editPullRequest(repository, number, { title: 'Better', body: 'More', isDraft: false });
        const comment = await own.createComment(repository, number, 'Done.');
        await own.updateComment(repository, comment.id, 'Really done.');
        await own.addReaction(repository, { kind: 'issue', number }, 'rocket');
        await own.createCommitComment(repository, head.sha, 'Here it is.');
        await own.editPullRequest(repository, number, { state: 'closed' });
        expect(await forge.getPullRequest(repository, number)).toMatchObject({
          title: 'Better',
          isDraft: false,
          state: 'closed',
          author: world.actors[permission],
        });
      },
    );

    it.each(anyone)('lets somebody with %s permission review what others brought', async (permission) => {
      const { number, head } = await openPullRequest(world, { by: world.forgeAs(world.bot) });
      const review = { commit: head.sha, decision: 'approve', body: '', comments: [] } as const;
      expect(await actingAs(permission).createReview(repository, number, review)).toMatchObject({
        state: 'approved',
        author: world.actors[permission],
      });
    });

    it.each(aroundWrite)(
      'lets somebody with %s permission make and delete branches and set statuses only from write on',
      async (permission) => {
        const actor = actingAs(permission);
        const isAllowed = canWrite.includes(permission);
        const tip = world.git.commit('topic', { 'a.txt': 'a\n' });
        await expectOnly(isAllowed, actor.createBranch(repository, 'new', tip));
        expect((await forge.getBranch(repository, 'new')) !== null).toBe(isAllowed);
        const status = { name: 'ci', state: 'success', description: '' } as const;
        await expectOnly(isAllowed, actor.setStatus(repository, tip, status));
        expect(await forge.listChecks(repository, tip)).toHaveLength(isAllowed ? 1 : 0);
        await expectOnly(isAllowed, actor.deleteBranch(repository, 'topic', tip));
        expect((await forge.getBranch(repository, 'topic')) === null).toBe(isAllowed);
      },
    );

    it.each(aroundWrite)(
      'lets somebody with %s permission bring up to date and merge only from write on',
      async (permission) => {
        const actor = actingAs(permission);
        const isAllowed = canWrite.includes(permission);
        const { number, head } = await openPullRequest(world, { by: world.forgeAs(world.bot) });
        const base = world.git.commit('main', { 'meanwhile.txt': 'x\n' });
        await expectOnly(isAllowed, actor.updateBranch(repository, number, head.sha));
        const { head: now } = await forge.getPullRequest(repository, number);
        expect(now.sha === head.sha).toBe(!isAllowed);
        const merge = { head: now.sha, title: 'T', body: '' };
        await expectOnly(isAllowed, actor.mergePullRequest(repository, number, merge));
        expect(world.git.resolve('refs/heads/main') === base).toBe(!isAllowed);
        expect((await forge.getPullRequest(repository, number)).state).toBe(isAllowed ? 'merged' : 'open');
      },
    );

    it.each(aroundTriage)(
      "lets somebody with %s permission close others' pull requests from triage on, and rewrite them from write on",
      async (permission) => {
        const actor = actingAs(permission);
        const { number } = await openPullRequest(world, { by: world.forgeAs(world.bot) });
        const edit = (change: Parameters<Forge['editPullRequest']>[2]) =>
          actor.editPullRequest(repository, number, change);
        await expectOnly(canWrite.includes(permission), edit({ title: 'Mine now' }));
        await expectOnly(canWrite.includes(permission), edit({ isDraft: true }));
        await expectOnly(canTriage.includes(permission), edit({ state: 'closed' }));
        await expectOnly(canTriage.includes(permission), edit({ state: 'open' }));
        const label = { addLabels: ['risk'], addAssignees: [world.actors.write] };
        await expectOnly(canTriage.includes(permission), actor.editIssue(repository, number, label));
        expect(await forge.getPullRequest(repository, number)).toMatchObject({
          title: canWrite.includes(permission) ? 'Mine now' : 'A change',
          isDraft: canWrite.includes(permission),
          state: 'open',
          labels: canTriage.includes(permission) ? ['risk'] : [],
        });
      },
    );

    it.each(aroundWrite)(
      "lets somebody with %s permission change others' comments only from write on",
      async (permission) => {
        const { number } = await forge.createIssue(repository, { title: 'T', body: '', labels: [] });
        const comment = await world.forgeAs(world.bot).createComment(repository, number, 'Theirs');
        const change = actingAs(permission).updateComment(repository, comment.id, 'Mine now');
        await expectOnly(canWrite.includes(permission), change);
        const [after] = await forge.listComments(repository, number);
        expect(after?.body).toBe(canWrite.includes(permission) ? 'Mine now' : 'Theirs');
        expect(after?.author).toBe(world.bot);
      },
    );
  });
}
