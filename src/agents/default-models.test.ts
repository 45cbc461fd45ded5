/** The fleet with no model chosen at all: the real Claude Code CLI plans, reviews and explains, against a scripted provider. */
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import {
  answerWith,
  refuseWith,
  ScriptedProvider,
  type SeenRequest,
  useTool,
} from '../../test/support/scripted-provider.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { EntryKind, EntryOf } from '../domain/ledger/ledger-entry.ts';

const binaries = join(import.meta.dirname, '..', '..', 'node_modules', '.bin');
const server = new ScriptedProvider();
let world: FleetWorld;

beforeEach(async () => {
  await server.start();
  server.seen.length = 0;
  const outside = await FleetWorld.open({ 'src/sum.mjs': 'export const sum = (a, b) => a - b;\n' });
  const { playground } = outside;
  // Credentials and where to find things; not one setting that names a model.
  world = await outside.reopen({
    PATH: [binaries, playground.environment.PATH].join(delimiter),
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'api-key',
    CLAUDE_CODE_MAX_RETRIES: '1',
    CLAUDE_CONFIG_DIR: join(playground.folder, 'claude'),
  });
});
afterEach(async () => {
  await server.stop();
  world.remove();
});

const give = (seen: SeenRequest, input: object) => useTool(seen, { name: 'StructuredOutput', input });

async function entriesOf<K extends EntryKind>(number: number, kind: K): Promise<EntryOf<K>[]> {
  return (await world.entries(number)).filter((entry): entry is EntryOf<K> => entry.kind === kind);
}

async function codesOf(event: FleetEvent): Promise<string[]> {
  const outcomes = await world.deliver(event);
  return outcomes.flatMap((one) => one.outcomes.map(({ reason }) => reason.code));
}

describe('with the default settings', { timeout: 120_000 }, () => {
  it('a pull request is reviewed, and what it cost is on the ledger', async () => {
    const { number, head } = await world.openPullRequest('work', {
      'src/sum.mjs': 'export const sum = 1;\n',
    });
    const finding = {
      ...{ path: 'src/sum.mjs', line: 1, severity: 'major', category: 'bug' },
      ...{ title: 'sum is no function any more', detail: 'It is called elsewhere.' },
    };
    server.script = (seen) => give(seen, { summary: 'One thing.', findings: [finding] });
    await world.deliver(world.event('pull-request-opened', { number, head }));
    const [review] = await (await world.as('alice')).listReviews(world.repository, number);
    expect(review?.body).toMatch(/^## Issues Found\n\nOne thing\./u);
    expect(review?.body).toContain('sum is no function any more');
    const [answered] = await entriesOf(number, 'model-answered');
    expect(answered?.data).toMatchObject({ role: 'reviewer', model: 'claude:default' });
    expect(answered?.data.usage.costUsd).toBeGreaterThan(0);
    const [asked] = server.seen;
    expect(asked?.text).toContain('export const sum = 1;');
    expect(JSON.stringify(await world.entries(number))).not.toContain('api-key');
  });

  it('garbage is asked for again as often as the turns allow, and no review comes of it', async () => {
    const { number, head } = await world.openPullRequest('work', {
      'src/sum.mjs': 'export const sum = 1;\n',
    });
    server.script = (seen) => give(seen, { approved: true });
    const event = world.event('pull-request-opened', { number, head });
    expect(await codesOf(event)).toContain('model-unusable-answer');
    expect(server.seen).toHaveLength(5);
    expect(await (await world.as('alice')).listReviews(world.repository, number)).toEqual([]);
    const [failed] = await entriesOf(number, 'model-failed');
    expect(failed?.data).toMatchObject({ role: 'reviewer', why: 'model-unusable-answer' });
    expect(failed?.data.usage.costUsd).toBeGreaterThan(0);
  });

  it('a failed build is explained; where the quota is used up the facts are told', async () => {
    const { number, head } = await world.openPullRequest('topic', { 'a.txt': 'a\n' });
    const fail = async (name: string) => {
      const step = {
        name: 'Run npm test',
        conclusion: 'failure',
        log: `${name}: expected 3 to be 4`,
      } as const;
      const run = await world.build({
        ...{ name, headSha: head, branch: 'topic', event: 'push', attempt: 1 },
        ...{ status: 'completed', conclusion: 'failure', jobs: [{ name: 'build', steps: [step] }] },
      });
      return world.event('workflow-completed', { run, name, head, conclusion: 'failure' });
    };
    server.script = (seen) =>
      give(seen, {
        what: 'A test fails.',
        why: 'It counts wrongly.',
        fix: 'Count rightly.',
        confidence: 'high',
      });
    await world.deliver(await fail('ci'));
    server.script = () => refuseWith(429, { 'x-should-retry': 'false' });
    await world.deliver(await fail('nightly'));
    const comments = await (await world.as('alice')).listComments(world.repository, number);
    expect(comments[0]?.body).toContain('It counts wrongly.');
    expect(comments[1]?.body).toContain('quota-exhausted');
    expect(server.seen[0]?.text).toContain('ci: expected 3 to be 4');
  });

  it('a stronger model plans than implements', async () => {
    const alice = await world.as('alice');
    await alice.ensureLabel(world.repository, { name: 'planning', colour: 'ededed', description: '' });
    const { number } = await alice.createIssue(world.repository, {
      ...{ title: 'sum subtracts', body: 'It should add.', labels: ['planning'] },
    });
    server.script = (seen) => answerWith(seen, 'Change the sign in src/sum.mjs.');
    await world.deliver(world.event('labeled', { number, isPullRequest: false, label: 'planning' }));
    const { id: comment } = await alice.createComment(world.repository, number, '@claude approve');
    const planned = server.seen.length;
    server.script = () => refuseWith(529, { 'x-should-retry': 'false' });
    const approval = { number, isPullRequest: false, comment, text: '@claude approve', actor: 'alice' };
    await world.deliver(world.event('comment-created', approval));
    const sent = await entriesOf(number, 'prompt-sent');
    expect(sent.map(({ data }) => [data.role, data.model])).toEqual([
      ['planner', 'claude:opus'],
      ['implementer', 'claude:sonnet'],
    ]);
    expect(server.seen[0]?.model).toMatch(/^claude-opus-/u);
    expect(server.seen.slice(planned).map(({ model }) => model)[0]).toMatch(/^claude-sonnet-/u);
  });
});
