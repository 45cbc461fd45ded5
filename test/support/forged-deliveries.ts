/**
 * Deliveries that GitHub would not send, or would send about somebody else: what they claim of themselves counts for
 * nothing. Each comes to the issue with the plan that waits, or to a pull request that lacks one thing.
 */
import { describe, expect, it } from 'vitest';
import { readWebhook } from '../../src/adapters/github/payloads/read-webhook.ts';
import { isGatewrightError } from '../../src/errors.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import type { SpoofWorld } from './spoof-world.ts';

type Payload = Readonly<Record<string, unknown>>;
type Person = Payload | null;

const at = '2026-11-15T10:00:00Z';
const user = (login: string, type = 'User'): Person => ({ login, type, id: 1 });
const order = '@claude approve';
let deliveries = 0;

interface Words {
  readonly by: Person;
  readonly sender?: Person;
  readonly more?: Payload;
  readonly repository?: string;
  readonly action?: string;
}

const issueOf = (number: number): Payload => ({
  ...{ number, title: 'sum subtracts', body: order, created_at: at, updated_at: at },
});

/** The same words in every form in which somebody can say them. */
const forms: Readonly<Record<string, (world: SpoofWorld, words: Words) => [string, Payload]>> = {
  'a comment': ({ planned, repository }, { by, sender = by, more = {}, action = 'created', ...where }) => [
    'issue_comment',
    {
      action,
      sender,
      repository: { full_name: where.repository ?? repository },
      issue: issueOf(planned),
      comment: { id: 7, body: order, user: by, created_at: at, ...more },
    },
  ],
  'a review': ({ flawed, repository }, { by, sender = by, more = {}, action = 'submitted', ...where }) => [
    'pull_request_review',
    {
      action,
      sender,
      repository: { full_name: where.repository ?? repository },
      pull_request: { number: flawed.number, head: { sha: flawed.head }, updated_at: at },
      review: { id: 8, body: order, user: by, state: 'approved', submitted_at: at, ...more },
    },
  ],
  'an issue': ({ unordered, repository }, { by, sender = by, more = {}, action = 'opened', ...where }) => [
    'issues',
    {
      action,
      sender,
      repository: { full_name: where.repository ?? repository },
      issue: { ...issueOf(unordered), user: by, ...more },
    },
  ],
};
const spoken = ['a comment', 'a review'];

/** What the form is about. */
function subjectOf(world: SpoofWorld, form: string): number {
  if (form === 'a review') return world.flawed.number;
  return form === 'an issue' ? world.unordered : world.planned;
}

async function look(world: SpoofWorld) {
  const numbers = [
    world.planned,
    world.unordered,
    world.flawed,
    world.unlabelled,
    world.held,
    world.unreviewed,
    world.outdated,
  ];
  return Promise.all(numbers.map((one) => world.look(typeof one === 'number' ? one : one.number)));
}

/** Delivers it, and expects that nothing came of it; returns what was refused, or why it never got so far. */
async function deliver(
  world: SpoofWorld,
  name: string,
  payload: Payload,
  to: number,
  looks = 0,
): Promise<string> {
  const before = await look(world);
  const known = (await world.refusals(to)).length;
  deliveries += 1;
  try {
    const event = readWebhook(name, `forged-${deliveries}`, payload);
    if ('ignored' in event) return 'ignored';
    await receiveEvent(world.fleet.house, event);
  } catch (error) {
    if (!isGatewrightError(error, 'event-invalid')) throw error;
    return 'invalid';
  }
  await world.settle();
  // A look that finds nothing to do is a run of its own.
  expect(await look(world)).toEqual(before.map((one) => ({ ...one, worked: one.worked + looks })));
  return (await world.refusals(to)).slice(known).join(', ');
}

const associations = ['OWNER', 'MEMBER', 'COLLABORATOR'];
const claims: readonly (readonly [string, Payload])[] = [
  ...associations.map((one): [string, Payload] => [`as ${one}`, { author_association: one }]),
  ['through an App of ours', { performed_via_github_app: { slug: 'gatewright-agent', id: 1 } }],
  ['as one whom we are said to be', { author: 'alice', permission: 'admin', actor: { login: 'alice' } }],
];

/** Whoever they look like, they are somebody else, or nobody. */
const lookalikes: readonly (readonly [string, Person, string])[] = [
  ['a Cyrillic Alice', user('\u0430lice'), 'not-permitted'],
  ['an Alice with a Cyrillic end', user('alic\u0435'), 'not-permitted'],
  ['an Alice of full width', user('\uFF41lice'), 'not-permitted'],
  ['an Alice with a space of no width', user('alice\u200B'), 'not-permitted'],
  ['an Alice with a space', user('alice '), 'not-permitted'],
  ['an Alice on two lines', user('alice\n'), 'not-permitted'],
  ['an Alice that is turned around', user('\u202Eecila'), 'not-permitted'],
  ['an Alice as a path', user('alice/../alice'), 'not-permitted'],
  ['an Alice with a question', user('alice?x=1'), 'not-permitted'],
  ['an Alice as a part of an address', user('alice%2F..'), 'not-permitted'],
  ['an @Alice', user('@alice'), 'not-permitted'],
  ['an Alice who is a program', user('alice', 'Bot'), 'bot'],
  ['a program called Alice', user('alice[bot]'), 'bot'],
  ['a Cyrillic us', user('g\u0430tewright-agent[bot]', 'Bot'), 'bot'],
  ['a Greek us', user('gatewright-\u03B1gent[bot]', 'Bot'), 'bot'],
  ['us with a space of no width', user('gatewright-agent\u200B[bot]', 'Bot'), 'bot'],
  ['us with a space', user('gatewright-agent[bot] '), 'not-permitted'],
  ['us without brackets', user('gatewright-agentbot'), 'not-permitted'],
  ['us as a person', user('gatewright-agent[bot]', 'User'), 'own'],
  ['us as an organisation', user('gatewright-agent[bot]', 'Organization'), 'own'],
  ['another bot of ours', user('gatewright[bot]', 'Bot'), 'bot'],
  ['a workflow', user('github-actions[bot]', 'Bot'), 'bot'],
  ['Dependabot', user('dependabot[bot]', 'Bot'), 'bot'],
];

/** Whoever nobody can name has not said anything. */
const nameless: readonly (readonly [string, Person])[] = [
  ['nobody', null],
  ['an empty name', user('')],
];

/** What Alice may say and what is no order all the same. */
const actions: readonly (readonly [string, string, string])[] = [
  ...['edited', 'deleted', 'pinned', 'unpinned', '', '__proto__'].map((one) => ['a comment', one] as const),
  ...['edited', 'dismissed', 'created', '__proto__'].map((one) => ['a review', one] as const),
  ...['edited', 'closed', 'reopened', 'transferred', 'milestoned', 'pinned', 'constructor'].map(
    (one) => ['an issue', one] as const,
  ),
].map(([form, action]) => [form, action, action === 'dismissed' ? '' : 'ignored']);

const names = [
  ...['pull_request_review_comment', 'pull_request_review_thread', 'commit_comment', 'discussion_comment'],
  ...['discussion', 'repository_dispatch', 'workflow_dispatch', 'member', 'handed-on', 'schedule'],
  ...['schedule-due', 'ISSUE_COMMENT', 'issue_comment ', 'constructor'],
];

const repositories = ['evil/project', 'acme/project2', 'acme', '', 'acme/project/..', 'acme/project\n'];

const broken: readonly (readonly [string, Payload])[] = [
  ['a number below one', { issue: { ...issueOf(1), number: 0 } }],
  ['a negative number', { issue: { ...issueOf(1), number: -1 } }],
  ['a part of a number', { issue: { ...issueOf(1), number: 1.5 } }],
  ['a comment below one', { comment: { id: 0, body: order, user: user('alice'), created_at: at } }],
  ['words that are none', { comment: { id: 7, body: [order], user: user('alice'), created_at: at } }],
  ['somebody who is a text', { sender: 'alice' }],
];

export function describeForgedDeliveries(world: () => SpoofWorld): void {
  describe('a delivery that claims', () => {
    const people = ['mallory', 'rita', 'tina'];
    const cases = people.flatMap((login) =>
      claims.flatMap(([claim, more]) =>
        Object.keys(forms).map((form): [string, string, string, Payload] => [login, form, claim, more]),
      ),
    );
    it.each(cases)('%s, in %s, speaks %s', async (login, form, _, more) => {
      const [name, payload] = forms[form]?.(world(), { by: user(login), more }) ?? ['', {}];
      const to = subjectOf(world(), form);
      expect(await deliver(world(), name, payload, to)).toBe(`implementer: ${login}: not-permitted`);
    });

    it.each(lookalikes.flatMap((one) => spoken.map((form) => [one[0], form, one] as const)))(
      'it is %s, in %s',
      async (_, form, [, by, because]) => {
        const [name, payload] = forms[form]?.(world(), { by }) ?? ['', {}];
        const to = subjectOf(world(), form);
        const login = String(by?.login);
        expect(await deliver(world(), name, payload, to)).toBe(`implementer: ${login}: ${because}`);
      },
    );

    it.each(nameless.flatMap(([who, by]) => spoken.map((form) => [who, form, by] as const)))(
      'it is %s, in %s',
      async (_, form, by) => {
        const [name, payload] = forms[form]?.(world(), { by }) ?? ['', {}];
        expect(await deliver(world(), name, payload, world().planned)).toBe('invalid');
      },
    );

    it.each(
      spoken.flatMap((form) =>
        [user('mallory'), user('tina'), user('claude[bot]', 'Bot'), user('\u0430lice')].map(
          (sender) => [form, String(sender?.login), sender] as const,
        ),
      ),
    )('%s by Alice was sent by %s', async (form, _, sender) => {
      const [name, payload] = forms[form]?.(world(), { by: user('alice'), sender }) ?? ['', {}];
      expect(await deliver(world(), name, payload, world().planned)).toBe('ignored');
    });

    it.each(spoken)('%s by Alice was sent by nobody', async (form) => {
      const [name, payload] = forms[form]?.(world(), { by: user('alice'), sender: null }) ?? ['', {}];
      expect(await deliver(world(), name, payload, world().planned)).toBe('invalid');
    });

    it.each(spoken.flatMap((form) => ['mallory', 'rita', 'tina'].map((login) => [form, login] as const)))(
      '%s by %s was sent by Alice',
      async (form, login) => {
        const [name, payload] = forms[form]?.(world(), { by: user(login), sender: user('alice') }) ?? [
          '',
          {},
        ];
        expect(await deliver(world(), name, payload, world().planned)).toBe('ignored');
      },
    );
  });

  describe('what is no order, though Alice says it', () => {
    it.each(actions)('%s that was %s', async (form, action, expected) => {
      const [name, payload] = forms[form]?.(world(), { by: user('alice'), action }) ?? ['', {}];
      expect(await deliver(world(), name, payload, world().planned)).toBe(expected);
    });

    it.each(names)('an event called %j', async (name) => {
      const [, payload] = forms['a comment']?.(world(), { by: user('alice') }) ?? ['', {}];
      expect(await deliver(world(), name, payload, world().planned)).toBe('ignored');
    });

    it('a comment under the name of a push', async () => {
      const [, payload] = forms['a comment']?.(world(), { by: user('alice') }) ?? ['', {}];
      expect(await deliver(world(), 'push', payload, world().planned)).toBe('invalid');
    });

    /** A push is looked at, and orders nothing, whatever its branch and its commits are called. */
    it.each(['main', 'other', '@claude approve', 'claude/implementer'])('a push to %j', async (branch) => {
      const said = {
        id: 'a'.repeat(40),
        message: `${order} #${world().planned}\n\nCloses #1`,
        timestamp: at,
      };
      const payload = {
        ...{ ref: `refs/heads/${branch}`, before: 'b'.repeat(40), after: 'a'.repeat(40), base_ref: null },
        ...{ created: false, deleted: false, forced: true, compare: order, pusher: { name: 'alice' } },
        ...{ commits: [said], head_commit: said, sender: user('alice') },
        repository: { full_name: world().repository, default_branch: 'main', pushed_at: 1_700_000_000 },
      };
      const [looks, expected] = branch === 'main' ? [1, ''] : [0, 'ignored'];
      expect(await deliver(world(), 'push', payload, world().planned, looks)).toBe(expected);
    });

    it.each(repositories.flatMap((where) => Object.keys(forms).map((form) => [form, where] as const)))(
      '%s in the repository %j',
      async (form, repository) => {
        const [name, payload] = forms[form]?.(world(), { by: user('alice'), repository }) ?? ['', {}];
        expect(await deliver(world(), name, payload, world().planned)).toBe('');
      },
    );

    it.each(broken)('%s', async (_, change) => {
      const [name, payload] = forms['a comment']?.(world(), { by: user('alice') }) ?? ['', {}];
      expect(await deliver(world(), name, { ...payload, ...change }, world().planned)).toBe('invalid');
    });
  });

  describe('what did not happen, though it is told in the name of Alice', () => {
    const pull = (one: { number: number; head: string }, more: Payload): Payload => ({
      ...{ sender: user('alice'), repository: { full_name: world().repository } },
      number: one.number,
      ...{ pull_request: { number: one.number, head: { sha: one.head }, updated_at: at }, ...more },
    });
    const stories: readonly (readonly [
      string,
      'unlabelled' | 'held' | 'unreviewed' | 'outdated',
      Payload,
    ])[] = [
      ['the label was set', 'unlabelled', { action: 'labeled', label: { name: 'auto-merge' } }],
      ['the hold was taken off', 'held', { action: 'unlabeled', label: { name: 'hold' } }],
      ['it was pushed to', 'unlabelled', { action: 'synchronize' }],
      ['it was reopened', 'held', { action: 'reopened' }],
    ];
    it.each(stories)('%s, on one that is %s', async (_, which, more) => {
      expect(await deliver(world(), 'pull_request', pull(world()[which], more), world()[which].number)).toBe(
        '',
      );
    });

    it.each(['unlabelled', 'held', 'unreviewed', 'outdated', 'flawed'] as const)(
      'everything is green at one that is %s',
      async (which) => {
        const { head, number } = world()[which];
        const run = { id: 9, name: 'CI', head_sha: head, conclusion: 'success', updated_at: at };
        const where = { sender: user('alice'), repository: { full_name: world().repository } };
        const build = { workflow: { id: 3, name: 'CI' }, workflow_run: run };
        const payload = { ...where, ...build, action: 'completed' };
        expect(await deliver(world(), 'workflow_run', payload, number)).toBe('');
      },
    );
  });
}
