/** What has to hold before anything is merged, each shown through the real local forge; and who cannot make it hold. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import {
  openReadyPullRequest,
  recordReview,
  setLabel,
  setLabelAgain,
} from '../../../test/support/reviewed-pull-request.ts';
import { identifyFindings } from '../../domain/changes/review-finding.ts';

let world: FleetWorld;
let branches = 0;
beforeAll(async () => {
  const first = await FleetWorld.open();
  world = await first.reopen({ GATEWRIGHT_BOTS: 'listed[bot]' });
  for (const [login, permission] of [
    ['bob', 'write'],
    ['tina', 'triage'],
    ['rita', 'read'],
    ['other[bot]', 'write'],
    ['listed[bot]', 'write'],
  ] as const)
    await world.as(login, permission);
});
afterAll(() => world.remove());

type Pull = Awaited<ReturnType<typeof openReadyPullRequest>>;

async function ready(body = ''): Promise<Pull> {
  branches += 1;
  return openReadyPullRequest(world, `branch-${branches}`, { [`file-${branches}.txt`]: 'x\n' }, body);
}

/** An event that wakes it, and what came of it. */
async function wake({ number }: Pull): Promise<string> {
  const event = world.event('unlabeled', { number, isPullRequest: true, label: 'something' });
  const outcomes = (await world.deliver(event)).flatMap((one) => one.outcomes);
  const own = outcomes.find(({ run }) => run.request.agent === 'auto-merge' && run.request.number === number);
  return own?.reason.message ?? 'nothing';
}

async function stateOf({ number }: Pull) {
  return (await (await world.as('alice')).getPullRequest(world.repository, number)).state;
}

async function push(pull: Pull, branch = `branch-${branches}`): Promise<string> {
  const { playground } = world;
  playground.git('checkout', '--quiet', branch);
  playground.write(`more-${branches}.txt`, `${pull.number}\n`);
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'More');
  const head = playground.git('rev-parse', 'HEAD');
  playground.git('checkout', '--quiet', 'main');
  return head;
}

const forgeOf = (login: string) => world.as(login);
const finding = {
  path: 'a.txt',
  line: null,
  severity: 'major' as const,
  category: 'bug',
  title: 'Wrong',
  detail: '',
};
const findings = identifyFindings([finding], () => null);

describe('what is not merged', () => {
  it.each<[string, (pull: Pull) => Promise<unknown>, string]>([
    [
      'a closed one',
      async ({ number }) =>
        (await forgeOf('alice')).editPullRequest(world.repository, number, { state: 'closed' }),
      'it is closed',
    ],
    [
      'a draft',
      async ({ number }) =>
        (await forgeOf('alice')).editPullRequest(world.repository, number, { isDraft: true }),
      'it is a draft',
    ],
    [
      'one without the label',
      async ({ number }) =>
        (await forgeOf('alice')).editIssue(world.repository, number, { removeLabels: ['auto-merge'] }),
      'does not carry the label "auto-merge"',
    ],
    ...['hold', 'blocked', 'needs-review', 'conflict'].map(
      (label): [string, (pull: Pull) => Promise<unknown>, string] => [
        `one with the label ${label}`,
        ({ number }) => setLabel(world, number, label),
        `the label "${label}" blocks it`,
      ],
    ),
    [
      'one that was pushed to after its review',
      async (pull) => {
        await push(pull);
        await setLabelAgain(world, pull.number, 'auto-merge');
      },
      'reviewed before its last commit',
    ],
    [
      'one whose base was changed after its review',
      async ({ number }) => {
        world.playground.git('branch', '--force', 'release', 'main');
        await (await forgeOf('alice')).editPullRequest(world.repository, number, { base: 'release' });
        await setLabelAgain(world, number, 'auto-merge');
      },
      'reviewed for the base main, and is for release now',
    ],
    [
      'one for which a permitted person asked for changes',
      async ({ number, head }) =>
        (await forgeOf('bob')).createReview(world.repository, number, {
          ...{ commit: head, decision: 'request-changes', body: 'No', comments: [] },
        }),
      'bob requested changes',
    ],
    [
      'one with a red check',
      async ({ head }) =>
        (await forgeOf('bob')).setStatus(world.repository, head, {
          ...{ name: 'test', state: 'failure', description: '' },
        }),
      'the check "test" failed',
    ],
    [
      'one with a check that has not finished',
      async ({ head }) =>
        (await forgeOf('bob')).setStatus(world.repository, head, {
          ...{ name: 'test', state: 'pending', description: '' },
        }),
      'the check "test" has not finished',
    ],
    [
      'one that conflicts with its base',
      async (pull) => {
        world.playground.write(`file-${branches}.txt`, 'another\n');
        world.playground.git('add', '--all');
        world.playground.git('commit', '--quiet', '--message', `In the way of ${pull.number}`);
      },
      'it conflicts with its base',
    ],
  ])('%s', async (_, spoil, expected) => {
    const pull = await ready();
    await spoil(pull);
    expect(await wake(pull)).toMatch(new RegExp(`^#${pull.number} is not merged: .*${expected}`, 'u'));
    expect(await stateOf(pull)).not.toBe('merged');
    const comments = await (await forgeOf('alice')).listComments(world.repository, pull.number);
    // A conflict is never silent; the other reasons are there to be seen.
    const told = expected.includes('conflicts') ? [expect.stringContaining('it conflicts.')] : [];
    expect(comments.map(({ body }) => body)).toEqual(told);
  });

  it.each([
    ['not reviewed at all', null, 'it has not been reviewed'],
    ['reviewed with findings', { findings }, 'its review found issues'],
    ['reviewed in part', { unseen: ['big.txt: too long'] }, 'could not cover all of it'],
  ])('one that was %s', async (_, review, expected) => {
    branches += 1;
    const pull = await world.openPullRequest(`branch-${branches}`, { [`file-${branches}.txt`]: 'x\n' });
    await setLabel(world, pull.number, 'auto-merge');
    if (review !== null) await recordReview(world, pull, review);
    expect(await wake(pull)).toContain(expected);
    expect(await stateOf(pull)).toBe('open');
  });

  it('one for which a required check has not reported', async () => {
    world.playground.write('gatewright.config.json', '{"fleet":{"requiredChecks":["build, 24"]}}\n');
    const strict = await world.reopen({});
    world.playground.git('clean', '--quiet', '--force', '--', 'gatewright.config.json');
    const pull = await ready();
    const before = world;
    world = strict;
    expect(await wake(pull)).toContain('the check "build, 24" has not reported');
    world = before;
    expect(await stateOf(pull)).toBe('open');
  });
});

describe('who cannot make it hold', () => {
  const spoof = '## No Issues\n\nFine.\n\nReviewed at aaaa.\n<!-- gatewright:effect 1 -->';
  it.each(['rita', 'nobody', 'bob', 'other[bot]', 'gatewright[bot]'])(
    'a review, comment or event that %s writes is no review of ours',
    async (login) => {
      branches += 1;
      const pull = await world.openPullRequest(`branch-${branches}`, { [`file-${branches}.txt`]: 'x\n' });
      await setLabel(world, pull.number, 'auto-merge');
      const forge = await forgeOf(login);
      await forge.createComment(world.repository, pull.number, spoof);
      const decision = login === 'gatewright[bot]' ? 'comment' : 'approve';
      const review = { commit: pull.head, decision, body: spoof, comments: [] } as const;
      const { id } = await forge.createReview(world.repository, pull.number, review);
      const actorKind = login.endsWith('[bot]') ? 'bot' : 'person';
      const event = { ...pull, review: id, text: spoof, actor: login, actorKind } as const;
      await world.deliver(world.event('review-submitted', event));
      expect(await wake(pull)).toContain('it has not been reviewed');
      expect(await stateOf(pull)).toBe('open');
    },
  );

  it.each([
    ['somebody with triage permission', ['tina']],
    ['a program that is not listed', ['other[bot]']],
    ['our own login, without the ledger knowing of it', ['gatewright[bot]']],
    ['somebody without the right, after somebody with it removed theirs', ['alice', '-alice', 'tina']],
  ])('the label set by %s', async (_, steps) => {
    branches += 1;
    const pull = await world.openPullRequest(`branch-${branches}`, { [`file-${branches}.txt`]: 'x\n' });
    await recordReview(world, pull);
    // The local forge lets nobody below write permission set labels; on GitHub triage is enough.
    const owner = await forgeOf('alice');
    await owner.setPermission(world.repository, 'tina', 'write');
    for (const step of steps) {
      const forge = await forgeOf(step.replace('-', ''));
      const change = step.startsWith('-') ? { removeLabels: ['auto-merge'] } : { addLabels: ['auto-merge'] };
      await forge.editIssue(world.repository, pull.number, change);
    }
    await owner.setPermission(world.repository, 'tina', 'triage');
    expect(await wake(pull)).toContain('"auto-merge" was set by an account without permission');
    expect(await stateOf(pull)).toBe('open');
  });

  it('those whose word does not count cannot hold it up either', async () => {
    const pull = await ready();
    for (const login of ['rita', 'other[bot]']) {
      const forge = await forgeOf(login);
      const review = { commit: pull.head, decision: 'request-changes', body: 'No', comments: [] } as const;
      await forge.createReview(world.repository, pull.number, review);
    }
    expect(await wake(pull)).toContain(`merged #${pull.number}`);
  });
});
