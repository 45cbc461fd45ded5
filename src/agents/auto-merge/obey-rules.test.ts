/** The rules of GitHub are obeyed before anything is merged, also by a credential that could get round them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { pullRequestRule } from '../../../test/support/github-rules.ts';
import { itLong } from '../../../test/support/it-long.ts';
import { recordReview, setLabel, tellLabel } from '../../../test/support/reviewed-pull-request.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

let world: GithubFleetWorld;
let head: string;

beforeEach(async () => {
  world = await GithubFleetWorld.open();
  const opened = await world.openPullRequest('topic', { 'topic.txt': 'x\n' });
  head = opened.head;
  await recordReview(world, { number: 1, head });
  await setLabel(world, 1, 'auto-merge');
  await tellLabel(world, { number: 1, head });
});
afterEach(() => world.remove());

const rules = () => world.stored.rules;
const pullRule = pullRequestRule({ required_approving_review_count: 1 });
const addRules = (...given: readonly { type: string; parameters?: Record<string, unknown> }[]) =>
  void rules().rulesets.push({ id: 7, branch: 'main', bypass: 'never', rules: given });

/** What came of it, and whether GitHub was asked to merge. */
async function wake(): Promise<{ readonly said: string; readonly asked: number }> {
  await world.deliver(world.event('unlabeled', { number: 1, isPullRequest: true, label: 'something' }));
  const ended = (await world.entries(1)).flatMap((entry) =>
    entry.kind === 'run-ended' || entry.kind === 'run-stopped' ? [entry.data.reason.message] : [],
  );
  return {
    said: ended.at(-1) ?? '',
    asked: world.server.seen('PUT', '/repos/acme/project/pulls/1/merge').length,
  };
}
const state = async () => (await (await world.as('alice')).getPullRequest(world.repository, 1)).state;
const approve = async () =>
  (await world.as('bob', 'write')).createReview(world.repository, 1, {
    ...{ commit: head, decision: 'approve' as const, body: 'Good.', comments: [] },
  });

itLong('waits for an approving review, says so, and merges when it is there', async () => {
  addRules(pullRule);
  expect(await wake()).toEqual({
    said: '#1 is not merged: GitHub requires 1 approving review',
    asked: 0,
  });
  const explained = await explainNumber(world.house, world.own, 1);
  expect(JSON.stringify(explained)).toContain('GitHub requires 1 approving review');
  expect(JSON.stringify(explained)).toContain('a person with write permission, not its author');
  await approve();
  expect((await wake()).said).toBe('merged #1');
  expect(await state()).toBe('merged');
});

it('obeys what it could get round: an administrator’s credential does not pass by protection', async () => {
  world.stored.roles.set(world.own, 'admin');
  rules().protection.set('main', { approvals: 1, checks: [{ context: 'ci', app_id: 15_368 }] });
  const { said, asked } = await wake();
  expect(said).toContain('GitHub requires 1 approving review');
  expect(said).toContain('GitHub requires the check "ci" of the app 15368, which has not reported');
  expect(asked).toBe(0);
  await approve();
  // Of that name, but of another app.
  const check = {
    sha: head,
    name: 'ci',
    conclusion: 'success',
    title: null,
    url: null,
    at: world.server.state.now(),
  };
  world.stored.checkRuns.push({ ...check, id: world.server.state.nextId(), app: 99 });
  expect((await wake()).said).toContain('the check "ci" of the app 15368');
  world.stored.checkRuns.push({ ...check, id: world.server.state.nextId(), app: 15_368 });
  expect((await wake()).said).toBe('merged #1');
});

it('leaves a rule that it does not understand to a person where it could get round it', async () => {
  world.stored.roles.set(world.own, 'admin');
  rules().rulesets.push({ id: 7, branch: 'main', bypass: 'always', rules: [{ type: 'code_scanning' }] });
  const { said, asked } = await wake();
  expect(said).toContain('rules that we cannot read (code_scanning)');
  expect(asked).toBe(0);
  expect(await state()).toBe('open');
});

itLong(
  'tries a rule that it does not understand where it is bound by it, and tells GitHub’s words',
  async () => {
    addRules({ type: 'code_scanning', parameters: { code_scanning_tools: [] } });
    const { said } = await wake();
    expect(said).toContain('Code scanning is waiting for results');
    expect(await state()).toBe('open');
    const comments = await (await world.as('alice')).listComments(world.repository, 1);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain('Code scanning is waiting for results');
  },
);

itLong('waits for conversations', async () => {
  rules().protection.set('main', { conversations: true });
  rules().openThreads.set(1, 1);
  expect((await wake()).said).toContain(
    'GitHub requires conversations to be resolved, and 1 conversation is open',
  );
  rules().openThreads.clear();
  expect((await wake()).said).toBe('merged #1');
});

itLong('merges in a way that is allowed', async () => {
  rules().methods.squash = false;
  expect((await wake()).said).toBe('merged #1');
  const parents = world.stored.git.run('log', '-1', '--format=%P', 'main').split(' ');
  expect(parents[1]).toBe(head);
});
