/** Scenes with the merge queue of the forge, which the local forge has not: what it does with what an agent handed over. */
import { expect } from 'vitest';
import { ownBranches } from '../../src/domain/forge/own-branches.ts';
import { playTape } from './chain-world.ts';
import type { FleetRoom } from './fleet-room.ts';
import type { FleetScenario } from './fleet-scene.ts';
import { GithubFleetWorld } from './github-fleet-world.ts';
import { dequeue, mergeQueued, setUpQueue } from './github-merge-queue.ts';
import { recordReview, setLabel } from './reviewed-pull-request.ts';

const agents = { GATEWRIGHT_AGENTS: 'auto-merge' };

/** A pull request that has everything, up to where the queue has it. */
async function arrangeQueued(world: FleetRoom) {
  if (!(world instanceof GithubFleetWorld)) throw new Error('Only GitHub has a merge queue.');
  setUpQueue(world.stored);
  const pull = await world.openPullRequest(`${ownBranches}topic`, { 'docs/topic.md': 'x\n' });
  await recordReview(world, pull);
  await setLabel(world, pull.number, 'auto-merge');
  const { GATEWRIGHT_VERIFY: _, ...tape } = playTape(world, { calls: [] });
  const environment = { ...tape, ...agents };
  return { world, environment, state: world.server.state, number: pull.number };
}

const entering: FleetScenario = {
  name: 'a pull request that goes into the merge queue',
  ...{ agents: ['auto-merge'], on: 'github' },
  async arrange(room) {
    const { environment } = await arrangeQueued(room);
    return { schedule: null, environment };
  },
  expectDone({ forge, ledger }) {
    expect(forge.pulls).toMatchObject([{ state: 'open', comments: [] }]);
    expect(ledger.deeds.filter((deed) => deed.includes('enqueue'))).toHaveLength(1);
  },
};

const merged: FleetScenario = {
  name: 'the merge queue merges it',
  ...{ agents: ['auto-merge'], on: 'github' },
  async arrange(room) {
    const { world, environment, state, number } = await arrangeQueued(room);
    await world.catchUp((await world.reopen(environment)).house);
    mergeQueued(state, world.stored, number);
    return { schedule: null, environment };
  },
  expectDone({ forge, ledger }) {
    expect(forge.pulls).toMatchObject([{ state: 'merged', comments: [] }]);
    expect(forge.branches).toEqual(['main']);
    expect(ledger.deeds.filter((deed) => deed.includes('enqueue'))).toHaveLength(1);
    expect(ledger.deeds.filter((deed) => deed.includes('delete'))).toHaveLength(1);
  },
};

const removed: FleetScenario = {
  name: 'the merge queue takes it out again',
  ...{ agents: ['auto-merge'], on: 'github' },
  async arrange(room) {
    const { world, environment, state, number } = await arrangeQueued(room);
    await world.catchUp((await world.reopen(environment)).house);
    // GitHub counts seconds: what happens within the same one as the label would not be after it.
    state.advance(2000);
    dequeue(state, world.stored, number, 'CI_FAILURE');
    return { schedule: null, environment };
  },
  expectDone({ forge, ledger }) {
    expect(forge.pulls).toMatchObject([{ state: 'open', comments: [expect.stringContaining('ci failure')] }]);
    expect(ledger.deeds.filter((deed) => deed.includes('enqueue'))).toHaveLength(1);
  },
};

export const queueScenes: readonly FleetScenario[] = [entering, merged, removed];
