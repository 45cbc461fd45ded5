/** Scheduled agents ask a forge for lists, never issue by issue; what has not changed costs nothing of its limit. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScheduledCalls } from '../../../test/support/scheduled-calls.ts';

const issues = 500;
let calls: ScheduledCalls;
let peer: number;
beforeAll(async () => {
  calls = await ScheduledCalls.open(issues);
  peer = await calls.countPeer();
});
afterAll(() => calls.close());

const listStale = () => calls.world.stored.issues.filter(({ labels }) => labels.includes('stale'));

describe(`over ${issues} issues`, () => {
  it('a scan that asks for each makes as many calls', () => expect(peer).toBe(issues));

  it('the gardener makes a twentieth of them at most, and none that count when nothing has changed', async () => {
    const { first, again } = await calls.compare('stale-gardener', peer);
    expect(first.message).toBe('nothing to do: no issue needed anything');
    expect(first.total).toBeLessThanOrEqual(peer / 20);
    expect(first.total).toBe(issues / 100);
    expect(again).toMatchObject({ message: first.message, counted: 0, total: issues / 100 });
  });

  it('the digest makes a handful', async () => {
    const { first, again } = await calls.compare('daily-digest', peer);
    expect(first.message).toBe('nothing to report: it was a quiet day');
    expect(first.total).toBeLessThanOrEqual(6);
    // Another day asks for another time: what is asked with a moment cannot be remembered.
    expect(again).toMatchObject({ message: first.message, counted: 2 });
  });

  it('acting costs by what is done, not by how many issues there are', async () => {
    const { message, counted } = await calls.settle('stale-gardener', 25);
    expect(message).toBe(`did 50 of ${issues} things that were to do`);
    const pages = issues / 100;
    // A comment and a label on each of fifty, the label and the report made once.
    expect(counted).toBeLessThanOrEqual(pages + 50 * 6 + 20);
    expect(listStale()).toHaveLength(50);
    expect(listStale().every(({ comments }) => comments.length === 1)).toBe(true);
  });

  it('what it did itself is no activity the next time, by the dates of GitHub too', async () => {
    expect((await calls.settle('stale-gardener', 26)).message).toBe(
      `did 50 of ${issues - 50} things that were to do`,
    );
    expect(listStale()).toHaveLength(100);
    expect(listStale().every(({ comments }) => comments.length === 1)).toBe(true);
  });

  it('the digest of a day with news is filed once', async () => {
    const { server, stored } = calls.world;
    server.state.addIssue(stored, 'alice', 'News', '', ['bug']);
    const { message } = await calls.settle('daily-digest', 1 / 1440);
    const digest = stored.issues.at(-1);
    expect(message).toBe(`"${digest?.title}" is #${digest?.number}`);
    expect(digest).toMatchObject({ author: calls.world.own, labels: ['daily-digest'] });
    expect((await calls.settle('daily-digest', 1 / 1440)).message).toBe(`nothing to do: ${message}`);
    expect(stored.issues.at(-1)).toBe(digest);
  });
});
