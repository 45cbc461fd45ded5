/** The gardener over weeks on a real forge: what it does, what it leaves, and what it does not take for activity. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { fileIssue, forgeInThePast, slot } from '../../../test/support/scheduled-world.ts';
import { runAgent } from '../../fleet/run-agent.ts';

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open();
});
afterEach(() => world.remove());

const file = (title: string, days: number, labels: readonly string[] = []) =>
  fileIssue(forgeInThePast(world, 'alice', days), world.repository, title, labels);

async function garden(days = 0): Promise<string | undefined> {
  const [settled] = await world.deliver(slot(world, 'stale-gardener', days));
  expect(settled?.outcomes.map(({ status }) => status)).toEqual(['done']);
  return settled?.outcomes[0]?.reason.message;
}

async function look(number: number) {
  const forge = await world.as('alice');
  const { state, labels } = await forge.getIssue(world.repository, number);
  const comments = await forge.listComments(world.repository, number);
  return { state, labels: [...labels].sort(), comments: comments.map(({ body }) => body) };
}

async function reports() {
  const forge = await world.as('alice');
  return forge.listIssues(world.repository, { state: 'all', label: 'gardener-report' });
}

describe('stale-gardener', () => {
  it('warns, waits, closes; and its own doing is no activity', async () => {
    const number = await file('Add dark mode', 31, ['feature']);
    expect(await garden()).toBe('did 1 of 1 things that were to do');
    const marked = await look(number);
    expect(marked).toMatchObject({ state: 'open', labels: ['feature', 'stale'] });
    expect(marked.comments).toHaveLength(1);
    expect(marked.comments[0]).toContain('31 days');
    const closing = new Date(Date.now() + 29 * 86_400_000).toISOString().slice(0, 10);
    expect(marked.comments[0]).toContain(`closed in the first round on or after ${closing}`);
    expect(marked.comments[0]).toContain('say so in a comment');
    expect(marked.comments[0]).toContain('`pinned` or `hold`');
    for (const days of [7, 14, 21, 28])
      expect(await garden(days)).toBe('nothing to do: no issue needed anything');
    expect(await look(number)).toEqual(marked);
    expect(await reports()).toHaveLength(1);
    await garden(35);
    const closed = await look(number);
    expect(closed).toMatchObject({ state: 'closed', labels: ['feature', 'stale'] });
    expect(closed.comments[1]).toContain('Closed: nothing has happened here for 66 days');
    expect(closed.comments[1]).toContain('reopen it');
    const [last] = await reports();
    expect(last?.title).toMatch(/^Gardener Report - \d{4}-\d\d-\d\d$/u);
    expect(last?.body).toContain(`## Closed\n\n- \`#${number}\` Add dark mode, quiet for 66 days`);
  });

  it('takes the mark off when somebody speaks, and counts anew', async () => {
    const number = await file('Add dark mode', 100, ['feature']);
    await garden();
    await (await world.as('alice')).createComment(world.repository, number, 'I still want this');
    await garden(7);
    expect(await look(number)).toMatchObject({ state: 'open', labels: ['feature'] });
    await garden(28);
    expect((await look(number)).labels).toEqual(['feature']);
    await garden(35);
    expect(await look(number)).toMatchObject({ state: 'open', labels: ['feature', 'stale'] });
    expect((await look(number)).comments).toHaveLength(3);
  });

  it('closes nothing that it has not warned of itself', async () => {
    const number = await file('Add dark mode', 300, ['feature', 'stale']);
    await garden();
    expect(await look(number)).toMatchObject({ state: 'open', labels: ['feature', 'stale'] });
    expect((await look(number)).comments).toHaveLength(1);
    await garden(13);
    expect((await look(number)).state).toBe('open');
    await garden(20);
    expect((await look(number)).state).toBe('closed');
  });

  it('leaves alone what is held, what is in work, and reports, also one that lost its label', async () => {
    const held = ['hold', 'pinned', 'blocked', 'security', 'planning', 'claude-working', 'AI: Planning'];
    const numbers: number[] = [];
    for (const label of held) numbers.push(await file('It crashes', 200, [label]));
    const own = forgeInThePast(world, world.own, 200);
    for (const title of [
      'Daily Digest - 2026-01-01',
      'Agent Health Report - 2026-01-02',
      'Gardener Report - x',
    ])
      numbers.push(await fileIssue(own, world.repository, title));
    const before = await Promise.all(numbers.map(look));
    expect(await garden()).toBe('nothing to do: no issue needed anything');
    expect(await Promise.all(numbers.map(look))).toEqual(before);
    expect(await reports()).toEqual([]);
  });

  it('labels by content what nobody labelled, and not pull requests', async () => {
    const bug = await file('It crashes with an error', 2);
    const question = await file('How do I configure it?', 2);
    const nothing = await file('Hm', 2);
    const { number: pull } = await world.openPullRequest('topic', { a: 'b' });
    const fresh = await file('It crashes', 0);
    await garden();
    expect((await look(bug)).labels).toEqual(['bug']);
    expect((await look(question)).labels).toEqual(['question']);
    for (const number of [nothing, pull, fresh]) expect((await look(number)).labels).toEqual([]);
    expect((await look(bug)).comments).toEqual([]);
  });

  it('calls nobody and links nothing in its report', async () => {
    await file('@everyone see #7 and\u00A0https://example.org', 40, ['bug']);
    await garden();
    const [report] = await reports();
    expect(report?.body.replace(/`[^`]*`/gu, '')).not.toMatch(/@everyone|#7|:\/\//u);
    expect(report?.labels).toEqual(['gardener-report']);
  });

  it('does a bounded amount, says what is left, and does that the next time', async () => {
    for (let index = 0; index < 60; index += 1) await file(`Add thing ${index}`, 100 - index, ['feature']);
    expect(await garden()).toBe('did 50 of 60 things that were to do');
    expect((await reports())[0]?.body).toContain('10 more things to do: left for the next round.');
    // The same round under another delivery does not do them either.
    expect(await garden()).toMatch(/^nothing to do: the round of .* was made$/u);
    expect((await look(1)).labels).toContain('stale');
    expect((await look(60)).labels).not.toContain('stale');
    expect(await garden(7)).toBe('did 10 of 10 things that were to do');
    expect((await look(60)).labels).toContain('stale');
  });

  it('acts once, however often it is delivered and however many processes settle it', async () => {
    const number = await file('Add dark mode', 40, ['feature']);
    const event = slot(world, 'stale-gardener');
    const other = await world.reopen({});
    await Promise.all([world.deliver(event, event), other.deliver(event)]);
    await Promise.all([
      world.deliver(event),
      other.deliver({ ...event, delivery: `${event.delivery}-again` }),
    ]);
    await world.settle();
    expect((await look(number)).comments).toHaveLength(1);
    expect(await reports()).toHaveLength(1);
  });

  it('touches nothing in a dry run, which does not count as a round', async () => {
    const number = await file('Add dark mode', 40, ['feature']);
    const event = slot(world, 'stale-gardener');
    const subject = `${world.repository}~stale-gardener`;
    const target = { agent: 'stale-gardener', subject, number: null } as const;
    const { status } = await runAgent(world.house, target, event, { own: world.own, dryRun: true });
    expect(status).toBe('done');
    expect(await look(number)).toMatchObject({ labels: ['feature'], comments: [] });
    expect(await garden()).toBe('did 1 of 1 things that were to do');
  });
});
