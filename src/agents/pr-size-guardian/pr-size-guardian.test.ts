/** The guardian counts with the forge's numbers and speaks once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open({}, { GATEWRIGHT_AGENTS: 'pr-size-guardian' });
});
afterEach(() => world.remove());

async function commentsOn(number: number): Promise<string[]> {
  const forge = await world.as('alice');
  return (await forge.listComments(world.repository, number)).map(({ body }) => body);
}

describe('pr-size-guardian', () => {
  it('warns above 400 lines, once, however often and from wherever it hears of it', async () => {
    const { number, head } = await world.openPullRequest('big', { 'big.txt': lines(401) });
    const opened = world.event('pull-request-opened', { number, head });
    await world.deliver(opened, opened);
    await world.deliver(opened);
    await world.deliver(world.event('pull-request-synchronized', { number, head }));
    const comments = await commentsOn(number);
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain('**401 lines** in 1 file');
  });

  it('says nothing at 400 lines', async () => {
    const { number, head } = await world.openPullRequest('fits', { 'fits.txt': lines(400) });
    const [outcome] = await world.deliver(world.event('pull-request-opened', { number, head }));
    expect(outcome?.outcomes.map(({ reason }) => reason.message)).toContain(
      `#${number} changes 400 lines, which is fine`,
    );
    expect(await commentsOn(number)).toEqual([]);
  });

  it.each([
    [400, `#1 changes 400 lines, which is fine`],
    [401, `#1 changes 401 lines; its author was told`],
  ])('counts %i lines without the archive of a loop', async (count, message) => {
    const path = 'archive/2026-06-01-issue-7-big/issue-comments.md';
    const files = { 'big.txt': lines(count), [path]: lines(900) };
    const { number, head } = await world.openPullRequest('loop', files);
    const data = { number, issue: 7, branch: 'loop', base: 'main', archive: [path, 'archive/other.md'] };
    const subject = `${world.repository}#${number}`;
    await world.house.ledger.appendNew([
      { subject, run: '', actor: 'a', kind: 'pull-request-made', key: subject, data },
    ]);
    const [outcome] = await world.deliver(world.event('pull-request-opened', { number, head }));
    expect(outcome?.outcomes.map(({ reason }) => reason.message)).toContain(message);
    const [comment] = await commentsOn(number);
    if (count > 400)
      expect(comment).toContain(
        '**401 lines** in 1 file (besides 900 lines of its archive, which do not count)',
      );
  });

  it('does not judge what a template brings', async () => {
    const { number, head } = await world.openPullRequest('sync', { 'big.txt': lines(900) });
    const alice = await world.as('alice');
    await alice.ensureLabel(world.repository, { name: 'template_sync', colour: 'bfd4f2', description: '' });
    await alice.editIssue(world.repository, number, { addLabels: ['template_sync'] });
    await world.deliver(world.event('pull-request-opened', { number, head }));
    expect(await commentsOn(number)).toEqual([]);
  });

  it('leaves a closed one alone', async () => {
    const { number, head } = await world.openPullRequest('gone', { 'big.txt': lines(900) });
    await (await world.as('alice')).editPullRequest(world.repository, number, { state: 'closed' });
    await world.deliver(world.event('pull-request-opened', { number, head }));
    expect(await commentsOn(number)).toEqual([]);
  });
});
