/**
 * What GitHub Actions mode costs in a week of forty events, against the ten workflows of document 002 on the same runner and
 * the same small GitHub: jobs that start, minutes that GitHub would bill, and calls to the API. Ours are the generated files
 * with the built program and models on a tape; of the peer's jobs only the calls are made that its files plainly imply.
 *
 * A job costs its time in whole minutes, at least one. Models answer at once on both sides, so their minutes are in neither.
 * Jobs that are skipped cost nothing; those of the build are the same on both sides and are not counted.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelNames } from '../src/domain/forge/labels.ts';
import type { FinishedRun } from '../test/actions/actions-host.ts';
import { type HostWorld, openHostWorld, people } from '../test/actions/host-world.ts';
import { openRealWorld } from '../test/actions/real-world.ts';
import { chainFiles } from '../test/support/chain-world.ts';
import { MovableClock } from '../test/support/clock-ahead.ts';
import { readGitPath } from '../test/support/github-git-http.ts';
import { peerAction, peerFiles } from './actions-week/peer-files.ts';
import { buildFile, listWeek, seedWeek } from './actions-week/week-events.ts';
import { weekTape } from './actions-week/week-tape.ts';
import { type Row, toRow } from './measure.ts';
import { programFile } from './published-package.ts';
import { scaled } from './scale.ts';

const day = 86_400_000;
const most = 0.5;
const files = { ...chainFiles, [buildFile.path]: buildFile.text };

/** In the morning of the next Monday, when the first digest is due. */
function goToMonday(world: HostWorld, clock: MovableClock): void {
  const monday = new Date(clock.now);
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7 || 7));
  monday.setUTCHours(8, 10, 0, 0);
  advance(world, clock, monday.getTime() - clock.now.getTime());
}

function advance({ server }: HostWorld, clock: MovableClock, milliseconds: number): void {
  clock.advance(milliseconds);
  server.state.advance(milliseconds);
}

interface Costs {
  readonly jobs: number;
  readonly minutes: number;
  /** Of REST and GraphQL. */
  readonly calls: number;
  /** With those in which git fetches and pushes. */
  readonly requests: number;
}

function costOf(runs: readonly FinishedRun[]): Pick<Costs, 'jobs' | 'minutes'> {
  const jobs = runs
    .filter(({ path }) => path !== buildFile.path)
    .flatMap((run) => run.jobs)
    .filter(({ conclusion, milliseconds }) => conclusion !== 'skipped' && milliseconds > 0);
  const minutes = jobs.map(({ milliseconds }) => Math.max(1, Math.ceil(milliseconds / 60_000)));
  return { jobs: jobs.length, minutes: minutes.reduce((sum, one) => sum + one, 0) };
}

type SeenRequest = HostWorld['server']['requests'][number];

function countRequests(requests: readonly SeenRequest[]): Pick<Costs, 'calls' | 'requests'> {
  return {
    calls: requests.filter(({ path }) => readGitPath(path) === null).length,
    requests: requests.length,
  };
}

function tell(index: number, asked: readonly SeenRequest[], runs: readonly FinishedRun[]): void {
  const worked = runs.map((run) => [run.path.replace(/^.*\//u, ''), costOf([run]).jobs] as const);
  const told = worked.filter(([, jobs]) => jobs > 0).map(([file, jobs]) => `${file} ${jobs}`);
  const { calls, requests } = countRequests(asked);
  process.stderr.write(`  day ${index + 1}: ${calls} calls, ${requests} requests; ${told.join(', ')}\n`);
}

/** Both orders are done and merged by the end of the week, whoever worked on them. */
function checkWork({ stored }: HostWorld): void {
  const isThere = (path: string, text: string): boolean =>
    stored.git.run('show', `main:${path}`).includes(text);
  if (!isThere('docs/sum.md', 'two numbers') || !isThere('src/sum.mjs', 'Number(a) + Number(b)'))
    throw new Error('The orders of the week were not worked on.');
}

function checkRuns({ host }: HostWorld): void {
  const failed = host.runs.filter(
    ({ path, conclusion }) => conclusion === 'failure' && path !== buildFile.path,
  );
  const [problem] = [
    ...host.problems,
    ...failed.map(({ path, jobs }) => `${path}: ${jobs.map(({ log }) => log).join('\n')}`),
  ];
  if (problem !== undefined) throw new Error(`The week went wrong: ${problem}`);
}

async function live(world: HostWorld, clock: MovableClock): Promise<Costs> {
  const { server, host } = world;
  goToMonday(world, clock);
  seedWeek(world);
  const seen: SeenRequest[] = [];
  const days = listWeek(world, labelNames.autoMerge, labelNames.bug).slice(0, scaled(7));
  for (const [index, steps] of days.entries()) {
    if (index > 0) advance(world, clock, day);
    for (const step of steps) {
      await step();
      const from = server.requests.length;
      const before = host.runs.length;
      await host.settle();
      const asked = server.requests.slice(from);
      seen.push(...asked);
      tell(index, asked, host.runs.slice(before));
      checkRuns(world);
    }
  }
  if (days.length === 7) checkWork(world);
  return { ...costOf(host.runs), ...countRequests(seen) };
}

async function liveOurs(folder: string): Promise<Costs> {
  const clock = new MovableClock(folder);
  const world = await openRealWorld(weekTape, { files, program: programFile, environment: clock.variables });
  try {
    return await live(world, clock);
  } finally {
    await world.close();
  }
}

async function livePeer(folder: string): Promise<Costs> {
  const clock = new MovableClock(folder);
  const action = join(folder, 'agent');
  mkdirSync(action);
  writeFileSync(join(action, 'action.yml'), peerAction);
  const here = join(import.meta.dirname, 'actions-week');
  const token = 'ghp_canary_claude_0123456789';
  const world = await openHostWorld(
    { ...files, ...peerFiles },
    {
      actions: { 'anthropics/claude-code-action': action },
      environment: {
        ...{ PEER_CALL: join(here, 'peer-call.mjs'), PEER_AGENT: join(here, 'peer-agent.mjs') },
        ...{ PEER_TOKEN: token, ...clock.variables },
      },
    },
  );
  try {
    // What its App does starts workflows, as a person's doing does.
    world.server.addUser('claude', token);
    world.stored.roles.set('claude', 'write');
    world.stored.actions.secrets.set('PAT_TOKEN', people.alice);
    return await live(world, clock);
  } finally {
    await world.close();
  }
}

export async function benchActionsWeek(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-bench-'));
  const room = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  try {
    const peer = await livePeer(room('peer'));
    const ours = await liveOurs(room('ours'));
    const goal = { text: `≤ ${most}×`, isMet: (_: number, ratio: number) => ratio <= most };
    const row = (name: string, unit: Row['unit'], of: keyof Costs, wanted: typeof goal | null): Row =>
      toRow(`a week on GitHub Actions: ${name}`, unit, [[ours[of]], [peer[of]]], 'document 002', wanted);
    return [
      row('jobs', 'jobs', 'jobs', goal),
      row('minutes billed', 'minutes', 'minutes', null),
      row('calls to the API', 'calls', 'calls', goal),
      row('calls, and requests of git', 'calls', 'requests', null),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
