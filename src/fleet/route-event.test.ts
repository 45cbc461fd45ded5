/** Who reacts to what: one table in code, tried event by event. */
import { describe, expect, it } from 'vitest';
import { agentManifests, agents, manifests } from '../agents/agents.ts';
import { type AgentName, agentNames } from '../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import { type Route, routeEvent as routeAmong } from './route-event.ts';

/** What decides, said plainly; made into what the fleet looks up. */
interface PlainCase {
  readonly handle: string;
  readonly own: string;
  readonly hasOpenPlan: boolean;
  readonly isCalledInRemark: boolean;
  readonly isOrderedBefore: boolean;
  readonly isReviewStopped: boolean;
  readonly isWorkStopped: boolean;
  readonly isOwnPull: boolean;
  readonly isHandedToQueue: boolean;
  readonly begun?: readonly AgentName[];
}

function routeEvent(event: FleetEvent, one: PlainCase): Route[] {
  const { handle, own, isOwnPull, begun = [] } = one;
  return routeAmong(manifests, event, {
    ...{ handle, own, isOwnPull, begun, loopLabels: 'on' },
    remarks: one.isCalledInRemark ? ['fine', `@${handle} look`] : ['fine'],
    words: null,
    openRun: null,
    history: {
      hasOpenPlan: one.hasOpenPlan,
      stopped: [
        ...(one.isReviewStopped ? ['reviewer' as const] : []),
        ...(one.isWorkStopped ? ['implementer' as const] : []),
      ],
      wokenBy: one.isOrderedBefore ? { implementer: ['issue-opened'] } : { reviewer: ['issue-opened'] },
      handedHeads: one.isHandedToQueue ? [head] : ['b'.repeat(40)],
    },
  });
}

const agentTable = Object.fromEntries(agentNames.map((name) => [name, agents[name].manifest])) as {
  readonly [N in AgentName]: (typeof agents)[N]['manifest'];
};

const head = 'a'.repeat(40);
const common = {
  delivery: 'd',
  at: '2026-06-01T09:00:00.000Z',
  repository: 'o/r',
  actor: 'alice',
  actorKind: 'person',
} as const;
const facts: PlainCase = {
  handle: 'gatewright',
  own: 'gatewright[bot]',
  hasOpenPlan: false,
  isCalledInRemark: false,
  isOrderedBefore: false,
  isReviewStopped: false,
  isWorkStopped: false,
  isOwnPull: false,
  isHandedToQueue: false,
};
const comment = (text: string, more: Partial<FleetEvent> = {}): FleetEvent =>
  ({
    kind: 'comment-created',
    ...common,
    number: 1,
    isPullRequest: false,
    comment: 2,
    text,
    ...more,
  }) as FleetEvent;
const runs = (event: FleetEvent, more: Partial<PlainCase> = {}) =>
  routeEvent(event, { ...facts, ...more }).flatMap((route) => (route.runs ? [route.agent] : []));

describe('routeEvent', () => {
  it.each<[string, FleetEvent, string[]]>([
    [
      'an issue that mentions the agent',
      { kind: 'issue-opened', ...common, number: 1, text: '@gatewright do it' },
      ['implementer'],
    ],
    [
      'an issue that does not',
      { kind: 'issue-opened', ...common, number: 1, text: 'gatewright is nice' },
      [],
    ],
    [
      'an issue that is assigned to it',
      { kind: 'issue-assigned', ...common, number: 1, assignee: 'Gatewright[bot]', text: '' },
      ['implementer'],
    ],
    [
      'an issue that is assigned to somebody',
      { kind: 'issue-assigned', ...common, number: 1, assignee: 'bob', text: 'gatewright' },
      [],
    ],
    [
      'an issue that mentions the agent and is assigned to somebody',
      { kind: 'issue-assigned', ...common, number: 1, assignee: 'bob', text: '@gatewright' },
      ['implementer'],
    ],
    [
      'the label that asks for a plan',
      { kind: 'labeled', ...common, number: 1, isPullRequest: false, label: 'Planning' },
      ['implementer'],
    ],
    [
      'another label on an issue',
      { kind: 'labeled', ...common, number: 1, isPullRequest: false, label: 'bug' },
      [],
    ],
    [
      'a label on a pull request',
      { kind: 'labeled', ...common, number: 1, isPullRequest: true, label: 'planning' },
      ['auto-merge'],
    ],
    [
      'a hold that is taken off',
      { kind: 'unlabeled', ...common, number: 1, isPullRequest: true, label: 'hold' },
      ['auto-merge'],
    ],
    ['a draft that is ready', { kind: 'pull-request-ready', ...common, number: 1, head }, ['auto-merge']],
    [
      'another base',
      { kind: 'pull-request-retargeted', ...common, number: 1, head, base: 'next' },
      ['reviewer', 'auto-merge'],
    ],
    [
      'an objection that was dismissed',
      { kind: 'review-dismissed', ...common, number: 1, head, review: 2 },
      ['auto-merge'],
    ],
    [
      'a green check',
      { kind: 'check-completed', ...common, name: 'x', head, conclusion: 'success' },
      ['auto-merge'],
    ],
    [
      'a check that was skipped',
      { kind: 'check-completed', ...common, name: 'x', head, conclusion: 'other' },
      ['auto-merge'],
    ],
    [
      'a red check',
      { kind: 'check-completed', ...common, name: 'x', head, conclusion: 'failure' },
      ['auto-merge'],
    ],
    ['a comment that mentions the agent', comment('@gatewright please'), ['implementer']],
    ['a comment that does not', comment('thanks'), []],
    ['a quoted mention', comment('> @gatewright please'), []],
    [
      'a review that mentions the agent',
      { kind: 'review-submitted', ...common, number: 1, head, review: 3, text: '@gatewright fix' },
      ['implementer', 'auto-merge'],
    ],
    [
      'a review',
      { kind: 'review-submitted', ...common, number: 1, head, review: 3, text: '' },
      ['auto-merge'],
    ],
    [
      'a new pull request',
      { kind: 'pull-request-opened', ...common, number: 1, head },
      ['reviewer', 'pr-size-guardian'],
    ],
    [
      'a push to it',
      { kind: 'pull-request-synchronized', ...common, number: 1, head },
      ['reviewer', 'pr-size-guardian'],
    ],
    [
      'a pull request that is opened again',
      { kind: 'pull-request-reopened', ...common, number: 1, head },
      ['reviewer'],
    ],
    [
      'one that is merged',
      { kind: 'pull-request-closed', ...common, number: 1, head, isMerged: true },
      ['implementer'],
    ],
    [
      'one that the merge queue has no more',
      { kind: 'pull-request-dequeued', ...common, number: 1, head, reason: 'CI_FAILURE' },
      ['auto-merge'],
    ],
    [
      'a build that failed',
      { kind: 'workflow-completed', ...common, run: 1, name: 'CI', head, conclusion: 'failure' },
      ['auto-merge', 'ci-doctor'],
    ],
    [
      'the doctor that failed',
      { kind: 'workflow-completed', ...common, run: 1, name: 'CI Doctor', head, conclusion: 'failure' },
      ['auto-merge'],
    ],
    [
      'a build that succeeded',
      { kind: 'workflow-completed', ...common, run: 1, name: 'CI', head, conclusion: 'success' },
      ['auto-merge'],
    ],
    [
      'a build that was skipped or cancelled',
      { kind: 'workflow-completed', ...common, run: 1, name: 'CI', head, conclusion: 'other' },
      ['auto-merge'],
    ],
  ])('%s', (_, event, agents) => expect(runs(event)).toEqual(agents));

  it.each(['template-sync', 'daily-digest', 'stale-gardener', 'doc-drift', 'health-report'] as const)(
    'the schedule of %s wakes that one alone',
    (schedule) => expect(runs({ kind: 'schedule-due', ...common, schedule })).toEqual([schedule]),
  );

  it('takes the words of an issue as an order once, and an assignment to itself each time', () => {
    const text = '@gatewright do it';
    const before = { isOrderedBefore: true };
    const assigned = { kind: 'issue-assigned', ...common, number: 1, text } as const;
    expect(runs({ kind: 'issue-opened', ...common, number: 1, text }, before)).toEqual([]);
    expect(runs({ ...assigned, assignee: 'bob' }, before)).toEqual([]);
    expect(runs({ ...assigned, assignee: 'gatewright[bot]' }, before)).toEqual(['implementer']);
  });

  it('wakes the reviewer again that stopped, by somebody who may, and nobody beside it', () => {
    const on = { isPullRequest: true } as Partial<FleetEvent>;
    const stopped = { isReviewStopped: true };
    for (const text of [
      '@gatewright review',
      '@gatewright continue',
      'Please review this again, @gatewright!',
    ])
      expect(runs(comment(text, on), stopped)).toEqual(['reviewer']);
    expect(runs(comment('@gatewright continue', on), { ...stopped, isWorkStopped: true })).toEqual([
      'implementer',
    ]);
    expect(runs(comment('@gatewright review', on), { ...stopped, isWorkStopped: true })).toEqual([
      'reviewer',
    ]);
    for (const text of ['@gatewright do not review', '@gatewright review and fix it', '@gatewright `review`'])
      expect(runs(comment(text, on), stopped)).toEqual(['implementer']);
    expect(runs(comment('review', on), stopped)).toEqual([]);
    expect(runs(comment('@gatewright review', on))).toEqual(['implementer']);
  });

  it('hears a call in a remark of a review', () => {
    const review = { kind: 'review-submitted', ...common, number: 1, head, review: 3, text: '' } as const;
    expect(runs(review, { isCalledInRemark: true })).toEqual(['implementer', 'auto-merge']);
  });

  it('takes an answer to an open plan without a mention, on the issue only', () => {
    expect(runs(comment('approve'), { hasOpenPlan: true })).toEqual(['implementer']);
    expect(
      runs(comment('approve', { isPullRequest: true } as Partial<FleetEvent>), { hasOpenPlan: true }),
    ).toEqual([]);
  });

  it('takes no order from itself, whatever it may', () => {
    const own = comment('@gatewright go on', {
      actor: 'gatewright[bot]',
      actorKind: 'bot',
    } as Partial<FleetEvent>);
    expect(routeEvent(own, facts)).toEqual([{ agent: 'implementer', runs: false, because: 'own' }]);
  });

  it('hears a label that a person sets by hand under the account that we use', () => {
    const event = {
      ...common,
      kind: 'labeled',
      number: 2,
      isPullRequest: true,
      label: 'auto-merge',
    } as const;
    const made = { ...facts, isOwnPull: true, own: 'alice' };
    expect(routeEvent(event, made)).toEqual([{ agent: 'auto-merge', runs: true }]);
    const bot = { ...event, actor: facts.own, actorKind: 'bot' } as const;
    expect(routeEvent(bot, { ...made, own: facts.own })).toEqual([]);
  });

  it('does not wait for the forge to tell what was handed on already', () => {
    const made = { ...facts, isOwnPull: true };
    const own = { actor: 'gatewright[bot]', actorKind: 'bot' } as const;
    const opened = {
      ...common,
      ...own,
      kind: 'pull-request-opened',
      number: 2,
      head: 'a'.repeat(40),
    } as const;
    expect(routeEvent(opened, made)).toEqual([]);
    const pushed = { ...opened, kind: 'pull-request-synchronized' } as const;
    expect(routeEvent(pushed, made).map(({ agent }) => agent)).toContain('reviewer');
    expect(routeEvent({ ...opened, actor: 'alice' }, made).map(({ agent }) => agent)).toContain('reviewer');
  });

  it('does not look twice at a review of its own, but at every other', () => {
    const submitted = {
      ...common,
      kind: 'review-submitted',
      number: 2,
      head: 'a'.repeat(40),
      review: 1,
    } as const;
    const names = (event: Parameters<typeof routeEvent>[0]) =>
      routeEvent(event, facts).map(({ agent }) => agent);
    const own = { ...submitted, actor: 'gatewright[bot]', actorKind: 'bot' } as const;
    expect(names({ ...own, text: '' })).toEqual([]);
    // What it says there orders nothing, and that is written down.
    expect(routeEvent({ ...own, text: '@gatewright go on' }, facts)).toEqual([
      { agent: 'implementer', runs: false, because: 'own' },
    ]);
    expect(names({ ...submitted, text: 'Fine.' })).toEqual(['auto-merge']);
  });

  it('lets its own pull requests be reviewed: that is seen, not ordered', () => {
    expect(
      runs({ kind: 'pull-request-opened', ...common, actor: 'gatewright[bot]', number: 1, head }),
    ).toContain('reviewer');
  });
});

describe('the manifests', () => {
  it('has every agent with something that wakes it, and effects only where it may have some', () => {
    expect(Object.keys(agents).filter((name) => name !== 'label-keeper')).toEqual([...agentNames]);
    expect(agentManifests.map(({ name }) => name)).toEqual([...agentNames]);
    for (const name of agentNames) {
      const { triggers, may, model, turns, purpose } = agentTable[name];
      expect(triggers.length, name).toBeGreaterThan(0);
      expect(
        Object.values(may).every((cap) => cap > 0 && cap <= 52),
        name,
      ).toBe(true);
      if (model !== 'none') expect(turns, name).toBeGreaterThan(0);
      expect(purpose, name).toMatch(/^[A-Z].*\.$/u);
    }
  });

  it('has the limits that were agreed on', () => {
    expect(agentTable.implementer.planTurns).toBe(25);
    expect(agentNames.map((name) => agentTable[name].turns)).toEqual([50, 5, 0, 10, 3, 10, 10, 10, 10, 0]);
  });

  it('lets one agent merge, and none but that', () => {
    expect(agentNames.filter((name) => agentTable[name].may['merge-pull-request'] !== undefined)).toEqual([
      'auto-merge',
    ]);
  });
});

describe('a pull request that is closed', () => {
  it.each([
    [true, true, ['implementer', 'auto-merge']],
    [true, false, ['implementer']],
    [false, true, []],
  ])('merged: %s, handed to the queue: %s', (isMerged, isHandedToQueue, agents) => {
    const event = { kind: 'pull-request-closed', ...common, number: 1, head, isMerged } as const;
    const routes = routeEvent(event, { ...facts, isHandedToQueue });
    expect(routes.map(({ agent }) => agent)).toEqual(agents);
  });
});

describe('who began for an event', () => {
  const on = { isPullRequest: true } as Partial<FleetEvent>;

  it('ends it, whatever has come of it since', () => {
    expect(runs(comment('approve'), { begun: ['implementer'] })).toEqual(['implementer']);
    const again = { begun: ['implementer'], isReviewStopped: true } as const;
    expect(runs(comment('@gatewright continue', on), again)).toEqual(['implementer']);
    const review = { begun: ['reviewer'], isWorkStopped: true } as const;
    expect(runs(comment('@gatewright continue', on), review)).toEqual(['reviewer']);
    const text = '@gatewright do it';
    const opened = { kind: 'issue-opened', ...common, number: 1, text } as const;
    expect(runs(opened, { begun: ['implementer'], isOrderedBefore: true })).toEqual(['implementer']);
  });

  it('changes nothing for those that watch', () => {
    const opened = { kind: 'pull-request-opened', ...common, number: 1, head } as const;
    expect(runs(opened, { begun: ['reviewer'] })).toEqual(['reviewer', 'pr-size-guardian']);
  });
});
