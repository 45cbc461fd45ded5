/**
 * How many signed deliveries of 10 KB a second are committed before they are acknowledged, over 32 connections: `serve` as
 * it is published, on the small GitHub, against Probot with an empty handler and with one that inserts into SQLite. Servers
 * are asked in turn, round after round, the next one when the last has handled what it took. No agent reacts to the
 * deliveries here, so `serve` settles them meanwhile.
 */
import { GithubFleetWorld } from '../test/support/github-fleet-world.ts';
import type { Row } from './measure.ts';
import {
  type Contestant,
  installPeer,
  type Load,
  load,
  megabytesOf,
  peerDatabase,
  startOurs,
  startPeer,
  untilIdle,
} from './webhook-contestants.ts';

const rounds = 3;
const seconds = 5;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function toRow(
  name: string,
  ours: readonly number[],
  peer: readonly number[],
  peerName: string,
  least: number,
): Row {
  const [mine, theirs] = [median(ours), median(peer)];
  const ratio = mine / theirs;
  return {
    ...{
      name,
      unit: '/s',
      ours: mine,
      peer: theirs,
      peerName,
      ratio,
      goal: `≥ ${least}×`,
      isMet: ratio >= least,
    },
    spread: {
      ours: [Math.min(...ours), Math.max(...ours)],
      peer: [Math.min(...peer), Math.max(...peer)],
    },
    rounds,
  };
}

async function race(
  world: GithubFleetWorld,
  contestants: Readonly<Record<'ours' | 'empty' | 'inserting', Contestant>>,
): Promise<Row[]> {
  const results = { ours: [] as Load[], empty: [] as Load[], inserting: [] as Load[] };
  for (let round = 0; round <= rounds; round += 1)
    for (const name of ['ours', 'empty', 'inserting'] as const) {
      const { process: id } = contestants[name];
      const one = await load(contestants[name], world.repository, seconds);
      if (round > 0) results[name].push(one);
      await untilIdle(id);
      const memory = megabytesOf(id).toFixed(0);
      process.stderr.write(
        `  ${name} ${one.perSecond.toFixed(0)}/s, p99 ${one.p99.toFixed(0)} ms, ${memory} MB\n`,
      );
    }
  const rate = (loads: readonly Load[]): number[] => loads.map(({ perSecond }) => perSecond);
  return [
    toRow('deliveries acknowledged', rate(results.ours), rate(results.empty), 'Probot, empty handler', 1),
    toRow('deliveries stored', rate(results.ours), rate(results.inserting), 'Probot that inserts', 2),
  ];
}

export async function benchWebhooks(): Promise<Row[]> {
  const folder = installPeer();
  const world = await GithubFleetWorld.open({ 'a.txt': 'a\n' }, {});
  const started: Contestant[] = [];
  const begin = async (one: Promise<Contestant>): Promise<Contestant> => {
    started.push(await one);
    return one;
  };
  try {
    return await race(world, {
      ours: await begin(startOurs(world)),
      empty: await begin(startPeer(folder, null)),
      inserting: await begin(startPeer(folder, peerDatabase(folder))),
    });
  } finally {
    await Promise.all(started.map((one) => one.stop()));
    await world.remove();
  }
}
