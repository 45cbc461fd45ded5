/** What every bench measures with: interleaved rounds of fresh processes, medians, and rows of one table. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string>>;

/** One line of the table. Only ratios travel between machines; the absolute numbers are there to make sense of them. */
export interface Row {
  readonly name: string;
  readonly unit:
    | 'ms'
    | 'MB'
    | 'KB'
    | 'US¢'
    | 'runs'
    | 'calls'
    | 'jobs'
    | 'minutes'
    | 'syncs'
    | 'processes'
    | 'tokens'
    | 'writes'
    | '/s';
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  readonly ratio: number;
  /** In words; empty when the row is for information only. */
  readonly goal: string;
  readonly isMet: boolean | null;
  /** First and third quartile of each side: how far to trust the medians. */
  readonly spread: { readonly ours: Quartiles; readonly peer: Quartiles };
  readonly rounds: number;
}

type Quartiles = readonly [first: number, third: number];

export type Goal = { readonly atMostRatio: number } | { readonly below: number };

export interface Sample {
  readonly milliseconds: number;
  /** Null when the process was not asked for it. */
  readonly peakMegabytes: number | null;
  readonly output: string;
}

const peakHook = join(import.meta.dirname, 'report-peak.cjs');
const peakLine = /^peak-rss-kib=(\d+)$/mu;

/** Processor time of all processes that this one started and that have ended; only Linux tells. */
export function readChildrenTime(): number {
  try {
    // The name of the program is in parentheses and may hold spaces; the times count from behind it.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    const ticksPerSecond = 100;
    return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}

interface ProcessOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly withPeak?: boolean;
}

/** Runs Node on a fresh process and times it from start to end. A process that fails makes the bench fail. */
export function timeNode(args: readonly string[], options: ProcessOptions): Sample {
  const hook = options.withPeak === true ? ['--require', peakHook] : [];
  const began = performance.now();
  const child = spawnSync(process.execPath, [...hook, ...args], {
    cwd: options.cwd,
    env: { ...options.env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 16 * 1024 * 1024,
  });
  const milliseconds = performance.now() - began;
  if (child.error !== undefined) throw child.error;
  if (child.status !== 0) {
    throw new Error(
      `node ${args.join(' ')} ended with ${child.status ?? child.signal}:\n${child.stderr}${child.stdout}`,
    );
  }
  const peak = peakLine.exec(child.stderr)?.[1];
  return {
    milliseconds,
    peakMegabytes: peak === undefined ? null : Number(peak) / 1024,
    output: child.stdout,
  };
}

/**
 * Runs the contestants in turn, round after round, so that a busy machine is busy for all of them; the order changes
 * from round to round. One round before the first is thrown away: it fills the caches of the file system.
 */
export function interleave<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, (round: number) => Sample>>,
): Record<Name, Sample[]> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 0; round <= rounds; round += 1) {
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      const sample = contestants[name](round);
      if (round > 0) samples[name].push(sample);
    }
  }
  return samples;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN];
  return low + (high - low) * (place - Math.floor(place));
}

interface Comparison {
  readonly name: string;
  readonly peerName: string;
  readonly measure: 'milliseconds' | 'peakMegabytes';
  readonly ours: readonly Sample[];
  readonly peer: readonly Sample[];
  readonly goal: Goal | null;
}

export function compare({ name, peerName, measure, ours, peer, goal }: Comparison): Row {
  const values = (samples: readonly Sample[]): number[] =>
    samples.map((sample) => sample[measure] ?? Number.NaN);
  const [our, their] = [values(ours), values(peer)];
  const [ourMedian, theirMedian] = [quantile(our, 0.5), quantile(their, 0.5)];
  const ratio = ourMedian / theirMedian;
  if (!Number.isFinite(ratio)) throw new Error(`"${name}" could not be measured.`);
  const unit = measure === 'milliseconds' ? 'ms' : 'MB';
  return {
    name,
    unit,
    ours: ourMedian,
    peer: theirMedian,
    peerName,
    ratio,
    goal: goal === null ? '' : 'below' in goal ? `< ${goal.below} ${unit}` : `≤ ${goal.atMostRatio}×`,
    isMet: goal === null ? null : 'below' in goal ? ourMedian < goal.below : ratio <= goal.atMostRatio,
    spread: {
      ours: [quantile(our, 0.25), quantile(our, 0.75)],
      peer: [quantile(their, 0.25), quantile(their, 0.75)],
    },
    rounds: our.length,
  };
}

/** A row of numbers that were measured in another way. */
export function toRow(
  name: string,
  unit: Row['unit'],
  [ours, peer]: readonly [readonly number[], readonly number[]],
  peerName: string,
  goal: { readonly text: string; readonly isMet: (ours: number, ratio: number) => boolean } | null,
): Row {
  const [our, their] = [quantile(ours, 0.5), quantile(peer, 0.5)];
  const ratio = our / their;
  if (!Number.isFinite(ratio)) throw new Error(`"${name}" could not be measured.`);
  return {
    ...{ name, unit, ours: our, peer: their, peerName, ratio, rounds: ours.length },
    ...{ goal: goal?.text ?? '', isMet: goal === null ? null : goal.isMet(our, ratio) },
    spread: {
      ours: [quantile(ours, 0.25), quantile(ours, 0.75)],
      peer: [quantile(peer, 0.25), quantile(peer, 0.75)],
    },
  };
}
