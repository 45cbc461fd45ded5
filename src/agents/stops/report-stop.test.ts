/** A review that stops is told of on the pull request, once, and goes on when somebody who may says so. */
import { afterEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { GatewrightError } from '../../errors.ts';
import { handleOpenEvents } from '../../fleet/handle-event.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';

let world: FleetWorld;
let outside: FleetWorld;
afterEach(() => outside.remove());

const fleet = 'reviewer,implementer,pr-size-guardian';

async function open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  outside = await FleetWorld.open({ 'a.txt': 'a\n' });
  world = await outside.reopen({ GATEWRIGHT_AGENTS: fleet, PATH: '/usr/bin:/bin', ...environment });
}

async function say(number: number, text: string, actor = 'alice') {
  const { id } = await (await world.as(actor)).createComment(world.repository, number, text);
  return world.deliver(
    world.event('comment-created', { number, isPullRequest: true, comment: id, text, actor }),
  );
}

async function said(number: number): Promise<string[]> {
  const comments = await (await world.as('alice')).listComments(world.repository, number);
  return comments.filter(({ author }) => author === world.own).map(({ body }) => body);
}

describe('a review that was not begun', () => {
  it('is begun by a word of somebody who may, and not by "continue"', async () => {
    await open();
    const { number } = await world.openPullRequest('work', { 'b.txt': 'b\n' });
    await world.as('mallory', 'read');
    const [refused] = await say(number, '@claude review', 'mallory');
    expect(refused?.refused).toMatchObject([{ agent: 'reviewer', because: 'not-permitted' }]);
    const agentsOf = async (text: string) =>
      (await say(number, text)).flatMap(({ outcomes }) => outcomes.map(({ run }) => run.request.agent));
    expect(await agentsOf('@claude continue')).not.toContain('reviewer');
    expect(await agentsOf('@claude review')).toEqual(['reviewer']);
  });
});

describe('a review that stops', () => {
  it('is told of once for each cause and head, and taken up by a word of somebody who may', async () => {
    await open();
    const { number, head } = await world.openPullRequest('work', { 'b.txt': 'b\n' });
    await world.deliver(world.event('pull-request-opened', { number, head }));
    await world.deliver(world.event('pull-request-reopened', { number, head }));
    const [first, ...more] = await said(number);
    expect(more).toEqual([]);
    expect(first).toContain('@alice The review of this has stopped:');
    expect(first).toContain('`@claude review`');

    const file = world.cassette({
      format: 'gatewright-cassette/1',
      about: 'a review',
      models: { reviewer: { name: 'gemini:gemini-3-pro', title: 'Gemini' } },
      calls: [
        {
          role: 'reviewer',
          call: 1,
          request: { includes: ['You review a change'] },
          answer: { object: { summary: 'Fine.', findings: [] } },
        },
      ],
    });
    world = await world.reopen({
      GATEWRIGHT_AGENTS: fleet,
      GATEWRIGHT_CODE_REVIEWER: `cassette:${file}`,
    });
    await world.as('mallory', 'read');
    const [refused] = await say(number, '@claude review', 'mallory');
    expect(refused?.refused).toMatchObject([{ agent: 'reviewer', because: 'not-permitted' }]);
    expect(refused?.outcomes).toEqual([]);
    const outcomes = (await say(number, '@claude continue')).flatMap((one) => one.outcomes);
    expect(outcomes.map(({ run }) => run.request.agent)).toEqual(['reviewer']);
    const reviews = await (await world.as('alice')).listReviews(world.repository, number);
    expect(reviews).toHaveLength(1);
    expect(await said(number)).toHaveLength(1);
  });

  it('is not told of when time alone helps, and whoever asks is answered each time', async () => {
    await open();
    const { number, head } = await world.openPullRequest('work', { 'b.txt': 'b\n' });
    const { house } = world;
    const busy = {
      ...house,
      makeModel: () => {
        throw new GatewrightError('model-unavailable', 'Busy.');
      },
    };
    await receiveEvent(busy, world.event('pull-request-opened', { number, head }));
    await handleOpenEvents(busy, { own: world.own }, () => undefined);
    expect(await said(number)).toEqual([]);
    await world.deliver(world.event('pull-request-reopened', { number, head }));
    await say(number, '@claude review');
    expect(await said(number)).toHaveLength(2);
  });
});
