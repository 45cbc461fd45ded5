/** What GitHub's rules for a branch are read as, by whom, and the way of merging that follows from them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MergeRules } from '../../src/domain/forge/forge-rules.ts';
import { pullRequestRule } from '../support/github-rules.ts';
import { rejectedCode } from '../support/thrown-code.ts';
import { actors } from './forge-world.ts';
import { type GithubWorld, makeGithubWorld } from './github-world.ts';
import { openPullRequest } from './open-pull-request.ts';

let world: GithubWorld;
let head: string;

beforeEach(async () => {
  world = await makeGithubWorld();
  head = (await openPullRequest(world, { branch: 'ready', files: { 'r.txt': 'r\n' } })).head.sha;
});
afterEach(() => world.close());

/** As somebody who may write and is no administrator. */
const read = (actor: string = actors.write): Promise<MergeRules> =>
  world.forgeAs(actor).readMergeRules(world.repository, 1);
const rule = (
  type: string,
  parameters?: Readonly<Record<string, unknown>>,
  bypass: 'never' | 'always' = 'never',
) =>
  void world.stored.rules.rulesets.push({
    id: 40 + world.stored.rules.rulesets.length,
    branch: 'main',
    bypass,
    rules: [parameters === undefined ? { type } : { type, parameters }],
  });
const pullRule = (more: Record<string, unknown>) => pullRequestRule(more).parameters;

describe('the rules of a branch', () => {
  it('ask for nothing where there are none', async () => {
    expect(await read()).toEqual({
      methods: ['squash', 'merge', 'rebase'],
      requiredChecks: [],
      isStrict: false,
      approvals: 0,
      needsCodeOwners: false,
      reviews: 'enough',
      openConversations: 0,
      unknownRules: [],
      isCalledClean: true,
      isBlocked: false,
      canBypass: false,
      queue: null,
      unread: [],
    });
  });

  it('of another branch do not count', async () => {
    world.stored.rules.rulesets.push({
      ...{ id: 1, branch: 'release', bypass: 'never' as const },
      rules: [{ type: 'code_scanning' }],
    });
    expect((await read()).unknownRules).toEqual([]);
  });

  it('are read from rulesets', async () => {
    rule('pull_request', pullRule({ required_approving_review_count: 2, require_code_owner_review: true }));
    rule('required_status_checks', {
      strict_required_status_checks_policy: true,
      required_status_checks: [{ context: 'ci', integration_id: 15_368 }, { context: 'lint' }],
    });
    rule('deletion');
    expect(await read()).toMatchObject({
      approvals: 2,
      needsCodeOwners: true,
      reviews: 'missing',
      isStrict: true,
      requiredChecks: [
        { name: 'ci', app: 15_368 },
        { name: 'lint', app: null },
      ],
      unknownRules: [],
      canBypass: false,
      unread: [],
    });
  });

  it('are read from branch protection without being an administrator', async () => {
    world.stored.rules.protection.set('main', {
      checks: [
        { context: 'ci', app_id: 15_368 },
        { context: 'lint', app_id: null },
        { context: 'any', app_id: -1 },
      ],
      approvals: 1,
      codeOwners: true,
      conversations: true,
    });
    world.stored.rules.openThreads.set(1, 2);
    expect(await read()).toMatchObject({
      approvals: 1,
      needsCodeOwners: true,
      reviews: 'missing',
      openConversations: 2,
      requiredChecks: [
        { name: 'ci', app: 15_368 },
        { name: 'lint', app: null },
        { name: 'any', app: null },
      ],
      unread: [],
    });
    const asked = world.server.requests.filter(({ path }) => path.endsWith('/protection'));
    expect(asked).toEqual([]);
  });

  it('count approvals as GitHub does', async () => {
    rule('pull_request', pullRule({ required_approving_review_count: 1 }));
    const review = (actor: string, decision: 'approve' | 'request-changes') =>
      world
        .forgeAs(actor)
        .createReview(world.repository, 1, { commit: head, decision, body: 'So.', comments: [] });
    await review(actors.read, 'approve');
    expect((await read()).reviews).toBe('missing');
    await review(actors.maintain, 'request-changes');
    expect((await read()).reviews).toBe('changes-requested');
    await review(actors.maintain, 'approve');
    expect((await read()).reviews).toBe('enough');
  });

  it('name what we do not understand, and whether we could get round it', async () => {
    rule('code_scanning', { code_scanning_tools: [] });
    expect(await read()).toMatchObject({
      unknownRules: ['code_scanning'],
      isBlocked: true,
      canBypass: false,
    });
    expect(await read(actors.admin)).toMatchObject({ unknownRules: ['code_scanning'], canBypass: true });
    world.stored.rules.rulesets.length = 0;
    rule('code_scanning', { code_scanning_tools: [] }, 'always');
    expect(await read()).toMatchObject({ canBypass: true });
  });

  it.each<[string, RegExp]>([
    ['rulesets', /\/rules\/branches\/main$/u],
    ['required checks', /\/branches\/main$/u],
    ['reviews', /\/graphql$/u],
  ])('say what cannot be read for want of permission: %s', async (what, path) => {
    const answer = { status: 403, body: { message: 'Resource not accessible by personal access token' } };
    const isGraphql = what === 'reviews';
    const errors = [{ type: 'FORBIDDEN', path: ['repository'], message: 'Resource not accessible' }];
    const refused = { data: { repository: null }, errors };
    // The rules of a branch end with the name of the branch as well.
    const after = what === 'required checks' ? 1 : 0;
    world.server.faults.push({ path, after, answer: isGraphql ? { status: 200, body: refused } : answer });
    const rules = await read();
    expect(rules.unread).toEqual([what]);
    if (isGraphql) expect(rules.reviews).toBe('unknown');
  });

  it('are not taken for none when GitHub does not answer', async () => {
    world.server.faults.push({ path: /\/rules\/branches/u, times: 3, answer: { status: 502 } });
    expect(await rejectedCode(read())).toBe('forge-unavailable');
  });
});

describe('the way of merging', () => {
  const merge = (methods: MergeRules['methods']) =>
    world
      .forgeAs(actors.write)
      .mergePullRequest(world.repository, 1, { head, title: 'T', body: 'B', methods });

  it.each<[string, () => void, MergeRules['methods']]>([
    [
      'the repository allows no squash',
      () => (world.stored.rules.methods.squash = false),
      ['merge', 'rebase'],
    ],
    [
      'a ruleset allows one',
      () => rule('pull_request', pullRule({ allowed_merge_methods: ['rebase'] })),
      ['rebase'],
    ],
    ['the history has to be linear', () => rule('required_linear_history'), ['squash', 'rebase']],
    [
      'the history has to be linear, by protection',
      () => void world.stored.rules.protection.set('main', { linear: true }),
      ['squash', 'rebase'],
    ],
    ['commits have to be signed', () => rule('required_signatures'), ['squash', 'merge']],
    [
      'repository and ruleset have none in common',
      () => {
        world.stored.rules.methods.squash = false;
        rule('pull_request', pullRule({ allowed_merge_methods: ['squash'] }));
      },
      [],
    ],
  ])('follows from what is allowed: %s', async (_, arrange, expected) => {
    arrange();
    expect((await read()).methods).toEqual(expected);
  });

  it('is the next one where one is refused after all, and nothing is merged twice', async () => {
    world.stored.rules.methods.squash = false;
    const { commit } = await merge(['squash', 'merge']);
    expect(commit).toBe(world.git.resolve('refs/heads/main'));
    expect(world.git.run('log', '-1', '--format=%P', commit).split(' ')[1]).toBe(head);
  });

  it('is squash where nobody says, and refused in GitHub’s words where that is not allowed', async () => {
    world.stored.rules.methods.squash = false;
    const work = world.forge.mergePullRequest(world.repository, 1, { head, title: 'T', body: '' });
    const error = await work.catch((one: Error) => one);
    expect(error).toMatchObject({ code: 'merge-refused' });
    expect(String(error)).toContain('Squash merges are not allowed');
  });
});
