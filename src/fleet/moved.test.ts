/** A repository that was renamed or whose name another one has, and issues that were transferred or deleted. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GithubFleetWorld } from '../../test/support/github-fleet-world.ts';
import { openReadyPullRequest } from '../../test/support/reviewed-pull-request.ts';
import { rejectedCode } from '../../test/support/thrown-code.ts';
import { GatewrightError } from '../errors.ts';
import { explainNumber } from './explain-number.ts';
import { handleOpenEvents } from './handle-event.ts';
import { recogniseRepository } from './recognise-repository.ts';

let world: GithubFleetWorld;

beforeEach(async () => {
  world = await GithubFleetWorld.open({ 'sum.mjs': 'export const sum = (a, b) => a - b;\n' });
});
afterEach(() => world.remove());

const rename = (to: string) => world.server.state.renameRepository(world.stored, to);

describe('a repository', () => {
  const identity = async (house = world.house) => recogniseRepository(house);

  it('is known by its number, which is written down once', async () => {
    const first = await identity();
    expect(await identity((await world.reopen({})).house)).toEqual(first);
    const entries = await world.house.ledger.readSubject(`${world.repository}~identity`);
    expect(entries.map(({ kind, data }) => [kind, data])).toEqual([
      ['repository-identified', { id: String(world.stored.id), name: world.repository }],
    ]);
    expect(await world.house.views.listRenamed()).toEqual([]);
  });

  it('that was renamed while nothing ran is known again, and told once for each name', async () => {
    await identity();
    rename('acme/new');
    const { house } = await world.reopen({});
    for (let index = 0; index < 2; index += 1)
      expect(await identity(house)).toEqual({ id: String(world.stored.id), name: 'acme/new' });
    expect(await house.views.listRenamed()).toEqual([{ repository: 'acme/project', name: 'acme/new' }]);
    rename('acme/newer');
    await identity((await world.reopen({})).house);
    expect(await house.views.listRenamed()).toEqual([{ repository: 'acme/project', name: 'acme/newer' }]);
    rename('acme/project');
    await identity((await world.reopen({})).house);
    expect(await house.views.listRenamed()).toEqual([]);
  });

  it('that took the name while nothing ran is not taken for ours', async () => {
    await identity();
    rename('acme/new');
    world.server.state.renamed.clear();
    world.server.state.addRepository('acme/project', { alice: 'admin', [world.own]: 'write' });
    const { house } = await world.reopen({});
    expect(await rejectedCode(identity(house))).toBe('forge-moved');
    expect(await rejectedCode(identity(house))).toBe('forge-moved');
    expect(await house.views.listRenamed()).toEqual([]);
  });
});

describe('an issue that is not here any more', () => {
  const ways = {
    transferred: () => {
      const other = world.server.state.addRepository('acme/other', { alice: 'admin', [world.own]: 'write' });
      world.server.state.transferIssue(world.stored, 1, other);
      return other;
    },
    deleted: () => {
      world.server.state.deleteIssue(world.stored, 1);
      return null;
    },
  };
  const expected = {
    transferred: {
      code: 'forge-moved',
      state: 'moved',
      said: 'acme/project#1 was moved: it is acme/other#1 now.',
    },
    deleted: { code: 'forge-gone', state: 'deleted', said: expect.stringContaining('deleted') },
  };

  it.each(['transferred', 'deleted'] as const)('is explained in plain words: %s', async (way) => {
    await (await world.as('alice')).createIssue(world.repository, { title: 'T', body: 'B', labels: [] });
    ways[way]();
    const explained = await explainNumber(world.house, world.own, 1);
    expect(explained.state).toBe(expected[way].state);
    expect(explained.conditions.map(({ what }) => what)).toEqual([expected[way].said]);
  });

  it.each(['transferred', 'deleted'] as const)('stops its agent with the reason, once: %s', async (way) => {
    const fleet = await world.reopen({ GATEWRIGHT_AGENTS: 'implementer' });
    const { house } = fleet;
    const alice = await fleet.as('alice');
    await alice.createIssue(fleet.repository, { title: 'T', body: 'B', labels: [] });
    const told = fleet.event('comment-created', {
      ...{ number: 1, isPullRequest: false, comment: 7, text: '@claude please' },
    });
    const other = ways[way]();
    await fleet.deliver(told);
    const runs = async () => (await house.views.listRuns()).map(({ reason }) => reason?.code);
    expect(await runs()).toEqual([expected[way].code]);
    await handleOpenEvents(house, { own: fleet.own }, () => undefined);
    await fleet.deliver(told);
    expect(await runs()).toEqual([expected[way].code]);
    expect(await house.views.listOpenEvents()).toEqual([]);
    // Nothing is said or done where it went.
    expect(other?.issues.map(({ comments, labels }) => [comments, labels]) ?? []).toEqual(
      other === null ? [] : [[[], []]],
    );
    expect((await explainNumber(house, fleet.own, 1)).state).toBe(expected[way].state);
  });
});

describe('explain, when git cannot be reached', () => {
  it('tells all that it knows, and what it could not look at', async () => {
    await openReadyPullRequest(world, 'topic', { 'topic.txt': 'x\n' });
    const alice = await world.as('alice');
    await alice.editIssue(world.repository, 1, { addLabels: ['hold'] });
    const { transport } = world.house;
    const broken = {
      ...world.house,
      transport: {
        ...transport,
        fetchBranch: async () => {
          throw new GatewrightError('forge-unavailable', 'github.com cannot be reached.');
        },
      } as typeof transport,
    };
    const conditions = (await explainNumber(broken, world.own, 1)).conditions.map(({ what }) => what);
    expect(conditions).toContain('the label "hold" blocks it');
    expect(conditions).toContain(
      'git could not fetch the commits, so it is not known at which commit "auto-merge" was set and whether the change needs a person: github.com cannot be reached.',
    );
    // Whoever merges does not go on without having looked.
    const whole = (await explainNumber(world.house, world.own, 1)).conditions.map(({ what }) => what);
    expect(whole.some((what) => what.includes('could not fetch the commits'))).toBe(false);
  });
});
