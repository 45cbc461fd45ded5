/** What is found out before models are paid for, and work at a commit that is nowhere. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FleetRoom } from '../../../test/support/fleet-room.ts';
import { setUp } from '../../../test/support/fleet-scene.ts';
import { orderScenes } from '../../../test/support/order-scenes.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import type { Proposal } from '../../domain/proposals/proposal.ts';
import { sealProposal } from '../../domain/proposals/seal-proposal.ts';
import { GatewrightError } from '../../errors.ts';
import type { House } from '../../runs/house.ts';

let world: FleetRoom;
let play: ActionsPlay;

beforeEach(async () => {
  const [order] = orderScenes;
  if (order === undefined) throw new Error('There is no scene.');
  ({ world } = await setUp(order));
  play = new ActionsPlay(world);
  await play.receive();
  expect((await play.begin()).next).toBe('propose');
}, 60_000);
afterEach(() => world.remove());

it('asks nobody where no work could be packed', async () => {
  let scratch: House | null = null;
  const proposing = play.propose((house) => {
    const checkPacking = async (): Promise<never> => {
      throw new GatewrightError('git-failed', 'There is no room.');
    };
    scratch = { ...house, parcels: { ...house.parcels, checkPacking, pack: checkPacking } };
    return scratch;
  });
  await expect(proposing).rejects.toThrow('There is no room.');
  const ledger = (scratch as House | null)?.ledger;
  const subjects = (await ledger?.listSubjects()) ?? [];
  const entries = await Promise.all(subjects.map((subject) => ledger?.readSubject(subject)));
  const kinds = entries.flatMap((one) => one ?? []).map(({ kind }) => kind);
  expect(kinds).toContain('event-received');
  expect(kinds.filter((kind) => kind.startsWith('model-'))).toEqual([]);
});

it('packs what was worked on at the merge of a pull request, which no job fetches', async () => {
  const place = { ...play.place(), base: 'f'.repeat(40) };
  let parcel: string | null | undefined;
  await play.propose((house) => {
    const { parcels } = house;
    const pack: typeof parcels.pack = async (_, all) => {
      parcel = await parcels.pack(place.base, all);
      return parcel;
    };
    return { ...house, parcels: { ...parcels, checkPacking: () => parcels.checkPacking(place.base), pack } };
  });
  expect(parcel).toMatch(/^UEFDS/u);
});

it('has work paid for that is of no use, since it began at another commit', async () => {
  const { body } = JSON.parse(await play.propose()) as { body: Proposal };
  const other = world.git('commit-tree', '-m', 'X', '-p', 'main', 'main^{tree}').trim();
  const start = (done: Proposal['runs'][number]['calls'][number]['done']): void => {
    if (done.kind === 'worked' && done.left !== null) done.left.start = other;
  };
  for (const { calls } of body.runs) for (const { done } of calls) start(done);
  const file = sealProposal(world.house.signingKey, body);
  for (let time = 0; time < 2; time += 1) {
    const { refused, applied } = await play.apply(file);
    expect(refused).toBeNull();
    expect(applied).toMatchObject({ waiting: [{}], unused: 1 });
  }
  const failed = (await world.entries(1)).filter(({ kind }) => kind === 'model-failed');
  expect(failed).toMatchObject([{ data: { why: 'answer-outdated', role: 'implementer' } }]);
});
