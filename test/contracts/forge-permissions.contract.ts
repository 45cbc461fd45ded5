/** The part of the forge contract about people: who may do what. The rules are GitHub's for a public repository. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge, Permission } from '../../src/ports/forge/forge.ts';
import { onlyOf } from '../support/property-runs.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld } from './forge-world.ts';

const permissions: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
/** Below and at the limits of each rule. */
const anyone = onlyOf(permissions, ['none', 'admin']);
const aroundTriage = onlyOf(permissions, ['read', 'triage']);
const aroundWrite = onlyOf(permissions, ['triage', 'write']);
const canTriage: readonly Permission[] = ['triage', 'write', 'maintain', 'admin'];
const canWrite: readonly Permission[] = ['write', 'maintain', 'admin'];

const plain = { title: 'A title', body: 'A body', labels: [] };

export function describeForgePermissions(getWorld: () => ForgeWorld): void {
  describe('people', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    const actingAs = (permission: Permission): Forge => world.forgeAs(world.actors[permission]);

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
    });

    it('knows who is asking', async () => {
      expect(await forge.whoAmI()).toBe(world.actors.admin);
      expect(await actingAs('read').whoAmI()).toBe(world.actors.read);
    });

    it.each(permissions)('tells that somebody has %s permission', async (permission) => {
      expect(await forge.permissionOf(repository, world.actors[permission])).toBe(permission);
    });

    it.each(anyone)(
      'lets somebody with %s permission open, edit and close their own issue and comment',
      async (permission) => {
        const own = actingAs(permission);
        const { number } = await own.createIssue(repository, plain);
        await own.editIssue(repository, number, { title: 'Better', body: 'More', state: 'closed' });
        await own.createComment(repository, number, 'Done.');
        expect(await forge.getIssue(repository, number)).toMatchObject({
          title: 'Better',
          body: 'More',
          state: 'closed',
          author: world.actors[permission],
        });
      },
    );

    it.each(aroundTriage)(
      'lets somebody with %s permission label and close issues only from triage on',
      async (permission) => {
        const { number } = await forge.createIssue(repository, { ...plain, labels: ['known'] });
        const other = actingAs(permission);
        for (const change of [
          { state: 'closed' },
          { addLabels: ['known'] },
          { removeLabels: ['known'] },
        ] as const) {
          const before = await forge.getIssue(repository, number);
          const edit = other.editIssue(repository, number, change);
          if (canTriage.includes(permission)) await edit;
          else {
            await expectCode(edit, 'forge-forbidden');
            expect(await forge.getIssue(repository, number)).toEqual(before);
          }
        }
      },
    );

    it.each(aroundWrite)(
      'lets somebody with %s permission rewrite what others wrote only from write on',
      async (permission) => {
        const { number } = await forge.createIssue(repository, plain);
        const other = actingAs(permission);
        for (const change of [{ title: 'Mine now' }, { body: 'Mine now' }]) {
          const edit = other.editIssue(repository, number, change);
          if (canWrite.includes(permission)) expect(await edit).toMatchObject(change);
          else await expectCode(edit, 'forge-forbidden');
        }
        if (!canWrite.includes(permission))
          expect(await forge.getIssue(repository, number)).toMatchObject(plain);
      },
    );

    it.each(aroundTriage)(
      'lets somebody with %s permission label their own issue only from triage on',
      async (permission) => {
        await forge.ensureLabel(repository, { name: 'known', colour: 'ededed', description: '' });
        const own = actingAs(permission);
        const creation = own.createIssue(repository, { ...plain, labels: ['known'] });
        if (canTriage.includes(permission)) expect((await creation).labels).toEqual(['known']);
        else {
          await expectCode(creation, 'forge-forbidden');
          expect(await forge.listIssues(repository, { state: 'all' })).toEqual([]);
          const { number } = await own.createIssue(repository, plain);
          await expectCode(own.editIssue(repository, number, { addLabels: ['known'] }), 'forge-forbidden');
          expect((await forge.getIssue(repository, number)).labels).toEqual([]);
        }
      },
    );

    it.each(aroundWrite)(
      'lets somebody with %s permission make labels only from write on',
      async (permission) => {
        const making = actingAs(permission).ensureLabel(repository, {
          name: 'new',
          colour: 'ededed',
          description: '',
        });
        if (canWrite.includes(permission)) expect(await making).toEqual({ created: true });
        else {
          await expectCode(making, 'forge-forbidden');
          expect((await forge.listLabels(repository)).map((label) => label.name)).not.toContain('new');
        }
      },
    );
  });
}
