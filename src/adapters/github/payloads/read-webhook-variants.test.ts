/**
 * Whatever GitHub's own description allows a delivery to be is read or ignored, and never refused or misread: fields that
 * may be missing are left out, those that may be null are, and forms are changed for each other.
 */
import { describe, expect, it } from 'vitest';
import { type Choose, PayloadMaker } from '../../../../test/support/github-schemas/make-payload.ts';
import { type Described, webhookBook } from '../../../../test/support/github-schemas/webhook-book.ts';
import { readWebhook } from './read-webhook.ts';

const book = webhookBook();
const maker = new PayloadMaker(book.components);
/** The deliveries that agents react to. */
const used = [
  ...['issues.opened', 'issues.assigned', 'issues.labeled', 'issues.unlabeled', 'issue_comment.created'],
  ...[
    'opened',
    'synchronize',
    'reopened',
    'ready_for_review',
    'closed',
    'edited',
    'labeled',
    'unlabeled',
  ].map((action) => `pull_request.${action}`),
  ...['pull_request_review.submitted', 'pull_request_review.dismissed', 'workflow_run.completed'],
  ...['check_run.completed', 'check_suite.completed', 'status.'],
];
const nameOf = ({ name, action }: Described): string => `${name}.${action}`;
const described = book.all.filter((one) => used.includes(nameOf(one)));

/** Everything is there and nothing is null; an issue that was moved here is another matter. */
const whole: Choose = (path, count) => {
  if (path === '.changes|there') return 0;
  return path.endsWith('|there') || path.endsWith('|some') ? count - 1 : 0;
};

/** All that can be chosen near what is read. */
function listChoices({ schema }: Described): [path: string, count: number][] {
  const found = new Map<string, number>();
  maker.make(schema, (path, count) => {
    const [, first = ''] = path.split(/[.|]/u);
    const isFar =
      ['organization', 'installation', 'enterprise'].includes(first) || path.split('.').length > 4;
    if (!isFar && count > 1 && !path.includes('_url')) found.set(path, count);
    return whole(path, count);
  });
  return [...found];
}

/** What must not become another thing, whatever is missing beside it. */
const fixed = [
  ...['kind', 'delivery', 'repository', 'number', 'head', 'review', 'comment', 'run', 'label', 'assignee'],
] as const;

function pick(event: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(event).filter(([key]) => fixed.some((one) => one === key)));
}

describe('every form that GitHub describes', () => {
  it('is made of each delivery that agents react to', () => expect(described).toHaveLength(used.length));

  it.each(described.map((one) => [nameOf(one), one] as const))('%s fits the description', (_, one) => {
    for (const choose of [whole, () => 0, (_path: string, count: number) => count - 1] satisfies Choose[])
      expect(book.check(one.name, maker.make(one.schema, choose))).toEqual([]);
  });

  it.each(described.map((one) => [nameOf(one), one] as const))(
    '%s is read as what it is, or not at all',
    (_, one) => {
      const base = readWebhook(one.name, 'd-1', maker.make(one.schema, whole));
      const read = new Set<string>();
      for (const [changed, count] of listChoices(one))
        for (let other = 0; other < count; other += 1) {
          const choose: Choose = (path, most) => (path === changed ? other : whole(path, most));
          const event = readWebhook(one.name, 'd-1', maker.make(one.schema, choose));
          read.add('kind' in event ? event.kind : event.ignored);
          if ('ignored' in event || 'ignored' in base) continue;
          expect(pick(event), changed).toEqual(pick(base));
          // Nobody speaks for somebody else.
          if ('text' in event && 'text' in base && event.text !== '') expect(event.actor).toBe(base.actor);
          expect([base.actor, 'ghost']).toContain(event.actor);
        }
      expect(read.size).toBeGreaterThan(0);
    },
  );

  /** The same numbers on every run. */
  const random = (seed: number): Choose => {
    let state = seed + 1;
    return (_, count) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % count;
    };
  };

  it.each(Array.from({ length: 8 }, (_, seed) => seed))('drawn with %i, of every event there is', (seed) => {
    for (const one of book.all) {
      const reading = readWebhook(one.name, 'd-1', maker.make(one.schema, random(seed * 1000)));
      expect('kind' in reading || reading.ignored !== '', nameOf(one)).toBe(true);
    }
  });
});

describe('what GitHub may leave out', () => {
  const without = (which: string, ...left: readonly string[]) => {
    const one = described.find((found) => nameOf(found) === which);
    const choose: Choose = (path, count) =>
      left.some((name) => path === `.${name}|there`) ? 0 : whole(path, count);
    return readWebhook(one?.name ?? '', 'd-1', maker.make(one?.schema ?? null, choose));
  };

  it.each([
    ['issues.labeled', 'label', 'issues.labeled without a label'],
    ['issues.unlabeled', 'label', 'issues.unlabeled without a label'],
    ['pull_request.unlabeled', 'label', 'pull_request.unlabeled without a label'],
    ['issues.assigned', 'assignee', 'issues.assigned without an assignee'],
  ])('%s without its %s is acknowledged and said to be that', (which, name, ignored) =>
    expect(without(which, name)).toEqual({ ignored }),
  );

  it('a pull request that somebody retargeted may not say who', () => {
    const one = described.find((found) => nameOf(found) === 'pull_request.edited');
    const payload = maker.make(one?.schema ?? null, (path, count) =>
      path === '.sender|there' ? 0 : path === '.changes|there' ? 1 : whole(path, count),
    );
    expect(readWebhook('pull_request', 'd-1', payload)).toMatchObject({
      ...{ kind: 'pull-request-retargeted', actor: 'ghost', actorKind: 'person' },
    });
  });
});
