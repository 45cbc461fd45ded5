/** What a pull request waits for before it is merged, on the local forge: it is merged when that happens, and not before. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { openReadyPullRequest, recordReview, setLabel } from '../../../test/support/reviewed-pull-request.ts';
import type { LocalForge } from '../../adapters/local-forge/local-forge.ts';
import { handleFeed } from '../../fleet/handle-event.ts';

let world: FleetWorld;
afterEach(() => world.remove());

interface Waiting {
  readonly forge: LocalForge;
  readonly number: number;
  readonly head: string;
}

async function settle(): Promise<void> {
  await handleFeed(world.house, { own: world.own }, () => undefined);
}

const stateOf = async ({ forge, number }: Waiting) =>
  (await forge.getPullRequest(world.repository, number)).state;

const status =
  (state: 'pending' | 'success') =>
  ({ forge, head }: Waiting) =>
    forge.setStatus(world.repository, head, { name: 'ci', state, description: '' });
const check =
  (state: 'pending' | 'neutral') =>
  ({ forge, head }: Waiting) =>
    forge.recordCheckRun(world.repository, head, { name: 'ci', state });
const review =
  (decision: 'request-changes' | 'approve') =>
  async ({ number, head }: Waiting) =>
    (await world.as('bob', 'write')).createReview(world.repository, number, {
      ...{ commit: head, decision, body: 'So', comments: [] },
    });
const base =
  (name: string) =>
  ({ forge, number }: Waiting) =>
    forge.editPullRequest(world.repository, number, { base: name });

describe('what is waited for', () => {
  beforeEach(async () => {
    world = await FleetWorld.open({ 'base.txt': 'x\n' }, { GATEWRIGHT_AGENTS: 'auto-merge' });
    world.playground.git('branch', 'release');
  });

  it.each<[string, (one: Waiting) => Promise<unknown>, (one: Waiting) => Promise<unknown>]>([
    [
      'that a draft is ready',
      ({ forge, number }) => forge.editPullRequest(world.repository, number, { isDraft: true }),
      ({ forge, number }) => forge.editPullRequest(world.repository, number, { isDraft: false }),
    ],
    ['that a status turns green', status('pending'), status('success')],
    ['that a check run ends without a failure', check('pending'), check('neutral')],
    ['that somebody who asked for changes is content', review('request-changes'), review('approve')],
    [
      'that a hold is taken off',
      ({ number }) => setLabel(world, number, 'hold'),
      ({ forge, number }) => forge.editIssue(world.repository, number, { removeLabels: ['hold'] }),
    ],
    [
      'that the label is set',
      ({ forge, number }) => forge.editIssue(world.repository, number, { removeLabels: ['auto-merge'] }),
      ({ number }) => setLabel(world, number, 'auto-merge'),
    ],
    ['that it has the base again that it was reviewed for', base('release'), base('main')],
  ])('%s', async (_, hinder, help) => {
    const forge = await world.as('alice');
    const waiting = { forge, ...(await openReadyPullRequest(world, 'topic', { 'new.txt': 'x\n' })) };
    await hinder(waiting);
    await settle();
    await settle();
    expect(await stateOf(waiting)).toBe('open');
    await help(waiting);
    await settle();
    expect(await stateOf(waiting)).toBe('merged');
  });
});

describe('a pull request that gets another base', () => {
  it('is reviewed for it, and merged there as what it is there', async () => {
    const first = await FleetWorld.open({ 'base.txt': 'x\n' });
    const object = { summary: 'Fine.', findings: [] };
    const file = first.cassette({
      format: 'gatewright-cassette/1',
      about: 'reviews',
      models: { reviewer: { name: 'gemini:gemini-3-pro', title: 'Gemini' } },
      calls: [{ role: 'reviewer', call: 2, request: { includes: ['BEGIN diff'] }, answer: { object } }],
    });
    world = await first.reopen({
      GATEWRIGHT_CODE_REVIEWER: `cassette:${file}`,
      GATEWRIGHT_AGENTS: 'reviewer,auto-merge',
    });
    world.playground.git('branch', 'release');
    const forge = await world.as('alice');
    const pull = await world.openPullRequest('topic', { 'new.txt': 'x\n' });
    await recordReview(world, pull);
    await settle();
    await setLabel(world, pull.number, 'auto-merge');
    await base('release')({ forge, ...pull });
    const main = world.headOf('main');
    await settle();
    // The label was set for the base that it had then.
    expect(await stateOf({ forge, ...pull })).toBe('open');
    await forge.editIssue(world.repository, pull.number, { removeLabels: ['auto-merge'] });
    await setLabel(world, pull.number, 'auto-merge');
    await settle();
    expect(await stateOf({ forge, ...pull })).toBe('merged');
    expect(world.headOf('main')).toBe(main);
    expect(world.fileAt('release', 'new.txt')).toBe('x');
    const reviewed = (await world.entries(pull.number)).flatMap((entry) =>
      entry.kind === 'code-reviewed' ? [entry.key] : [],
    );
    expect(reviewed).toHaveLength(2);
  });
});
