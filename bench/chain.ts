/**
 * The chain from an issue to its merge on the local forge (chain-scenario.ts): how long it takes, how often it waits for
 * the disk, and how many git processes it starts. The peer is what the same chain needs of git and of the project's own
 * check, as a person would type it.
 *
 * What the chain cost before it was first measured (commit 8c03288, with this peer, on a busy machine with two cores): 159
 * waits for the disk, 249 git processes, 5 times the wall time and 5.7 times the processor time of the peer. The goal is
 * half of each. At that commit no change was proven yet: the peer of those figures ran the check once for each commit. It
 * now also runs the tests of each commit without the change, as the chain does.
 *
 * With BENCH_BEFORE, the `bin/gatewright.cjs` of an earlier build, that program plays the chain in the same rounds. On a
 * machine with two cores and much else to do, this one took 0.44 times the wall time and 0.77 times the processor time of
 * commit 8c03288 (medians of five rounds), although it runs the tests twice more.
 */
import { type ChainSample, hasStrace, playChain, playPeer, removeRepository } from './chain-scenario.ts';
import type { Row } from './measure.ts';

const rounds = 7;
const before = { syncs: 159, gitProcesses: 249, wallRatio: 5, cpuRatio: 5.7 };

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}

function toRow(
  name: string,
  unit: Row['unit'],
  [ours, peer]: readonly [readonly number[], readonly number[]],
  atMostRatio: number,
  peerName = 'plain git',
): Row {
  const [our, their] = [quantile(ours, 0.5), quantile(peer, 0.5)];
  const ratio = our / their;
  return {
    ...{ name: `chain: ${name}`, unit, ours: our, peer: their, peerName, ratio },
    goal: `≤ ${atMostRatio.toFixed(1)}×`,
    isMet: ratio <= atMostRatio,
    spread: {
      ours: [quantile(ours, 0.25), quantile(ours, 0.75)],
      peer: [quantile(peer, 0.25), quantile(peer, 0.75)],
    },
    rounds: ours.length,
  };
}

/** Counts are the same on every machine, so they are compared with what they were. */
function toCount(name: string, unit: Row['unit'], ours: number, peer: number): Row {
  const ratio = ours / peer;
  return {
    ...{ name: `chain: ${name}`, unit, ours, peer, peerName: 'commit 8c03288', ratio },
    ...{ goal: '≤ 0.5×', isMet: ratio <= 0.5, rounds: 1 },
    spread: { ours: [ours, ours], peer: [peer, peer] },
  };
}

const syncsOf = ({ syncs }: ChainSample): number => (syncs?.own ?? 0) + (syncs?.git ?? 0);
const gitProcessesOf = ({ git }: ChainSample): number =>
  [...(git?.values() ?? [])].reduce((sum, count) => sum + count, 0);

const { BENCH_BEFORE: earlierProgram = '' } = process.env;

interface Round {
  readonly ours: ChainSample;
  readonly peer: ChainSample;
  /** Null when no earlier program was named. */
  readonly before: ChainSample | null;
}

function play(round: number, isTraced: boolean): Round {
  const names = [`ours-${round}`, `peer-${round}`, `before-${round}`] as const;
  try {
    return {
      ours: playChain(names[0], isTraced),
      peer: playPeer(names[1], isTraced),
      before: earlierProgram === '' || isTraced ? null : playChain(names[2], false, earlierProgram),
    };
  } finally {
    for (const name of names) removeRepository(name);
  }
}

/** Half of what it was, where an earlier program was named. */
function compareWithBefore(samples: readonly Round[]): Row[] {
  const pairs = samples.flatMap(({ ours, before: earlier }) => (earlier === null ? [] : [{ ours, earlier }]));
  if (pairs.length === 0) return [];
  const row = (name: string, read: (sample: ChainSample) => number): Row =>
    toRow(
      name,
      'ms',
      [pairs.map(({ ours }) => read(ours)), pairs.map(({ earlier }) => read(earlier))],
      0.5,
      'BENCH_BEFORE',
    );
  return [
    row('wall time', ({ milliseconds }) => milliseconds),
    row('processor time', ({ cpuMilliseconds }) => cpuMilliseconds),
  ];
}

export async function benchChain(): Promise<Row[]> {
  // The first round fills the caches of the file system.
  play(0, false);
  const samples = Array.from({ length: rounds }, (_, index) => play(index + 1, false));
  const both = (read: (sample: ChainSample) => number): readonly [number[], number[]] => [
    samples.map(({ ours }) => read(ours)),
    samples.map(({ peer }) => read(peer)),
  ];
  const rows = [
    toRow(
      'wall time',
      'ms',
      both(({ milliseconds }) => milliseconds),
      before.wallRatio / 2,
    ),
    toRow(
      'processor time',
      'ms',
      both(({ cpuMilliseconds }) => cpuMilliseconds),
      before.cpuRatio / 2,
    ),
    ...compareWithBefore(samples),
  ];
  if (!hasStrace) {
    process.stderr.write('Waits for the disk and git processes are not counted: strace is not installed.\n');
    return rows;
  }
  const { ours, peer } = play(rounds + 1, true);
  process.stderr.write(`The peer starts ${gitProcessesOf(peer)} git processes.\n`);
  const counted = [...(ours.git ?? [])].sort(([, one], [, other]) => other - one);
  process.stderr.write(`git: ${counted.map(([name, count]) => `${count} ${name}`).join(', ')}\n`);
  return [
    ...rows,
    toCount('waits for the disk', 'syncs', syncsOf(ours), before.syncs),
    toCount('git processes', 'processes', gitProcessesOf(ours), before.gitProcesses),
  ];
}
