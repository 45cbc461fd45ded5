/**
 * The GitHub adapter against `emulate`, a GitHub that others wrote: an independent witness, as far as it goes. Each thing
 * that it cannot do stands below with the reason. A gap that starts to pass makes its test fail, so the list stays true.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmulateWorld, makeEmulateWorld } from './emulate-world.ts';
import { expectCode } from './expect-code.ts';
import { describeForge } from './forge.contract.ts';

const noGit =
  'no git over HTTP: the contract commits with real git; see "what can be tried without git" below';
const lax = 'everybody may change everything in a public repository';

/** Topic and test, as far as it takes to name them. */
const gaps: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    /^(?:branches|pull requests|files of a pull request|reviews|merges) > /u,
    `${noGit}; files of a pull request are a stub, a conflict looks mergeable, there is no GraphQL`,
  ],
  [/^machines > /u, `${noGit}; no statuses, and no builds but its own stubs`],
  [/^people and code > .*(?:pull request|others brought|branches|merge)/u, noGit],
  [/^people and code > .*(?:none|read|triage) permission change others' comments/u, lax],
  [/^people > .*(?:none|read) permission (?:label|make labels)/u, lax],
  [/^people > .*triage permission make labels/u, lax],
  [/^people > .*(?:none|read|triage) permission rewrite/u, lax],
  [/^talk > assignees > .*(?:none|read) permission assign/u, lax],
  [
    /^talk > assignees > assigns people once/u,
    'refuses people who cannot be assigned instead of leaving them out',
  ],
  [/^talk > reactions > /u, 'no reactions'],
  [/^talk > who changed the words/u, 'no GraphQL'],
  [/^talk > label events > tells who/u, 'labels that an issue is filed with leave no event'],
  [/^talk > label events > tells nothing/u, lax],
  [
    /^labels > (?:never changes|puts a label on an issue once)/u,
    'labels that differ in case are different ones',
  ],
  [/^lists > narrows by author/u, 'labels that differ in case are different ones'],
];

describe('emulate', () => {
  beforeEach(({ task }) => {
    const names: string[] = [];
    for (let one: typeof task.suite = task.suite; one !== undefined; one = one.suite) names.unshift(one.name);
    const topics = names.filter((name) => name !== '').slice(2);
    const name = [...topics, task.name].join(' > ');
    // Turns the result around, as `it.fails` does.
    if (gaps.some(([gap]) => gap.test(name))) Object.assign(task, { fails: true });
  });

  describeForge('GithubForge', makeEmulateWorld);
});

describe('what can be tried without git', () => {
  let world: EmulateWorld;
  let start: string;

  /** A commit made by the API alone. */
  async function commit(branch: string, path: string, content: string): Promise<string> {
    const tip = (await world.forge.getBranch(world.repository, branch))?.sha ?? start;
    const tree = await world.call('POST', '/git/trees', {
      base_tree: ((await world.call('GET', `/git/commits/${tip}`)).tree as { sha: string }).sha,
      tree: [{ path, mode: '100644', type: 'blob', content }],
    });
    const made = await world.call('POST', '/git/commits', {
      message: `Change ${path}`,
      tree: tree.sha,
      parents: [tip],
    });
    const sha = String(made.sha);
    if (tip === start) await world.forge.createBranch(world.repository, branch, sha);
    else await world.call('PATCH', `/git/refs/heads/${branch}`, { sha });
    return sha;
  }

  beforeEach(async () => {
    world = await makeEmulateWorld();
    const main = await world.forge.defaultBranch(world.repository);
    start = (await world.forge.getBranch(world.repository, main))?.sha ?? '';
    expect(start).toMatch(/^[0-9a-f]{40}$/u);
  });
  afterEach(() => world.close());

  it('branches and commits', async () => {
    const { forge, repository } = world;
    const sha = await commit('topic/one', 'a.txt', 'a\n');
    expect(await forge.getBranch(repository, 'topic/one')).toEqual({ name: 'topic/one', sha });
    expect(await forge.getBranch(repository, 'topic')).toBeNull();
    expect((await forge.listBranches(repository)).map(({ name }) => name).sort()).toEqual([
      'main',
      'topic/one',
    ]);
    await expectCode(forge.createBranch(repository, 'topic/one', start), 'branch-exists');
    const commits = await forge.listCommits(repository, 'topic/one');
    expect(commits.map((one) => one.sha)).toEqual([sha, start]);
    expect(commits[0]).toMatchObject({ message: 'Change a.txt', parents: [start] });
  });

  it('a pull request from its opening to its merge', async () => {
    const { forge, repository, actors } = world;
    const sha = await commit('topic', 'a.txt', 'a\n');
    const writer = world.forgeAs(actors.write);
    const texts = { title: 'A change', body: 'Why' };
    const opened = await writer.createPullRequest(repository, { ...texts, head: 'topic', base: 'main' });
    expect(opened).toMatchObject({
      ...texts,
      state: 'open',
      isDraft: false,
      author: actors.write,
      head: { branch: 'topic', sha, repository },
      base: { branch: 'main', sha: start },
    });
    expect(await forge.listPullRequests(repository, { head: 'topic' })).toEqual([opened]);
    expect(await forge.listPullRequests(repository, { head: 'other' })).toEqual([]);
    const edited = await writer.editPullRequest(repository, opened.number, { title: 'A better change' });
    expect(edited.title).toBe('A better change');
    const review = await forge.createReview(repository, opened.number, {
      commit: sha,
      decision: 'approve',
      body: 'Good',
      comments: [],
    });
    expect(review).toMatchObject({ state: 'approved', commit: sha, author: actors.admin, body: 'Good' });
    expect(await forge.listReviews(repository, opened.number)).toEqual([review]);
    const merge = { title: 'Squashed', body: '' };
    await expectCode(
      forge.mergePullRequest(repository, opened.number, { ...merge, head: start }),
      'head-moved',
    );
    const { commit: merged } = await forge.mergePullRequest(repository, opened.number, {
      ...merge,
      head: sha,
    });
    expect(await forge.getPullRequest(repository, opened.number)).toMatchObject({
      state: 'merged',
      mergeCommit: merged,
    });
    expect((await forge.getBranch(repository, 'main'))?.sha).toBe(merged);
    await expectCode(
      forge.mergePullRequest(repository, opened.number, { ...merge, head: sha }),
      'merge-refused',
    );
  });

  it('a branch is brought up to date', async () => {
    const { forge, repository } = world;
    const sha = await commit('topic', 'a.txt', 'a\n');
    const { number } = await forge.createPullRequest(repository, {
      title: 'T',
      body: '',
      head: 'topic',
      base: 'main',
    });
    expect(await forge.updateBranch(repository, number, sha)).toEqual({ head: sha });
    await expectCode(forge.updateBranch(repository, number, start), 'head-moved');
  });

  it('comments on commits', async () => {
    const { forge, repository } = world;
    const made = await forge.createCommitComment(repository, start, 'Look');
    expect(made).toMatchObject({ body: 'Look', commit: start });
    expect(await forge.listCommitComments(repository, start)).toEqual([made]);
  });

  it('an App signs in with its key and acts under its own name', async () => {
    const { app, repository } = world;
    expect(await app.whoAmI()).toBe('gate-bot[bot]');
    expect(await app.permissionOf(repository, 'gate-bot[bot]')).toBe('write');
    const issue = await app.createIssue(repository, { title: 'T', body: '', labels: ['x'] });
    expect(issue).toMatchObject({ author: 'gate-bot[bot]', authorKind: 'bot', labels: ['x'] });
    expect(await app.listIssues(repository, { author: 'gate-bot[bot]' })).toEqual([issue]);
  });

  it('check runs', async () => {
    const { forge, repository } = world;
    await world.call('POST', '/check-runs', {
      name: 'tests',
      head_sha: start,
      status: 'completed',
      conclusion: 'failure',
      output: { title: 'It broke', summary: 'x' },
    });
    // It has no list of statuses, so that the whole is not to be had.
    await expectCode(forge.listChecks(repository, start), 'forge-forbidden');
  });
});
