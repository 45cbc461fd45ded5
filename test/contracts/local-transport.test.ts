/** The local forge passes the transport contract; and what is particular to it: what people have checked out. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectCode } from './expect-code.ts';
import { type LocalWorld, makeLocalWorld } from './local-world.ts';
import { describeTransport } from './transport.contract.ts';

describeTransport('LocalForge', async () => {
  const world = await makeLocalWorld({ isOnDisk: true });
  const { actors, repository } = world;
  return {
    ...world,
    transport: world.forgeAs(actors.write).transport,
    transportAs: (actor) => world.forgeAs(actor).transport,
    clone: world.git,
    childArguments: ['local', world.file, repository, actors.write],
  };
});

describe('LocalForge as a transport', () => {
  let world: LocalWorld;

  beforeEach(async () => {
    world = await makeLocalWorld();
  });
  afterEach(() => world.close());

  it('never moves a branch under the feet of somebody who has it checked out', async () => {
    const start = world.git.resolve('main') ?? '';
    const next = world.git.commit('next', { 'a.txt': 'a\n' });
    world.git.run('checkout', '--quiet', '-b', 'mine', 'main');
    const { transport } = world.forge;
    const push = { branch: 'mine', commit: next, expected: start };
    await expectCode(transport.pushBranch(world.repository, push), 'push-refused');
    world.git.run('worktree', 'add', '--quiet', `${world.git.folder}-other`, 'main');
    await expectCode(transport.pushBranch(world.repository, { ...push, branch: 'main' }), 'push-refused');
    expect([world.git.resolve('mine'), world.git.resolve('main')]).toEqual([start, start]);
    expect(world.git.run('status', '--porcelain')).toBe('');
    // It is there already: nothing has to move.
    await transport.pushBranch(world.repository, { ...push, commit: start, expected: null });
    world.git.run('checkout', '--quiet', '--detach');
    await transport.pushBranch(world.repository, push);
    expect(world.git.resolve('mine')).toBe(next);
  });

  it('says which branch stands in the way of a name', async () => {
    const commit = world.git.resolve('main') ?? '';
    const push = (branch: string) =>
      world.forge.transport.pushBranch(world.repository, { branch, commit, expected: null });
    await expectCode(push('main/deeper'), 'forge-rejected');
    await push('work/a/b');
    await expectCode(push('work'), 'forge-rejected');
  });
});
