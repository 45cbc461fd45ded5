/** The digest on a real forge: of the day before its slot, once, and only when there is something to tell. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import {
  dieWhileSettling,
  fileIssue,
  forgeInThePast,
  slot,
  stopGuardian,
} from '../../../test/support/scheduled-world.ts';
import { runAgent } from '../../fleet/run-agent.ts';

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open();
});
afterEach(() => world.remove());

/** A minute from now, unless told otherwise. */
const minute = 1 / 1440;

async function digest(days = minute): Promise<string | undefined> {
  const settled = await world.deliver(slot(world, 'daily-digest', days));
  expect(settled.flatMap(({ outcomes }) => outcomes.map(({ status }) => status))).toEqual(['done']);
  return settled[0]?.outcomes[0]?.reason.message;
}

async function digests() {
  const forge = await world.as('alice');
  return forge.listIssues(world.repository, { state: 'all', label: 'daily-digest' });
}

describe('daily-digest', () => {
  it('says nothing at all on a silent day', async () => {
    await fileIssue(forgeInThePast(world, 'alice', 3), world.repository, 'Old', ['blocked']);
    expect(await digest()).toBe('nothing to report: it was a quiet day');
    const forge = await world.as('alice');
    expect(await forge.listIssues(world.repository, { state: 'all' })).toHaveLength(1);
    expect((await forge.listLabels(world.repository)).map(({ name }) => name)).not.toContain('daily-digest');
  });

  it('tells what was done, what waits and what is stuck', async () => {
    const alice = await world.as('alice');
    const { repository } = world;
    const done = await fileIssue(alice, repository, 'Done @everyone');
    await alice.editIssue(repository, done, { state: 'closed' });
    const blocked = await fileIssue(forgeInThePast(world, 'alice', 9), repository, 'Stuck', ['blocked']);
    const old = await fileIssue(forgeInThePast(world, 'alice', 2), repository, 'Before');
    const merged = await world.openPullRequest('merged', { a: '1' });
    await alice.mergePullRequest(repository, merged.number, { head: merged.head, title: 'm', body: '' });
    const given = await world.openPullRequest('given-up', { b: '1' });
    await alice.editPullRequest(repository, given.number, { state: 'closed' });
    const waiting = await world.openPullRequest('waiting', { c: '1' }, { title: 'Waits' });
    await alice.editIssue(repository, waiting.number, { addLabels: ['needs-review'] });
    const opened = await fileIssue(alice, repository, 'New');
    const message = await digest();
    const [issue, ...more] = await digests();
    expect(more).toEqual([]);
    expect(message).toBe(`"${issue?.title}" is #${issue?.number}`);
    expect(issue?.title).toMatch(/^Daily Digest - \d{4}-\d\d-\d\d$/u);
    const body = issue?.body ?? '';
    const link = (number: number, kind = 'issues') => `[#${number}](local://${repository}/${kind}/${number})`;
    for (const text of [
      `${link(merged.number, 'pull')} Work on merged (merged)`,
      `${link(given.number, 'pull')} Work on given-up (closed without merging)`,
      `${link(done)} Done`,
      `## Needs Review\n\n**NORMAL**\n\n- ${link(waiting.number, 'pull')} Waits`,
      `## Blocked\n\n- \`#${blocked}\` Stuck: it is labelled as blocked`,
      `## Upcoming\n\n- ${link(opened)} New`,
    ])
      expect(body).toContain(text);
    expect(body).not.toContain('@everyone');
    expect(body).not.toContain(link(old));
  });

  it('names runs that stopped and wait for a person, and no path of this machine', async () => {
    const { number, run, status } = await stopGuardian(world, 'big', 'no such file: /home/secret');
    expect(status).toBe('failed');
    await digest();
    const [issue] = await digests();
    expect(issue?.body).toContain(
      `## Blocked\n\n- \`#${number}\`: pr-size-guardian stopped (\`internal\`); \`gatewright dispatch --resume ${run}\` continues it`,
    );
    expect(issue?.body).not.toContain('/home/secret');
    expect(issue?.body).not.toContain(world.playground.folder);
  });

  it('counts from its slot, not from now', async () => {
    await fileIssue(forgeInThePast(world, 'alice', 2.5), world.repository, 'Two days ago');
    expect(await digest()).toBe('nothing to report: it was a quiet day');
    expect(await digest(-2)).toMatch(/^"Daily Digest/u);
    await fileIssue(await world.as('alice'), world.repository, 'After the slot');
    expect((await digests())[0]?.body).toContain('Two days ago');
    expect(await digest(-3)).toBe('nothing to report: it was a quiet day');
  });

  it('is no news itself the day after', async () => {
    await fileIssue(await world.as('alice'), world.repository, 'New');
    await digest();
    expect(await digest(1 + minute)).toBe('nothing to report: it was a quiet day');
  });

  it('closes those of earlier days, and nothing that only looks like one', async () => {
    const alice = await world.as('alice');
    const { repository } = world;
    await fileIssue(forgeInThePast(world, 'alice', 3.5), repository, 'Long ago');
    await fileIssue(forgeInThePast(world, 'alice', 2.5), repository, 'Two days ago');
    await fileIssue(forgeInThePast(world, 'alice', 1.5), repository, 'Yesterday');
    for (const days of [-3, -2]) await digest(days);
    const states = async () =>
      (await alice.listIssues(repository, { state: 'all', label: 'daily-digest' }))
        .toSorted((a, b) => a.number - b.number)
        .map(({ number, state }) => [number, state]);
    expect(await states()).toEqual([
      [4, 'closed'],
      [5, 'open'],
    ]);
    await alice.editIssue(repository, 4, { state: 'open', addLabels: ['hold'] });
    const imitated = await fileIssue(alice, repository, 'Daily Digest - 2020-01-01', ['daily-digest']);
    const unmarked = await fileIssue(await world.as(world.own), repository, 'Daily Digest - 2020-01-02');
    await alice.editIssue(repository, unmarked, { addLabels: ['daily-digest'] });
    await digest(-1);
    expect(await states()).toEqual([
      [4, 'open'],
      [5, 'closed'],
      [imitated, 'open'],
      [unmarked, 'open'],
      [8, 'open'],
    ]);
    // One that is made up for later does not close what is newer.
    await fileIssue(forgeInThePast(world, 'alice', 4.5), repository, 'Longer ago');
    await digest(-4);
    expect((await states()).filter(([, state]) => state === 'closed')).toEqual([[5, 'closed']]);
  });

  it('comes once a day, under whatever delivery and from whatever process or machine', async () => {
    await fileIssue(await world.as('alice'), world.repository, 'New');
    const event = slot(world, 'daily-digest', minute);
    const other = await world.reopen({});
    await Promise.all([world.deliver(event, event), other.deliver(event)]);
    await world.settle();
    const again = await other.deliver({ ...event, delivery: `${event.delivery}-again` });
    expect(again[0]?.outcomes[0]?.reason.message).toMatch(/^nothing to do: "Daily Digest .* is #2$/u);
    // A machine with a ledger of its own finds it on the forge.
    const empty = await FleetWorld.open();
    const elsewhere = {
      ...world.house,
      ledger: empty.house.ledger,
      views: empty.house.views,
      leases: empty.house.leases,
    };
    const subject = `${world.repository}~daily-digest`;
    const target = { agent: 'daily-digest', subject, number: null } as const;
    const third = await runAgent(elsewhere, target, event, { own: world.own });
    expect(third.reason.message).toMatch(/^nothing to do/u);
    expect(await digests()).toHaveLength(1);
    empty.remove();
  });

  it('leaves it to a run that was cut off to finish its own', async () => {
    await fileIssue(await world.as('alice'), world.repository, 'New');
    const event = slot(world, 'daily-digest', minute);
    // Killed a little later each time, until the intent to file it is written.
    const whole = await world.reopen({});
    let death = 1;
    const subject = `${world.repository}~daily-digest`;
    const hasIntent = async () =>
      (await whole.house.ledger.readSubject(subject)).some(
        (entry) => entry.kind === 'effect-intended' && entry.data.effect.kind === 'create-issue',
      );
    while (!(await hasIntent())) {
      await dieWhileSettling(await world.reopen({}), event, { write: death, isWritten: true });
      death += 1;
    }
    const target = { agent: 'daily-digest', subject, number: null } as const;
    const other = { ...event, delivery: `${event.delivery}-other` };
    const second = await runAgent(whole.house, target, other, { own: world.own });
    expect(second.reason.message).toMatch(/is being made by/u);
    expect(await digests()).toEqual([]);
    await whole.settle();
    expect(await digests()).toHaveLength(1);
  });
});
