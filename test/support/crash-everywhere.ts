/**
 * Kills a run (SIGKILL) at one point after another, resumes it as a person would, and has somebody look at what is
 * left. A workflow brings how it is begun and resumed, and what there has to be exactly once.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { crashChildFile, type Playground, type Result } from './playground.ts';

export interface Prepared {
  readonly playground: Playground;
  readonly begin: readonly string[];
  readonly resume: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called when all is looked at, instead of removing the playground. */
  readonly giveBack?: () => void;
}

export interface CrashScenario {
  readonly prepare: () => Promise<Prepared>;
  readonly expectOneOfEverything: (playground: Playground) => Promise<void>;
}

function putAway({ playground, giveBack }: Prepared): void {
  if (giveBack === undefined) playground.remove();
  else giveBack();
}

type RunOptions = NonNullable<Parameters<Playground['run']>[1]>;

/** Resumes, or begins if it never got as far as existing. */
export async function goOn(
  { playground, begin, resume, env }: Prepared,
  options: RunOptions = {},
): Promise<Result> {
  const all = { ...options, env: { ...env, ...options.env }, file: crashChildFile };
  const resumed = await playground.run(resume, all);
  if (resumed.signal !== null || !resumed.stderr.includes('(run-not-found)')) return resumed;
  return playground.run(begin, all);
}

/** Done now, or before: the last point lies after the end of the run. */
export function isDone(result: Result): boolean {
  return result.code === 0 || /\((?:run-finished|design-approved)\)/u.test(result.stderr);
}

/** The points of a whole run, in order. */
export async function listPoints(scenario: CrashScenario): Promise<string[]> {
  const prepared = await scenario.prepare();
  const folder = mkdtempSync(join(tmpdir(), 'gw-points-'));
  const log = join(folder, 'points');
  const result = await goOn(prepared, { env: { CRASH_LOG: log } });
  expect(result.code, result.all).toBe(0);
  await scenario.expectOneOfEverything(prepared.playground);
  const points = readFileSync(log, 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  putAway(prepared);
  return points;
}

async function crashAt(scenario: CrashScenario, points: readonly string[], index: number): Promise<void> {
  const prepared = await scenario.prepare();
  const place = `point ${index + 1}, ${points[index]}`;
  const killed = await goOn(prepared, { env: { CRASH_AT: String(index + 1) } });
  expect(killed.signal, `${place}\n${killed.all}`).toBe('SIGKILL');
  const resumed = await goOn(prepared);
  expect(isDone(resumed), `after ${place}\n${resumed.all}`).toBe(true);
  try {
    await scenario.expectOneOfEverything(prepared.playground);
  } catch (error) {
    throw new Error(`after being killed at ${place}`, { cause: error });
  }
  putAway(prepared);
}

/** Set by the scripts that take their time. */
export const isExhaustive = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1';
export const isLong = isExhaustive || process.env.GATEWRIGHT_TEST_LONG === '1';

const oneOfTheSame = 10;

/**
 * Those points at which something is otherwise than at the point before, on this machine or at the forge. Nothing is right
 * before a call, nor after a read: a run that is killed there leaves what one leaves that is killed a little earlier. Of
 * those the first of each name and one in ten are taken, to see that it is so.
 */
export function chooseChanges(points: readonly string[]): number[] {
  // Requests of one method are one name, whatever they are about.
  const names = points.map((name) => name.replace(/^(before|after) ([A-Z]+) .*$/u, '$1 $2'));
  return [...names.keys()].filter((index) => {
    const name = names[index] ?? '';
    const isTheSame = /^before |^after GET$/u.test(name);
    return !isTheSame || index % oneOfTheSame === 0 || names.indexOf(name) === index;
  });
}

/**
 * All effects but those on files of the lineage; of the others, which are many, the first, the last and one in so many
 * between. `npm run test:crash` takes all at which something changed.
 */
export function choosePoints(points: readonly string[], oneIn: number): number[] {
  if (isExhaustive) return chooseChanges(points);
  const seen = new Map<string, number>();
  return [...points.keys()].filter((index) => {
    const name = points[index] ?? '';
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const isCommon = /ledger|checkpoints|createFile/u.test(name);
    return !isCommon || count % oneIn === 0 || points.lastIndexOf(name) === index;
  });
}

/** One in so many of them, where there is not time for all. */
export function sampleOf<T>(items: readonly T[], oneIn: number): readonly T[] {
  return isExhaustive ? items : items.filter((_, index) => index % oneIn === 0);
}

/** Kills at each of the points, a few runs side by side; all of them, so that one walk finds all there is to find. */
export async function crashAtEach(
  scenario: CrashScenario,
  points: readonly string[],
  indexes: readonly number[],
): Promise<void> {
  const failures: unknown[] = [];
  await inParallel(indexes, 3, async (index) => {
    await crashAt(scenario, points, index).catch((error: unknown) => failures.push(error));
  });
  const [first] = failures;
  if (failures.length <= 1) {
    if (first !== undefined) throw first;
    return;
  }
  const told = failures.map((error) =>
    error instanceof Error ? error.message.split('\n')[0] : String(error),
  );
  throw new Error(`${failures.length} of ${indexes.length}: ${told.join('; ')}`, { cause: first });
}

/** Kills the same run again and again, every so many points; resolves with how often it had to be begun. */
export async function crashAgainAndAgain(scenario: CrashScenario, every: number): Promise<number> {
  const prepared = await scenario.prepare();
  let result = await goOn(prepared, { env: { CRASH_AT: String(every) } });
  let lives = 1;
  while (result.signal === 'SIGKILL' && lives < 100) {
    result = await goOn(prepared, { env: { CRASH_AT: String(every) } });
    lives += 1;
  }
  expect(isDone(result), result.all).toBe(true);
  await scenario.expectOneOfEverything(prepared.playground);
  putAway(prepared);
  return lives;
}

/** Kills it after a while, wherever that is. */
export async function crashAfter(scenario: CrashScenario, milliseconds: number): Promise<void> {
  const prepared = await scenario.prepare();
  const { playground } = prepared;
  await playground.run(prepared.begin, {
    file: crashChildFile,
    onStart: (kill) => setTimeout(kill, milliseconds),
  });
  const resumed = await goOn(prepared);
  expect(isDone(resumed), `${milliseconds} ms\n${resumed.all}`).toBe(true);
  await scenario.expectOneOfEverything(playground);
  putAway(prepared);
}

export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}
