/** GitHub is many machines: what was made a moment ago is refused for a while, and that must not stop paid work. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewrightError } from '../../src/errors.ts';
import { lateMerges, lateOpenings, lateUpdates, notThereYet } from '../support/github-faults.ts';
import { rejectedCode } from '../support/thrown-code.ts';
import { actors } from './forge-world.ts';
import { type GithubWorld, makeGithubWorld, openForge, tokenOf } from './github-world.ts';
import { openPullRequest } from './open-pull-request.ts';

let world: GithubWorld;
let head: string;

beforeEach(async () => {
  world = await makeGithubWorld();
  const ready = await openPullRequest(world, { branch: 'ready', files: { 'r.txt': 'r\n' } });
  head = ready.head.sha;
  world.git.commit('fresh', { 'f.txt': 'f\n' });
  world.git.commit('main', { 'meanwhile.txt': 'm\n' });
  world.server.requests.length = 0;
});
afterEach(() => world.close());

const open = () =>
  world.forge.createPullRequest(world.repository, { title: 'New', body: '', head: 'fresh', base: 'main' });
const merge = () => world.forge.mergePullRequest(world.repository, 1, { head, title: 'Merged', body: '' });
const update = () => world.forge.updateBranch(world.repository, 1, head);
const caught = async (work: Promise<unknown>): Promise<GatewrightError> => {
  const error = await work.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(GatewrightError);
  return error as GatewrightError;
};
const sent = (method: string, path: RegExp) =>
  world.server.requests.filter((request) => request.method === method && path.test(request.path)).length;
const opened = () => world.stored.issues.filter(({ title }) => title === 'New').length;
const merges = () => Number(world.git.run('rev-list', '--count', 'main')) - 2;

describe('opening a pull request right after a push', () => {
  it.each(Object.entries(lateOpenings))('is tried again: %s', async (_, fault) => {
    world.server.faults.push({ ...fault, times: 2 });
    expect(await open()).toMatchObject({ number: 2 });
    expect(opened()).toBe(1);
    expect(sent('POST', /\/pulls$/u)).toBe(3);
  });

  it.each(Object.entries(lateOpenings))('is put off when it lasts: %s', async (_, fault) => {
    world.server.faults.push({ ...fault, times: 6 });
    const error = await caught(open());
    expect(error).toMatchObject({ code: 'forge-lagging', retry: 'later' });
    const wait = Date.parse(error.until ?? '') - Date.now();
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60_000);
    expect(sent('POST', /\/pulls$/u)).toBe(6);
    expect(await open()).toMatchObject({ number: 2 });
    expect(opened()).toBe(1);
  });

  it('is refused when there is nothing on the branch, or no branch, however long one waits', async () => {
    world.git.run('branch', 'empty', 'main');
    const from = (branch: string) =>
      world.forge.createPullRequest(world.repository, { title: 'T', body: '', head: branch, base: 'main' });
    expect(await rejectedCode(from('empty'))).toBe('forge-rejected');
    expect(await rejectedCode(from('nowhere'))).toBe('forge-rejected');
  });

  it('is refused at once for what no waiting changes', async () => {
    const body = { message: 'Validation Failed', errors: [{ field: 'title', code: 'missing_field' }] };
    world.server.faults.push({ method: 'POST', path: /\/pulls$/u, answer: { status: 422, body } });
    expect(await rejectedCode(open())).toBe('forge-rejected');
    expect(sent('POST', /\/pulls$/u)).toBe(1);
  });
});

describe('merging while GitHub is still thinking', () => {
  it.each(Object.entries(lateMerges))('is tried again: %s', async (_, fault) => {
    world.server.faults.push({ ...fault, times: 2 });
    expect(await merge()).toEqual({ commit: world.git.resolve('refs/heads/main') });
    expect(merges()).toBe(1);
  });

  it.each(Object.entries(lateMerges))('is put off when it lasts: %s', async (_, fault) => {
    world.server.faults.push({ ...fault, times: 6 });
    expect(await caught(merge())).toMatchObject({ code: 'forge-lagging', retry: 'later' });
    expect(merges()).toBe(0);
    await merge();
    expect(merges()).toBe(1);
  });

  it('does not merge onto a base that really moved', async () => {
    const base = world.git.resolve('refs/heads/main') ?? '';
    world.server.faults.push({
      ...(lateMerges['base modified'] ?? {}),
      onHit: () => void world.git.commit('main', { 'other.txt': 'o\n' }),
    });
    const work = world.forge.mergePullRequest(world.repository, 1, { head, title: 'T', body: '', base });
    expect(await rejectedCode(work)).toBe('head-moved');
    expect(sent('PUT', /\/merge$/u)).toBe(1);
  });

  it('believes that it is not mergeable when a rule blocks it', async () => {
    const { answer } = lateMerges['not mergeable yet'] ?? {};
    const pull = await fetch(`${world.server.url}/repos/acme/project/pulls/1`, {
      headers: { authorization: `Bearer ${tokenOf(actors.admin)}` },
    });
    const body = { ...((await pull.json()) as object), mergeable: true, mergeable_state: 'blocked' };
    world.server.faults.push(
      { method: 'PUT', path: /\/merge$/u, ...(answer === undefined ? {} : { answer }) },
      { method: 'GET', path: /\/pulls\/1$/u, answer: { status: 200, body } },
    );
    expect(await rejectedCode(merge())).toBe('merge-refused');
  });
});

describe('bringing a branch up to date while GitHub is still thinking', () => {
  it.each(Object.entries(lateUpdates))('is tried again: %s', async (_, fault) => {
    world.server.faults.push({ ...fault, times: 2 });
    expect((await update()).head).toBe(world.git.resolve('refs/heads/ready'));
    expect(world.git.resolve('refs/heads/ready')).not.toBe(head);
  });

  it.each(Object.entries(lateUpdates))('is put off when it lasts: %s', async (_, fault) => {
    world.server.faults.push({ ...fault, times: 6 });
    expect(await caught(update())).toMatchObject({ code: 'forge-lagging' });
    expect(world.git.resolve('refs/heads/ready')).toBe(head);
  });

  it('is refused when somebody pushed', async () => {
    world.server.faults.push({
      ...(lateUpdates['head did not match'] ?? {}),
      onHit: () => void world.git.commit('ready', { 'r.txt': 'other\n' }),
    });
    expect(await rejectedCode(update())).toBe('head-moved');
  });
});

describe('what was made a moment ago', () => {
  it('is not taken for missing: an issue', async () => {
    const { number } = await world.forge.createIssue(world.repository, { title: 'T', body: '', labels: [] });
    const comments = /\/issues\/\d+\/comments$/u;
    world.server.faults.push({ ...notThereYet('POST', comments), times: 3 });
    await world.forge.createComment(world.repository, number, 'Words');
    expect(world.stored.issues[number - 1]?.comments).toHaveLength(1);
    expect(sent('POST', comments)).toBe(4);
  });

  it('is not taken for missing: a pull request, and what is read of it', async () => {
    const { number } = await open();
    world.server.faults.push({ ...notThereYet('GET', /\/pulls\/2$/u), times: 3 });
    expect(await world.forge.getPullRequest(world.repository, number)).toMatchObject({ number });
    world.server.faults.push({ ...notThereYet('GET', /\/pulls\/2\/files$/u), times: 3 });
    expect(await world.forge.listFiles(world.repository, number)).toHaveLength(1);
  });

  it('is not taken for missing by somebody else who hears of it', async () => {
    const other = openForge(world.server.url, { kind: 'token', token: tokenOf(actors.write) });
    world.server.faults.push({ ...notThereYet('GET', /\/issues\/1$/u), times: 2 });
    expect(await other.getIssue(world.repository, 1)).toMatchObject({ number: 1 });
  });

  it('is missing after a while, and what is older at once', async () => {
    await world.forge.getPullRequest(world.repository, 1);
    world.server.requests.length = 0;
    world.server.faults.push(notThereYet('GET', /\/pulls\/1$/u));
    expect(await rejectedCode(world.forge.getPullRequest(world.repository, 1))).toBe('forge-not-found');
    expect(sent('GET', /\/pulls\/1$/u)).toBe(1);
    expect(await rejectedCode(world.forge.getPullRequest(world.repository, 99))).toBe('forge-not-found');
    expect(sent('GET', /\/pulls\/99$/u)).toBe(3);
  });
});
