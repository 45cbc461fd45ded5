/**
 * Pull requests of ours that conflict with their base: brought up to date, scanned, checked and reviewed again; at the
 * limit a person is called. Real git merges, a recorded coding agent.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  codesOf,
  done,
  fixed,
  goodSteps,
  ImplementerWorld,
  messagesOf,
  type Work,
} from '../../../test/support/implementer-world.ts';

let world: ImplementerWorld;
let issue = 0;
let pull = 0;
afterEach(() => world.remove());
beforeEach(async () => {
  world = await ImplementerWorld.open([{ steps: goodSteps }]);
  issue = (await world.order()).number;
  pull = (await world.pulls())[0]?.number ?? 0;
});

/** What the base does to the same lines. */
const theirs = 'export function sum(a, b) {\n  return a - b - 0;\n}\n';
const both = 'export function sum(a, b) {\n  return a + b + 0;\n}\n';

const merge = (call: number, more: Work = {}): Work => ({
  ...{ role: 'merger', call, includes: ['BEGIN', 'src/sum.mjs (contents)'] },
  steps: [{ write: 'src/sum.mjs', content: both }],
  ...more,
});

async function headOf(number = pull): Promise<string> {
  return (await (await world.as('alice')).getPullRequest(world.repository, number)).head.sha;
}

function moveBase(content = theirs, path = 'src/sum.mjs'): string {
  world.fleet.commitToMain({ [path]: content });
  return world.git('rev-parse', 'main');
}

function update(number = pull) {
  const from = { actor: world.fleet.own, actorKind: 'bot', from: 'R' } as const;
  return world.deliver('handed-on', { number, to: 'implementer', task: 'update', ...from });
}

describe('a pull request of ours that conflicts with its base', () => {
  it('gets the base merged in, with the conflict settled, checked, told and handed to the reviewer', async () => {
    await world.play([merge(1, { includes: ['sum subtracts', '<<<<<<<'].slice(0, 1) })]);
    const before = await headOf();
    const base = moveBase();
    const outcomes = await update();
    const head = await headOf();
    expect(messagesOf(outcomes)).toEqual([`#${pull} was brought up to date with ${head.slice(0, 12)}`]);
    expect(world.git('rev-parse', `${head}^1`)).toBe(before);
    expect(world.git('rev-parse', `${head}^2`)).toBe(base);
    expect(world.git('show', `${head}:src/sum.mjs`)).toBe(both.trimEnd());
    expect(world.git('log', '-1', '--format=%B', head)).toContain('- src/sum.mjs');
    expect(outcomes[0]?.outcomes[0]?.handoffs).toEqual([{ to: 'reviewer', task: 'start', number: pull }]);
    const [said = '', ...more] = await world.said(pull);
    expect(more).toEqual([]);
    expect(said).toContain('It merges `main` in and settles these conflicts:\n\n- `src/sum.mjs`');
    expect(said).toContain('**passed**');
    expect((await world.entries(pull, 'command-verified')).at(-1)?.data.commit).toBe(head);
    expect((await world.entries(pull, 'conflict-met'))[0]?.data).toEqual({
      ...{ number: pull, head: before, base, paths: ['src/sum.mjs'] },
    });
    expect(await world.labels(pull)).toEqual(['auto-merge']);
  });

  it('is found when another pull request is merged, and not when it fits', async () => {
    await world.play([merge(1)]);
    const other = await world.fleet.openPullRequest('other', { 'src/sum.mjs': theirs });
    const alice = await world.as('alice');
    const merged = await alice.mergePullRequest(world.repository, other.number, {
      ...{ head: other.head, title: 'other', body: '' },
    });
    world.git('reset', '--quiet', '--hard', merged.commit);
    const closed = { number: other.number, head: other.head, isMerged: true } as const;
    const outcomes = await world.deliver('pull-request-closed', closed);
    const head = await headOf();
    expect(messagesOf(outcomes)).toEqual([
      `#${other.number} was merged; #${pull} conflicts with it`,
      `#${pull} was brought up to date with ${head.slice(0, 12)}`,
    ]);
    expect(messagesOf(await world.deliver('pull-request-closed', closed))).toEqual([
      `#${other.number} was merged; no pull request of ours conflicts with it`,
    ]);
    // It is no order: counts go on from the order on the issue.
    expect(await world.entries(other.number, 'limit-reached')).toEqual([]);
  });

  it('is found after a push to its base without a pull request, once for several pushes', async () => {
    await world.play([merge(1)]);
    moveBase('x\n', 'other.txt');
    const tip = moveBase();
    const push = () => world.deliver('base-pushed', { branch: 'main', head: tip });
    const outcomes = await push();
    const head = await headOf();
    expect(messagesOf(outcomes)).toEqual([
      `main is at ${tip.slice(0, 12)}; #${pull} conflicts with it`,
      `#${pull} was brought up to date with ${head.slice(0, 12)}`,
    ]);
    expect(messagesOf(await push())).toEqual([`main at ${tip.slice(0, 12)} was looked at before`]);
    const next = moveBase('y\n', 'other.txt');
    expect(messagesOf(await world.deliver('base-pushed', { branch: 'main', head: next }))).toEqual([
      `main is at ${next.slice(0, 12)}; no pull request of ours conflicts with it`,
    ]);
  });

  it('is found by the event feed when a person pushes to its base', async () => {
    await world.play([merge(1)]);
    moveBase();
    await world.fleet.catchUp();
    const head = await headOf();
    expect(world.git('show', `${head}:src/sum.mjs`)).toBe(both.trimEnd());
    expect(await world.entries(pull, 'conflict-met')).toHaveLength(1);
  });

  it('is left alone when it does not conflict', async () => {
    await world.play([]);
    moveBase('x\n', 'other.txt');
    const before = await headOf();
    expect(messagesOf(await update())).toEqual([`#${pull} does not conflict with main`]);
    expect(await headOf()).toBe(before);
    expect(await world.said(pull)).toEqual([]);
  });

  it('is not pushed while a marker is left, and a person is called at the limit, once', async () => {
    const lazy = { steps: [{ write: 'notes.txt', content: 'x\n' }] };
    await world.play([merge(1, lazy), merge(2, { ...lazy, outcome: { turnsExhausted: true } }), merge(3)]);
    const before = await headOf();
    moveBase();
    const outcomes = await update();
    expect(messagesOf(outcomes)).toEqual([
      `the conflicts of #${pull} with main are not settled; it is tried again (1 of 2)`,
      `#${pull} was brought up to date 2 times and conflicts with main; a person is needed`,
    ]);
    expect(await headOf()).toBe(before);
    expect(await world.labels(pull)).toEqual(['needs-review']);
    const [said = '', ...more] = await world.said(pull);
    expect(more).toEqual([]);
    expect(said).toContain('@alice This pull request conflicts with `main` again after 2 attempts');
    expect(said).toContain('- `src/sum.mjs`');
    expect(await world.said(issue)).toEqual([expect.stringContaining(`#${pull}`)]);
    expect((await world.entries(pull, 'limit-reached')).map(({ data }) => data.what)).toEqual(['conflict']);
    const waiting = await world.fleet.house.views.listWaiting();
    expect(waiting).toMatchObject([{ subject: `${world.repository}#${pull}`, what: 'conflict' }]);
    // Told once.
    await update();
    expect(await world.said(pull)).toHaveLength(1);
    // An order goes on, with what is asked for, on top of the newest base.
    await world.play([merge(3, { includes: ['src/sum.mjs (contents)', 'keep both'] })]);
    await world.say(pull, '@claude please keep both', { isPullRequest: true });
    const head = await headOf();
    expect(world.git('rev-parse', `${head}^2`)).toBe(world.git('rev-parse', 'main'));
    expect(await world.fleet.house.views.listWaiting()).toEqual([]);
  });

  it('conflicts again after it was settled twice: then a person is needed', async () => {
    await world.play([merge(1), merge(2)]);
    for (const round of [1, 2]) {
      moveBase(theirs.replace('- 0', `- 0 - ${round}`));
      await update();
    }
    const head = await headOf();
    moveBase(theirs.replace('- 0', '- 0 - 3'));
    expect(messagesOf(await update())).toEqual([
      `#${pull} was brought up to date 2 times and conflicts with main; a person is needed`,
    ]);
    expect(await headOf()).toBe(head);
  });

  it('goes through the same scans as all work: secrets, links and steering files do not get in', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await world.play([merge(1, { steps: [{ write: 'src/sum.mjs', content: `${fixed}// ${token}\n` }] })]);
    const before = await headOf();
    moveBase();
    expect(codesOf(await update())).toEqual(['work-has-secret']);
    expect(await headOf()).toBe(before);
    expect((await world.said(pull))[0]).not.toContain(token);
    await world.play([
      merge(2, {
        steps: [
          { write: 'src/sum.mjs', content: both },
          { write: '.github/workflows/ci.yml', content: 'on: push\n' },
          { write: 'CLAUDE.md', content: 'obey\n' },
        ],
      }),
    ]);
    await update();
    const head = await headOf();
    expect(head).not.toBe(before);
    expect(world.git('ls-tree', '-r', '--name-only', head).split('\n')).not.toContain('CLAUDE.md');
    expect((await world.said(pull)).at(-1)).toContain('`CLAUDE.md`');
    expect(await world.labels(pull)).toEqual(['needs-review']);
  });

  it('does not bring in what the branch itself could not: the whole is scanned against the base', async () => {
    // A person pushed a secret onto the branch; settling a conflict must not carry it on as work of ours.
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const { branch } = (await world.pulls())[0]?.head ?? { branch: '' };
    world.git('checkout', '--quiet', branch);
    world.fleet.playground.commit({ 'config.txt': `${token}\n` });
    world.git('checkout', '--quiet', 'main');
    await (await world.as('alice')).getPullRequest(world.repository, pull);
    await world.play([merge(1)]);
    const before = await headOf();
    moveBase();
    expect(codesOf(await update())).toEqual(['work-has-secret']);
    expect(await headOf()).toBe(before);
  });

  it('is left to a person where a file steers builds, is binary or is no ordinary file; told once for a head', async () => {
    await world.play([]);
    const { branch } = (await world.pulls())[0]?.head ?? { branch: '' };
    world.git('checkout', '--quiet', branch);
    world.fleet.playground.commit({ 'CLAUDE.md': 'ours\n', 'a.bin': '\0ours' });
    world.git('checkout', '--quiet', 'main');
    world.fleet.commitToMain({ 'CLAUDE.md': 'theirs\n', 'a.bin': '\0theirs' });
    const outcomes = [...(await update()), ...(await update())];
    expect(codesOf(outcomes)).toEqual(['conflict-by-hand', 'conflict-by-hand']);
    const [said = '', ...more] = await world.said(pull);
    expect(more).toEqual([]);
    expect(said).toContain('@alice This pull request conflicts with `main`, and a person has to settle it');
    expect(said).toContain('- `CLAUDE.md: it steers builds or agents`');
    expect(said).toContain('- `a.bin: it is a binary file`');
    expect(await world.labels(pull)).toEqual(['auto-merge']);
  });

  it('keeps or deletes what one side deleted, as the agent leaves it', async () => {
    await world.deleteOnMain('old.txt');
    await world.play([
      merge(1, { includes: ['old.txt (modify/delete)'], steps: [{ delete: 'old.txt' }], outcome: done() }),
    ]);
    await update();
    expect(world.git('ls-tree', '-r', '--name-only', await headOf())).not.toContain('old.txt');
  });
});
