/** A build that fails, explained by the workflow of the doctor: on its pull request, and on the commit where there is none. */
import { afterEach, describe, expect, it } from 'vitest';
import { chainFiles, doctorTape } from '../support/chain-world.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { people } from './host-world.ts';
import { openRealWorld, type RealWorld } from './real-world.ts';

let world: RealWorld;
afterEach(() => world.close());

const build = `name: CI
on: { pull_request: , workflow_dispatch: }
permissions: {}
jobs:
  test:
    runs-on: ubuntu-latest
    permissions: { contents: read }
    steps:
      - uses: actions/checkout@v7
      - name: Test
        run: "test ! -e broken || { echo AssertionError: expected 3, got -1; exit 1; }"
`;

const three = 'begin success, propose success, apply success';

describe.skipIf(isWithoutSandbox)('a build that fails', { timeout: 900_000 }, () => {
  it('is explained once, where people look', async () => {
    world = await openRealWorld(doctorTape, {
      files: { ...chainFiles, '.github/workflows/ci.yml': build },
      agents: ['ci-doctor'],
    });
    const { stored, host, ask } = world;
    const open = async (head: string, files: Readonly<Record<string, string>>): Promise<void> => {
      stored.git.commit(head, files, { from: 'main' });
      expect((await ask(people.alice, 'POST', '/pulls', { title: head, head, base: 'main' })).status).toBe(
        201,
      );
      await host.settle();
    };
    await open('sound', { 'a.txt': 'a\n' });
    expect(world.worked(), world.logs()).toEqual(['ci.yml pull_request: test success']);
    await open('faulty', { broken: 'yes\n' });
    const [sound, faulty] = world.pulls();
    if (sound === undefined || faulty === undefined) throw new Error(world.logs());
    expect(world.worked(2)).toEqual([
      'ci.yml pull_request: test failure',
      `ci-doctor.yml workflow_run: ${three}`,
    ]);
    expect(world.saidOn(sound)).toEqual([]);
    const said = world.saidOn(faulty);
    expect(said, world.logs()).toHaveLength(1);
    for (const part of ['A test of sum fails.', 'sum subtracts.', 'Turn the sign around'])
      expect(said[0]).toContain(part);

    // Of no pull request.
    const head = stored.git.commit('main', { broken: 'yes\n' });
    const before = host.runs.length;
    expect(
      (await ask(people.alice, 'POST', '/actions/workflows/ci.yml/dispatches', { ref: 'main' })).status,
    ).toBe(204);
    await host.settle();
    expect(world.worked(before), world.logs()).toEqual([
      'ci.yml workflow_dispatch: test failure',
      `ci-doctor.yml workflow_run: ${three}`,
    ]);
    const { body } = await ask(people.alice, 'GET', `/commits/${head}/comments`);
    const comments = (body as { readonly body: string }[]).map((one) => one.body);
    expect(comments, world.logs()).toHaveLength(1);
    expect(comments[0]).toContain('Turn the sign around');
    expect(world.saidOn(faulty)).toHaveLength(1);
    expect(host.problems).toEqual([]);
    expect(await world.onLaptop('ledger', 'verify')).toMatch(/^Sound/u);
  });
});
