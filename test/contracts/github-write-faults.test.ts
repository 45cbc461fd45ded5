/** Every kind of write on a bad line: sent once, never inside a wait, and what was done is there once, answer or not. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleOf } from '../support/crash-everywhere.ts';
import type { Fault } from '../support/github-fault.ts';
import { rejectedCode } from '../support/thrown-code.ts';
import { type GithubWorld, makeGithubWorld } from './github-world.ts';
import { openPullRequest } from './open-pull-request.ts';

let world: GithubWorld;
let head: string;

beforeEach(async () => {
  world = await makeGithubWorld();
  // Number 1 is a draft, 2 can be merged, 3 is an issue with a comment.
  const draft = await openPullRequest(world, { branch: 'draft', files: { 'd.txt': 'd\n' }, isDraft: true });
  const ready = await openPullRequest(world, { branch: 'ready', files: { 'r.txt': 'r\n' } });
  expect([draft.number, ready.number]).toEqual([1, 2]);
  head = ready.head.sha;
  const issue = await world.forge.createIssue(world.repository, { title: 'T', body: '', labels: [] });
  await world.forge.createComment(world.repository, issue.number, 'Words');
  world.git.commit('fresh', { 'f.txt': 'f\n' });
  world.git.commit('main', { 'meanwhile.txt': 'm\n' });
  world.server.requests.length = 0;
});
afterEach(() => world.close());

interface Write {
  readonly method: string;
  readonly path: RegExp;
  readonly send: () => Promise<unknown>;
  /** How often it was done. */
  readonly count: () => number;
}

const issues = () => world.stored.issues;
const pull = (number: number) => issues()[number - 1]?.pull;
const merges = () => Number(world.git.run('rev-list', '--count', 'main')) - 2;

const writes: Readonly<Record<string, () => Write>> = {
  'opening a pull request': () => ({
    method: 'POST',
    path: /\/pulls$/u,
    send: () =>
      world.forge.createPullRequest(world.repository, {
        title: 'New',
        body: '',
        head: 'fresh',
        base: 'main',
      }),
    count: () => issues().filter(({ title }) => title === 'New').length,
  }),
  merging: () => ({
    method: 'PUT',
    path: /\/merge$/u,
    send: () => world.forge.mergePullRequest(world.repository, 2, { head, title: 'Merged', body: '' }),
    count: merges,
  }),
  'bringing a branch up to date': () => ({
    method: 'PUT',
    path: /\/update-branch$/u,
    send: () => world.forge.updateBranch(world.repository, 2, head),
    count: () => world.stored.later.length + (world.git.resolve('refs/heads/ready') === head ? 0 : 1),
  }),
  reviewing: () => ({
    method: 'POST',
    path: /\/reviews$/u,
    send: () =>
      world.forge.createReview(world.repository, 2, {
        commit: head,
        decision: 'approve',
        body: 'Good',
        comments: [{ path: 'r.txt', line: 1, body: 'Nice' }],
      }),
    count: () => (pull(2)?.reviews.length ?? 0) && (pull(2)?.reviewComments.length ?? 0),
  }),
  commenting: () => ({
    method: 'POST',
    path: /\/issues\/3\/comments$/u,
    send: () => world.forge.createComment(world.repository, 3, 'More words'),
    count: () => (issues()[2]?.comments.length ?? 0) - 1,
  }),
  'changing a comment': () => ({
    method: 'PATCH',
    path: /\/issues\/comments\/\d+$/u,
    send: () => world.forge.updateComment(world.repository, issues()[2]?.comments[0]?.id ?? 0, 'Other words'),
    count: () => issues()[2]?.comments.filter(({ body }) => body === 'Other words').length ?? 0,
  }),
  'setting a status': () => ({
    method: 'POST',
    path: /\/statuses\/[0-9a-f]{40}$/u,
    send: () =>
      world.forge.setStatus(world.repository, head, { name: 'ci', state: 'success', description: '' }),
    count: () => world.stored.statuses.length,
  }),
  'making a branch': () => ({
    method: 'POST',
    path: /\/git\/refs$/u,
    send: () => world.forge.createBranch(world.repository, 'new', head),
    count: () => (world.git.resolve('refs/heads/new') === null ? 0 : 1),
  }),
  'deleting a branch': () => ({
    method: 'POST',
    path: /\/graphql$/u,
    send: () =>
      world.forge.deleteBranch(world.repository, 'fresh', world.git.resolve('refs/heads/fresh') ?? 'x'),
    count: () => (world.git.resolve('refs/heads/fresh') === null ? 1 : 0),
  }),
  'ending a draft': () => ({
    method: 'POST',
    path: /\/graphql$/u,
    send: () => world.forge.editPullRequest(world.repository, 1, { isDraft: false }),
    count: () => (pull(1)?.isDraft === false ? 1 : 0),
  }),
  'changing a pull request': () => ({
    method: 'PATCH',
    path: /\/pulls\/2$/u,
    send: () => world.forge.editPullRequest(world.repository, 2, { title: 'Changed' }),
    count: () => issues().filter(({ title }) => title === 'Changed').length,
  }),
  reacting: () => ({
    method: 'POST',
    path: /\/issues\/3\/reactions$/u,
    send: () => world.forge.addReaction(world.repository, { kind: 'issue', number: 3 }, 'eyes'),
    count: () => world.stored.reactions.get('issue 3')?.length ?? 0,
  }),
  'commenting on a commit': () => ({
    method: 'POST',
    path: /\/commits\/[0-9a-f]{40}\/comments$/u,
    send: () => world.forge.createCommitComment(world.repository, head, 'Words'),
    count: () => world.stored.commitComments.length,
  }),
  assigning: () => ({
    method: 'POST',
    path: /\/assignees$/u,
    send: () => world.forge.editIssue(world.repository, 3, { addAssignees: [world.actors.write] }),
    count: () => issues()[2]?.assignees.length ?? 0,
  }),
};

const sent = ({ method, path }: Write) =>
  world.server.requests.filter((request) => request.method === method && path.test(request.path));

describe.each(sampleOf(Object.keys(writes), 3))('%s', (name) => {
  let write: Write;
  beforeEach(() => {
    const make = writes[name];
    if (make === undefined) throw new Error(name);
    write = make();
  });

  it.each<[string, Fault, string, boolean]>([
    ['500', { answer: { status: 500 } }, 'forge-unavailable', false],
    ['a connection that broke before', { reset: 'before' }, 'forge-unavailable', false],
    ['a success whose answer was lost', { reset: 'after' }, 'forge-unavailable', true],
    [
      'a long wait',
      { answer: { status: 403, headers: { 'retry-after': '90' } } },
      'forge-rate-limited',
      false,
    ],
    ['429', { answer: { status: 429, headers: { 'retry-after': '61' } } }, 'forge-rate-limited', false],
  ])('is sent once: %s', async (_, fault, code, isDone) => {
    const { method, path } = write;
    world.server.faults.push({ method, path, ...fault });
    expect(await rejectedCode(write.send())).toBe(code);
    expect(sent(write)).toHaveLength(1);
    expect(write.count()).toBe(isDone ? 1 : 0);
    if (code !== 'forge-rate-limited') return;
    // Nothing leaves while the window is closed.
    const before = world.server.requests.length;
    expect(await rejectedCode(write.send())).toBe('forge-rate-limited');
    expect(world.server.requests).toHaveLength(before);
  });

  it('waits out a short limit, and then is done once', async () => {
    const { method, path } = write;
    const answer = { status: 403, headers: { 'retry-after': '1' } };
    world.server.faults.push({ method, path, answer });
    await write.send();
    const [refused, done, ...more] = sent(write);
    expect(more).toEqual([]);
    expect((done?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(995);
    expect(write.count()).toBe(1);
  });
});

describe('a merge whose answer was lost', () => {
  const merge = () => world.forge.mergePullRequest(world.repository, 2, { head, title: 'Merged', body: '' });
  const lose = (reset: 'before' | 'after') =>
    world.server.faults.push({ method: 'PUT', path: /\/merge$/u, reset });

  it('is found by the next call, which merges nothing', async () => {
    lose('after');
    expect(await rejectedCode(merge())).toBe('forge-unavailable');
    expect(await merge()).toEqual({ commit: world.git.resolve('refs/heads/main') });
    expect(merges()).toBe(1);
    expect(world.server.seen('PUT', '/repos/acme/project/pulls/2/merge')).toHaveLength(1);
  });

  it('is done by the next call when it had not happened', async () => {
    lose('before');
    expect(await rejectedCode(merge())).toBe('forge-unavailable');
    expect(await merge()).toEqual({ commit: world.git.resolve('refs/heads/main') });
    expect(merges()).toBe(1);
  });

  it('does not excuse one at another commit', async () => {
    lose('before');
    await rejectedCode(merge());
    world.git.commit('ready', { 'r.txt': 'not reviewed\n' });
    expect(await rejectedCode(merge())).toBe('head-moved');
    expect(merges()).toBe(0);
  });
});

describe('a merge that GitHub refuses', () => {
  const merge = () => world.forge.mergePullRequest(world.repository, 2, { head, title: 'Merged', body: '' });

  it.each([405, 409, 422])('with %i and no reason to be seen is held up by a rule', async (status) => {
    const body = { message: 'At least 1 approving review is required' };
    world.server.faults.push({ method: 'PUT', path: /\/merge$/u, answer: { status, body } });
    const caught = await merge().catch((error: Error) => error);
    expect(caught).toMatchObject({ code: 'merge-refused' });
    expect(String(caught)).toContain('approving review');
  });

  it('is not taken for one when somebody pushes to the branch meanwhile', async () => {
    world.server.faults.push({
      method: 'PUT',
      path: /\/merge$/u,
      answer: { status: 409, body: { message: 'Head branch was modified.' } },
      onHit: () => void world.git.commit('ready', { 'r.txt': 'other\n' }),
    });
    expect(await rejectedCode(merge())).toBe('head-moved');
  });
});
