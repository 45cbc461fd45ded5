/** What a merge rested on is on the ledger before it happens: label, review, approvals, checks and tests. */
import { afterEach, describe, expect, it } from 'vitest';
import { isLong } from '../../../test/support/crash-everywhere.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { recordReview, setLabel } from '../../../test/support/reviewed-pull-request.ts';
import { describeEntry } from '../../domain/ledger/describe-entry.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

type World = FleetWorld | GithubFleetWorld;
let world: World;
afterEach(() => world.remove());

const settings = { GATEWRIGHT_AGENTS: 'auto-merge' };

async function merge(branch: string) {
  const { number, head } = await world.openPullRequest(branch, { [`docs/${branch}.md`]: 'x\n' });
  await world.catchUp();
  await setLabel(world, number, 'auto-merge');
  const review = { commit: head, decision: 'approve' as const, body: 'Good.', comments: [] };
  // Words of an account without permission are no ground.
  for (const [login, permission] of [
    ['bob', 'write'],
    ['mallory', 'read'],
  ] as const)
    await (await world.as(login, permission)).createReview(world.repository, number, review);
  await world.catchUp();
  await recordReview(world, { number, head });
  await world.deliver(world.event('unlabeled', { number, isPullRequest: true, label: 'something' }));
  const { state } = await (await world.look()).getPullRequest(world.repository, number);
  expect(state).toBe('merged');
  return { number, head };
}

const entriesOf = async (number: number) => world.house.ledger.readSubject(`${world.repository}#${number}`);

describe.each([
  ['the local forge', FleetWorld],
  ['GitHub', GithubFleetWorld],
] as const)('a merge on %s', (_, kind) => {
  it.skipIf(kind === GithubFleetWorld && !isLong)(
    'names the label, the review and the checks that it used, before it happens',
    async () => {
      world = await kind.open({ 'base.md': 'base\n' }, settings);
      const { number, head } = await merge('topic');
      const entries = await entriesOf(number);
      const review = entries.find((entry) => entry.kind === 'code-reviewed');
      const at = entries.findIndex((entry) => entry.kind === 'merge-granted');
      const granted = entries[at];
      if (granted?.kind !== 'merge-granted') throw new Error('no grant is on the ledger');
      expect(granted.data).toMatchObject({
        ...{ number, head, base: 'main', approvals: [{ by: 'bob', commit: head }] },
        label: { by: 'person', actor: 'alice', head, carriedBy: [] },
        reviews: [{ entry: review?.hash, by: 'a reviewer' }],
      });
      const merged = entries.findIndex(
        (entry) => entry.kind === 'effect-intended' && entry.data.effect.kind === 'merge-pull-request',
      );
      expect(merged).toBeGreaterThan(at);
      expect(describeEntry(granted)).toContain(`#${number} at ${head.slice(0, 8)} onto main`);
      expect(describeEntry(granted)).toContain('label set by alice');
      const { grounds } = await explainNumber(world.house, world.own, number);
      expect(grounds?.join('\n')).toContain('alice');
      expect(grounds?.join('\n')).toContain('a reviewer');
      expect((await world.house.ledger.verify()).problems).toEqual([]);
    },
  );
});

describe('the commit of a merge', () => {
  it('says what was done at first and in each correction that is part of it', async () => {
    world = await FleetWorld.open({ 'base.md': 'base\n' }, settings);
    const { ledger, actor } = world.house;
    const { number, head } = await world.openPullRequest('topic', { 'docs/topic.md': 'x\n' });
    const gone = (world as FleetWorld).branch('gone', { 'docs/gone.md': 'x\n' });
    const subject = `${world.repository}#${number}`;
    const common = { subject, run: 'R', actor } as const;
    const base = world.headOf('main') ?? '';
    const first = { number, issue: null, branch: 'topic', base: 'main' };
    await ledger.append([
      {
        ...{ ...common, kind: 'pull-request-made', key: subject },
        data: { ...first, summary: await ledger.putText('It counts rows.') },
      },
    ]);
    for (const [commit, said] of [
      [base, 'The header is not counted. Fixes #1'],
      [gone, 'Something that was thrown away.'],
      [head, 'An empty file has no rows.'],
    ] as const)
      await ledger.append([
        {
          ...{ ...common, kind: 'work-summarised', key: `${subject}@${commit}` },
          data: { number, commit, summary: await ledger.putText(said) },
        },
      ]);
    await world.catchUp();
    await setLabel(world, number, 'auto-merge');
    await world.catchUp();
    await recordReview(world, { number, head });
    await world.deliver(world.event('unlabeled', { number, isPullRequest: true, label: 'something' }));
    const message = world.git('log', '-1', '--format=%B', 'main');
    expect(message).toContain(
      'It counts rows.\n\nThe header is not counted. Fixes no. 1\n\nAn empty file has no rows.\n\nReviewed at',
    );
    expect(message).not.toContain('thrown away');
  });
});

describe('a tested batch', () => {
  it('names the grant of each member and the commit that was tested', async () => {
    world = await FleetWorld.open({ 'base.md': 'base\n' }, { ...settings, GATEWRIGHT_VERIFY: 'true' });
    const { number } = await merge('one');
    const granted = (await entriesOf(number)).find((entry) => entry.kind === 'merge-granted');
    const tested = (await entriesOf(number)).find((entry) => entry.kind === 'command-verified');
    if (granted?.kind !== 'merge-granted' || tested?.kind !== 'command-verified') throw new Error('missing');
    expect(granted.data.tested).toBe(tested.data.commit);
  });
});
