/** The label holds for the head that it was set at: on both forges, with what they really tell of it. */
import { afterEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { recordReview, setLabel, setLabelAgain } from '../../../test/support/reviewed-pull-request.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

type World = FleetWorld | GithubFleetWorld;
let world: World;
afterEach(() => world.remove());

const settings = { GATEWRIGHT_AGENTS: 'auto-merge' };
const files = { 'base.md': 'base\n', 'src/a.ts': 'export const a = 1;\n' };

/** A commit on top of a branch of the forge, as anybody with the right makes it. */
function push(branch: string, path: string, content = 'x\n', onto = branch): string {
  if (world instanceof GithubFleetWorld) {
    if (onto !== branch) world.git('update-ref', `refs/heads/${branch}`, onto);
    // With the message of the first commit it would be the same one within a second.
    return world.stored.git.commit(branch, { [path]: content }, { message: `Write ${path}` });
  }
  const { playground } = world;
  playground.git('checkout', '--quiet', '-B', branch, onto);
  playground.write(path, content);
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', `Write ${path}`);
  const head = playground.git('rev-parse', 'HEAD');
  playground.git('checkout', '--quiet', 'main');
  return head;
}

const subjectOf = (number: number): string => `${world.repository}#${number}`;
const stateOf = async (number: number) =>
  (await (await world.look()).getPullRequest(world.repository, number)).state;
const explain = async (number: number) => (await explainNumber(world.house, world.own, number)).conditions;
/** Labels have a command where there is no page to set them on. */
const againCommand = (number: number): string =>
  world instanceof GithubFleetWorld
    ? ''
    : ['--remove-label', '--add-label']
        .map((option) => `gatewright forge pr edit ${number} ${option} auto-merge`)
        .join(' && ');
const said = async (number: number) =>
  (await (await world.look()).listComments(world.repository, number)).map(({ body }) => body);

async function ready(branch: string, path = 'docs/a.md') {
  const pull = await world.openPullRequest(branch, { [path]: 'x\n' });
  await world.catchUp();
  await setLabel(world, pull.number, 'auto-merge');
  await world.catchUp();
  expect(await stateOf(pull.number)).toBe('open');
  return pull;
}

async function review(number: number, head: string): Promise<void> {
  await recordReview(world, { number, head });
  await world.deliver(world.event('unlabeled', { number, isPullRequest: true, label: 'something' }));
}

/** What the ledger has when an agent of ours moved a branch. */
async function recordMove(
  number: number,
  effect: Extract<NewEntry, { kind: 'effect-intended' }>['data']['effect'],
  result: Extract<NewEntry, { kind: 'effect-receipted' }>['data']['result'],
  assignment: 'handed-on' | 'comment-created' = 'handed-on',
): Promise<void> {
  const { ledger, actor } = world.house;
  const common = { subject: subjectOf(number), run: 'R-move', actor } as const;
  const delivery = 'd-move';
  const request = {
    ...{ workflow: 'agent', agent: 'implementer', delivery, number, dryRun: false },
  } as Extract<NewEntry, { kind: 'run-started' }>['data']['request'];
  const event = await ledger.putText('{}');
  await ledger.append([
    {
      ...common,
      run: '',
      kind: 'event-received',
      key: delivery,
      data: { kind: assignment, actor: 'alice', event },
    },
    { ...common, run: '', kind: 'event-settled', key: delivery, data: { runs: ['R-move'] } },
    { ...common, kind: 'run-started', data: { request } },
    { ...common, kind: 'effect-intended', key: 'R-move/move#1', data: { effect, dryRun: false } },
    { ...common, kind: 'effect-receipted', key: 'R-move/move#1', data: { result, found: false } },
    {
      ...common,
      kind: 'run-ended',
      data: { reason: { code: 'done', message: 'done', owner: 'nobody' }, result: null },
    } as never,
  ]);
}

describe.each([
  ['the local forge', FleetWorld],
  ['GitHub', GithubFleetWorld],
] as const)('on %s', (_, kind) => {
  const open = async (): Promise<void> => {
    world = await kind.open(files, settings);
  };

  it('merges what a person set it for', async () => {
    await open();
    const { number, head } = await ready('topic');
    await review(number, head);
    expect(await stateOf(number)).toBe('merged');
    expect(await said(number)).toEqual([]);
  });

  it('does not cover what is pushed later, tells it once, and is given again', async () => {
    await open();
    const { number, head } = await ready('topic');
    await review(number, push('topic', 'docs/b.md'));
    await review(number, push('topic', 'docs/c.md'));
    expect(await stateOf(number)).toBe('open');
    const words = `"auto-merge" was set at ${head.slice(0, 12)}, and holds for that commit only: newer commits were pushed`;
    expect(await explain(number)).toContainEqual({
      what: words,
      who: 'a person with write permission',
      command: againCommand(number),
      how: 'look at what was pushed, then remove the label and set it again',
    });
    const [comment, ...others] = await said(number);
    expect(comment).toContain('holds for that commit only');
    expect(others).toEqual([]);
    await setLabelAgain(world, number, 'auto-merge');
    await world.catchUp();
    expect(await stateOf(number)).toBe('merged');
    expect(await said(number)).toHaveLength(1);
  });

  it('does not cover another base, tells it, and holds again for the base that it was set for', async () => {
    await open();
    const { number, head } = await ready('topic');
    world.git('branch', 'release', 'main');
    const forge = await world.as('alice');
    await forge.editPullRequest(world.repository, number, { base: 'release' });
    await recordReview(world, { number, head }, { base: 'release' });
    await world.deliver(world.event('pull-request-retargeted', { number, head, base: 'release' }));
    expect(await stateOf(number)).toBe('open');
    const words =
      '"auto-merge" was set for the base main, and holds for that base only: the base is release now';
    expect(await explain(number)).toContainEqual({
      what: words,
      who: 'a person with write permission',
      command: againCommand(number),
      how: 'look at what it changes on the new base, then remove the label and set it again',
    });
    expect((await said(number)).join()).toContain('holds for that base only');
    await setLabelAgain(world, number, 'auto-merge');
    await world.catchUp();
    expect(await stateOf(number)).toBe('merged');
  });

  it('does not cover what takes its place, also not with the same files; the commit itself it does', async () => {
    await open();
    const { number, head } = await ready('topic');
    await review(number, push('topic', 'docs/a.md', 'x\n', 'main'));
    expect((await explain(number)).map(({ what }) => what).join()).toContain('holds for that commit only');
    expect(await stateOf(number)).toBe('open');
    if (world instanceof GithubFleetWorld) world.git('update-ref', 'refs/heads/topic', head);
    else world.git('branch', '--force', 'topic', head);
    await review(number, head);
    expect(await stateOf(number)).toBe('merged');
  });

  it('is not given by an account that may not, whatever was given before', async () => {
    await open();
    const pull = await ready('topic');
    await world.as('mallory', 'write');
    await setLabelAgain(world, pull.number, 'auto-merge', 'mallory');
    await (await world.as('mallory', 'triage')).whoAmI();
    await review(pull.number, pull.head);
    expect(await stateOf(pull.number)).toBe('open');
    expect((await explain(pull.number)).map(({ what }) => what)).toContain(
      '"auto-merge" was set by an account without permission',
    );
  });

  it('is carried on by a correction of ours, and by nothing that others do after it', async () => {
    await open();
    const { number, head } = await ready('topic');
    const fixed = push('topic', 'docs/b.md');
    const effect = {
      kind: 'push-branch',
      repository: world.repository,
      branch: 'topic',
      commit: fixed,
    } as const;
    await recordMove(number, { ...effect, expected: head }, { commit: fixed });
    const later = push('topic', 'docs/c.md');
    await review(number, later);
    expect(await stateOf(number)).toBe('open');
    if (world instanceof GithubFleetWorld) world.git('update-ref', 'refs/heads/topic', fixed);
    else world.git('branch', '--force', 'topic', fixed);
    await review(number, fixed);
    expect(await stateOf(number)).toBe('merged');
  });

  it.each([
    ['package.json', 'handed-on'],
    ['.github/workflows/a.yml', 'handed-on'],
    ['docs/b.md', 'comment-created'],
  ] as const)('is not carried on by a push of ours of %s after "%s"', async (path, assignment) => {
    await open();
    const { number, head } = await ready('topic');
    const pushed = push('topic', path);
    const effect = {
      kind: 'push-branch',
      repository: world.repository,
      branch: 'topic',
      commit: pushed,
    } as const;
    await recordMove(number, { ...effect, expected: head }, { commit: pushed }, assignment);
    await review(number, pushed);
    expect(await stateOf(number)).toBe('open');
    expect((await said(number)).join()).toContain('holds for that commit only');
  });

  it('is not carried on by an update of ours that brought more than the base', async () => {
    await open();
    const { number, head } = await ready('topic');
    const base = push('main', 'docs/base.md');
    const repository = world instanceof GithubFleetWorld ? world.stored.git : null;
    const run = (...args: string[]): string =>
      repository === null ? world.git(...args) : repository.run(...args);
    // As git would merge, but with a file of somebody else's in it.
    const evil = push('evil', 'docs/evil.md', 'x\n', head);
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
    const merge = run(...identity, 'commit-tree', '-p', head, '-p', base, '-m', 'Merge', `${evil}^{tree}`);
    run('update-ref', 'refs/heads/topic', merge);
    const effect = { kind: 'update-branch', repository: world.repository, number, head } as const;
    await recordMove(number, effect, { head: merge });
    await review(number, merge);
    expect(await stateOf(number)).toBe('open');
    expect((await explain(number)).map(({ what }) => what).join()).toContain('holds for that commit only');
  });

  it.each(['.github/workflows/ci.yml', 'CLAUDE.md', '.travis.yml', '.codex/config.toml'])(
    'does not let %s be merged, whoever set it; told once',
    async (path) => {
      await open();
      const { number, head } = await ready('topic', path);
      await review(number, head);
      await review(number, head).catch(() => undefined);
      await world.deliver(world.event('unlabeled', { number, isPullRequest: true, label: 'x' }));
      expect(await stateOf(number)).toBe('open');
      expect(await explain(number)).toContainEqual({
        what: `it has to be merged by hand, no matter who set the label: It changes what steers builds or agents: ${path}`,
        who: 'a person with write permission',
        command: '',
        how: 'merge it by hand',
      });
      expect(await said(number)).toHaveLength(1);
    },
  );

  it('is a person’s decision about what asks a person', async () => {
    await open();
    const { number, head } = await ready('topic', 'package.json');
    await review(number, head);
    expect(await stateOf(number)).toBe('merged');
  });
});

it('is not given where GitHub did not tell at which head: told once, and given by setting it again', async () => {
  world = await GithubFleetWorld.open(files, settings);
  const pull = await world.openPullRequest('topic', { 'docs/a.md': 'x\n' });
  await world.inThePast(1, (alice) =>
    alice.editIssue(world.repository, pull.number, { addLabels: ['auto-merge'] }),
  );
  // Nobody listened then.
  await review(pull.number, pull.head);
  expect(await stateOf(pull.number)).toBe('open');
  expect((await explain(pull.number)).map(({ what }) => what)).toContain(
    'it is not known at which commit "auto-merge" was set',
  );
  expect(await said(pull.number)).toHaveLength(1);
  await setLabelAgain(world, pull.number, 'auto-merge');
  await world.catchUp();
  expect(await stateOf(pull.number)).toBe('merged');
});
