/**
 * The name of an event is not signed. So the signed body has to say by itself which event it is of: no body is read as
 * something under a name that is not its own.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { isRecord, type Json } from '../../../../test/support/github-schemas/json-schema.ts';
import { type Choose, PayloadMaker } from '../../../../test/support/github-schemas/make-payload.ts';
import { webhookBook } from '../../../../test/support/github-schemas/webhook-book.ts';
import { fewOf } from '../../../../test/support/property-runs.ts';
import { webhookPayloads } from '../../../../test/support/webhook-payloads.ts';
import { isGatewrightError } from '../../../errors.ts';
import { describedKeys, doubtDelivery, keysOfEvent } from './delivery-keys.ts';
import { readWebhook } from './read-webhook.ts';

type Payload = Readonly<Record<string, unknown>>;

const require = createRequire(import.meta.url);
const folder = require.resolve('@octokit/webhooks-examples/package.json').replace('/package.json', '');
const examples = ['api.github.com', 'ghes-35'].flatMap((where) =>
  (
    JSON.parse(readFileSync(`${folder}/${where}/index.json`, 'utf8')) as {
      readonly name: string;
      readonly examples: readonly Payload[];
    }[]
  ).flatMap(({ name, examples: payloads }) => payloads.map((payload) => ({ name, payload }))),
);
const book = webhookBook();
const maker = new PayloadMaker(book.components);
const names = Object.keys(keysOfEvent);

/** What comes of it: a kind of event, `ignored`, or `refused`. */
function outcome(name: string, payload: unknown): string {
  try {
    const reading = readWebhook(name, 'd-1', payload);
    return 'kind' in reading ? reading.kind : 'ignored';
  } catch (error) {
    if (isGatewrightError(error, 'event-invalid')) return 'refused';
    throw error;
  }
}

const isRead = (word: string): boolean => word !== 'ignored' && word !== 'refused';

/** The names under which a body is read as something. */
const readUnder = (payload: unknown): string[] => names.filter((name) => isRead(outcome(name, payload)));

/** All forms of a description together: the names at its top. */
function topKeys(schema: Json): string[] {
  if (!isRecord(schema)) return [];
  const { $ref, allOf, anyOf, oneOf, properties } = schema;
  const target = typeof $ref === 'string' ? (book.components[$ref.split('/').at(-1) ?? ''] ?? null) : null;
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...(isRecord(properties) ? Object.keys(properties) : []), ...[target, ...parts].flatMap(topKeys)];
}

describe('what GitHub describes', () => {
  it('has these names at the top of its deliveries', () => {
    const all = new Set(book.all.flatMap(({ schema }) => topKeys(schema)));
    expect([...describedKeys].toSorted()).toEqual([...all].toSorted());
  });

  it.each(names)('of %s has these', (name) => {
    const all = new Set(book.all.filter((one) => one.name === name).flatMap(({ schema }) => topKeys(schema)));
    const { always, sometimes } = keysOfEvent[name] ?? { always: [], sometimes: [] };
    const everywhere = ['action', 'repository', 'sender', 'organization', 'installation', 'enterprise'];
    expect([...new Set([...always, ...sometimes, ...everywhere])].toSorted()).toEqual(
      [...new Set([...all, ...everywhere])].toSorted(),
    );
  });
});

describe('a body under a name that is not its own', () => {
  it('is read as nothing: every example of every event', () => {
    expect(examples.length).toBeGreaterThan(400);
    const wrong = examples.flatMap(({ name, payload }) =>
      readUnder(payload)
        .filter((other) => other !== name)
        .map((other) => `${name}.${String(payload.action)} as ${other}`),
    );
    expect(wrong).toEqual([]);
    const read = examples.filter(({ name, payload }) => readUnder(payload).includes(name));
    expect(read.length).toBeGreaterThan(60);
    expect(new Set(read.map(({ name }) => name))).toEqual(new Set(names));
  });

  it('is read as nothing: every event that GitHub describes, under every action that we take', () => {
    const whole: Choose = (path, count) =>
      path.endsWith('|there') || path.endsWith('|some') ? count - 1 : 0;
    const taken = ['opened', 'assigned', 'labeled', 'unlabeled', 'created', 'synchronize', 'reopened'].concat(
      [...['ready_for_review', 'closed', 'edited', 'dequeued', 'submitted', 'dismissed', 'completed']],
    );
    const wrong: string[] = [];
    for (const { name, action, schema } of fewOf(book.all, 4))
      for (const choose of [whole, () => 0] satisfies Choose[]) {
        const made = maker.make(schema, choose) as Payload;
        for (const other of taken)
          for (const under of readUnder({ ...made, action: other }))
            if (under !== name) wrong.push(`${name}.${action} with ${other} as ${under}`);
      }
    expect(wrong).toEqual([]);
  });
});

describe('a body under its own name', () => {
  const ours = webhookPayloads('o/r', 7);
  const ofName = (name: string): Payload =>
    ours.find((one) => one.name === name)?.payload ?? expect.fail(name);

  it.each(ours.map(({ name, payload }) => [`${name}.${String(payload.action)}`, name, payload] as const))(
    '%s: no name at its top is one of another event, and none of its own is missing',
    (_, name, payload) => {
      expect(isRead(outcome(name, payload))).toBe(true);
      const { always, sometimes } = keysOfEvent[name] ?? expect.fail();
      for (const key of always) {
        const { [key]: _left, ...rest } = payload;
        expect(outcome(name, rest), `without ${key}`).toBe('refused');
      }
      const everywhere = ['action', 'repository', 'sender', 'organization', 'installation', 'enterprise'];
      for (const key of describedKeys) {
        if ([...always, ...sometimes, ...everywhere].includes(key)) continue;
        for (const value of [{}, null, 'x', []])
          expect(outcome(name, { ...payload, [key]: value }), `with ${key}`).toBe('refused');
      }
    },
  );

  it('may have a name at its top that GitHub does not describe yet', () => {
    expect(outcome('issues', { ...ofName('issues'), brand_new: { id: 1 } })).toBe('issue-opened');
    expect(doubtDelivery('issues', { issue: {}, brand_new: 1 })).toEqual([]);
  });

  it('says what is wrong with it', () => {
    expect(doubtDelivery('issue_comment', { comment: {}, discussion: {} })).toEqual([
      'issue: GitHub always sends it with issue_comment',
      'discussion: GitHub sends it with other events only',
    ]);
    for (const odd of [null, 'x', 7, []]) expect(doubtDelivery('issues', odd)).toHaveLength(1);
    expect(doubtDelivery('star', { starred_at: 'x' })).toEqual([]);
    expect(doubtDelivery('toString', {})).toEqual([]);
  });

  it('has one number', () => {
    const payload = ofName('pull_request');
    expect(outcome('pull_request', { ...payload, number: 8 })).toBe('refused');
  });
});
