/** Programs that answer each other, a doctor who is called again and again: each ends at its limit, and people are told once. */
import { afterEach, describe, expect, it } from 'vitest';
import { mostDiagnosesPerDay } from '../../src/agents/ci-doctor/rules/failure-diagnosis.ts';
import { programOrderLimit } from '../../src/domain/fleet/program-orders.ts';
import { FleetWorld } from '../support/fleet-world.ts';

let world: FleetWorld;
afterEach(() => world.remove());

const bot = 'answering[bot]';

async function openWorld(agents: string): Promise<void> {
  const first = await FleetWorld.open({ 'a.txt': 'a\n' });
  const file = first.cassette({
    format: 'gatewright-cassette/1',
    about: 'An agent that always has a question.',
    models: { coder: { name: 'claude-sonnet-4-5', title: 'Claude' } },
    work: Array.from({ length: 12 }, (_, index) => ({
      role: 'implementer',
      call: index + 1,
      request: { includes: ['BEGIN'] },
      steps: [],
      outcome: {
        text: 'Which one?',
        object: { summary: 'Which one?', testing: '', risk: 'needs-review', questions: [] },
      },
    })),
  });
  world = await first.reopen({
    GATEWRIGHT_CODER: `cassette:${file}`,
    GATEWRIGHT_AGENTS: agents,
    GATEWRIGHT_BOTS: bot,
  });
}

async function fileIssue(): Promise<number> {
  const issue = { title: 'Something', body: '', labels: [] };
  return (await (await world.as('alice')).createIssue(world.repository, issue)).number;
}

async function say(number: number, actor: string, text: string) {
  const { id: comment } = await (await world.as(actor)).createComment(world.repository, number, text);
  const actorKind = actor.endsWith('[bot]') ? 'bot' : 'person';
  return world.deliver(
    world.event('comment-created', { number, isPullRequest: false, comment, text, actor, actorKind }),
  );
}

async function ownWords(number: number): Promise<string[]> {
  const comments = await (await world.as('alice')).listComments(world.repository, number);
  return comments.filter(({ author }) => author === world.own).map(({ body }) => body);
}

/** A program that answers everything we say. Returns how often it did. */
async function answerEverything(number: number, most = 15): Promise<number> {
  let heard = (await ownWords(number)).length;
  for (let round = 0; round < most; round += 1) {
    await say(number, bot, `@claude what do you mean? (${round})`);
    const now = (await ownWords(number)).length;
    if (now === heard) return round;
    heard = now;
  }
  return most;
}

async function refusals(number: number): Promise<string[]> {
  return (await world.entries(number)).flatMap((entry) =>
    entry.kind === 'event-refused' ? [`${entry.data.by}: ${entry.data.because}`] : [],
  );
}

function isNotice(body: string): boolean {
  return body.includes('two of them answering each other');
}

describe('two agents that mention each other', () => {
  it('end after a few orders of the other, and the person who began it is told once', async () => {
    await openWorld('implementer');
    const number = await fileIssue();
    await say(number, 'alice', '@claude please do it');
    const rounds = await answerEverything(number);
    // The answers to its orders, and the notice, which it answered too.
    expect(rounds).toBe(programOrderLimit + 1);
    const notices = (await ownWords(number)).filter(isNotice);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^@alice /u);
    expect(await refusals(number)).toEqual([`${bot}: loop`, `${bot}: loop`]);
    const asked = (await world.entries(number)).filter(({ kind }) => kind === 'prompt-sent');
    expect(asked).toHaveLength(1 + programOrderLimit);
  }, 240_000);

  it('may go on when a person says so, to the same limit, and are told of again', async () => {
    await openWorld('implementer');
    const number = await fileIssue();
    await answerEverything(number);
    // Nobody has ordered anything, so nobody is called.
    expect((await ownWords(number)).filter(isNotice).map((body) => body.slice(0, 8))).toEqual(['Programs']);
    await say(number, 'alice', '@claude go on');
    await answerEverything(number);
    expect((await ownWords(number)).filter(isNotice)).toHaveLength(2);
    // The word of somebody without a say changes nothing.
    await say(number, 'mallory', '@claude go on');
    expect(await answerEverything(number)).toBe(0);
  }, 240_000);

  it('say nothing twice when it is delivered again', async () => {
    await openWorld('implementer');
    const number = await fileIssue();
    await answerEverything(number, programOrderLimit);
    const { id: comment } = await (await world.as(bot)).createComment(world.repository, number, '@claude?');
    const event = world.event('comment-created', {
      ...{ number, isPullRequest: false, comment, text: '@claude?', actor: bot, actorKind: 'bot' as const },
    });
    await world.deliver(event, event);
    await world.deliver({ ...event, delivery: `${event.delivery}-again` });
    expect((await ownWords(number)).filter(isNotice)).toHaveLength(1);
  }, 240_000);
});

describe('the doctor', () => {
  async function build(head: string, name: string): Promise<void> {
    const alice = await world.as('alice');
    const run = await alice.recordWorkflowRun(world.repository, {
      ...{
        name,
        headSha: head,
        branch: 'work',
        event: 'pull_request',
        status: 'completed',
        conclusion: 'failure',
      },
      jobs: [
        { name: 'test', steps: [{ name: 'run', conclusion: 'failure', log: `failed ${name} ${head}` }] },
      ],
    });
    await world.deliver(world.event('workflow-completed', { run, name, head, conclusion: 'failure' }));
  }

  it('is not called for its own failure', async () => {
    await openWorld('ci-doctor');
    const { number, head } = await world.openPullRequest('work', { 'b.txt': 'b\n' });
    await build(head, 'CI Doctor');
    expect(await world.house.views.listRuns()).toEqual([]);
    expect(await ownWords(number)).toEqual([]);
  });

  it('ends at its limit when builds keep failing, and says so once', async () => {
    await openWorld('ci-doctor');
    const { number, head } = await world.openPullRequest('work', { 'b.txt': 'b\n' });
    for (let round = 0; round < mostDiagnosesPerDay + 4; round += 1) await build(head, `build ${round}`);
    const words = await ownWords(number);
    expect(words).toHaveLength(mostDiagnosesPerDay + 1);
    expect(new Set(words).size).toBe(words.length);
    const runs = await world.house.views.listRuns();
    expect(runs).toHaveLength(mostDiagnosesPerDay + 4);
    expect(runs.every(({ status }) => status === 'done')).toBe(true);
  }, 240_000);
});
