/** The weekly health report: how much of what the agents began was merged, how fast, and what failed. Numbers by code. */

import { riskLabels } from '../../../domain/changes/change-risk.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { inertLine } from '../../../domain/text/inert-markdown.ts';
import { describeCost } from '../../../domain/text/money.ts';
import { type AtLimit, countLimits } from '../../reports/rules/stuck-at-limit.ts';

interface HealthPullRequest {
  readonly state: 'open' | 'closed' | 'merged';
  readonly labels: readonly string[];
  readonly createdAt: string;
  /** When it was merged or given up; null while it is open. */
  readonly endedAt: string | null;
}

export interface HealthFacts {
  readonly since: string;
  readonly until: string;
  /** Of ours: those that were made, merged or closed in that time, and those that are open. */
  readonly pullRequests: readonly HealthPullRequest[];
  /** Of our agents in that time, by agent. */
  readonly runs: readonly {
    readonly agent: string;
    /** `blocked`: it stopped before its end, for a reason that has a code, and did not go on since. */
    readonly status: 'done' | 'failed' | 'blocked' | 'other';
    /** Why it is not done. */
    readonly code?: string;
  }[];
  /** Workflow runs of the forge that failed in that time, by the name of the workflow. */
  readonly failedWorkflows: readonly string[];
  readonly costUsd: number;
  /** A part of the cost is not known. Missing in facts from before it was counted. */
  readonly hasUnpriced?: boolean;
  /** Open issues and pull requests whose work waits for a person at a limit. Missing in facts from before it was counted. */
  readonly atLimit?: readonly Pick<AtLimit, 'number' | 'what'>[];
}

interface RiskRow {
  readonly label: string;
  readonly made: number;
  readonly merged: number;
  readonly closed: number;
}

interface FailedRuns {
  readonly agent: string;
  readonly failed: number;
  readonly stopped: number;
  readonly runs: number;
  /** The reason that was given most often; null when none was. */
  readonly mostly: string | null;
}

export interface FleetHealth {
  /** In that time. */
  readonly made: number;
  readonly merged: number;
  readonly closed: number;
  /** Now, whenever they were made. */
  readonly open: number;
  /** Of those that were decided in that time; null when none was. */
  readonly mergeRate: number | null;
  /** Median; one that waited for a month would make an average say nothing. */
  readonly hoursToMerge: number | null;
  readonly byRisk: readonly RiskRow[];
  readonly runs: number;
  /** Those that did not come to their end: by an error of ours, or stopped by something that can be put right. */
  readonly failedRuns: readonly FailedRuns[];
  readonly failedWorkflows: readonly { readonly name: string; readonly failed: number }[];
  readonly costUsd: number;
  readonly hasUnpriced: boolean;
  readonly costPerMerge: number | null;
  readonly atLimit: readonly Pick<AtLimit, 'number' | 'what'>[];
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function riskOf(pull: HealthPullRequest): string {
  const labels = pull.labels.map((label) => label.toLowerCase());
  // When a pull request carries two risk labels, the gravest counts.
  return [...riskLabels].reverse().find((label) => labels.includes(label)) ?? 'unlabelled';
}

export function measureHealth(facts: HealthFacts): FleetHealth {
  const [since, until] = [new Date(facts.since), new Date(facts.until)];
  const isWithin = (moment: string | null): boolean =>
    moment !== null && new Date(moment) >= since && new Date(moment) < until;
  const { pullRequests, runs } = facts;
  const made = pullRequests.filter((pull) => isWithin(pull.createdAt));
  const ended = (state: 'merged' | 'closed') =>
    pullRequests.filter((pull) => pull.state === state && isWithin(pull.endedAt));
  const [merged, closed] = [ended('merged'), ended('closed')];
  const hours = merged.map(
    ({ createdAt, endedAt }) =>
      (new Date(endedAt ?? createdAt).getTime() - new Date(createdAt).getTime()) / 3_600_000,
  );
  const decided = merged.length + closed.length;
  return {
    made: made.length,
    merged: merged.length,
    closed: closed.length,
    open: pullRequests.filter((pull) => pull.state === 'open').length,
    mergeRate: decided === 0 ? null : merged.length / decided,
    hoursToMerge: median(hours),
    byRisk: [...riskLabels, 'unlabelled'].map((label) => {
      const count = (pulls: readonly HealthPullRequest[]) =>
        pulls.filter((pull) => riskOf(pull) === label).length;
      return { label, made: count(made), merged: count(merged), closed: count(closed) };
    }),
    runs: runs.length,
    failedRuns: countBy(
      runs,
      (run) => run.agent,
      (run) => run.status === 'failed' || run.status === 'blocked',
    ).map(({ name, count, of }) => {
      const own = runs.filter(({ agent }) => agent === name);
      const failed = own.filter(({ status }) => status === 'failed').length;
      return { agent: name, failed, stopped: count - failed, runs: of, mostly: mostFrequent(own) };
    }),
    failedWorkflows: countBy(
      facts.failedWorkflows,
      (name) => name,
      () => true,
    ).map(({ name, count }) => ({ name, failed: count })),
    costUsd: facts.costUsd,
    hasUnpriced: facts.hasUnpriced ?? false,
    costPerMerge: merged.length === 0 ? null : facts.costUsd / merged.length,
    atLimit: facts.atLimit ?? [],
  };
}

/** Of several as frequent ones the first by name. */
function mostFrequent(runs: HealthFacts['runs']): string | null {
  const codes = runs.flatMap(({ status, code }) =>
    (status === 'failed' || status === 'blocked') && code !== undefined ? [code] : [],
  );
  const counted = countBy(
    codes,
    (code) => code,
    () => true,
  );
  return counted.sort((a, b) => b.count - a.count)[0]?.name ?? null;
}

/** How a run that did not come to its end is spoken of. */
function describeFailed({ failed, stopped, runs }: FailedRuns): string {
  const parts = [...(failed > 0 ? [`${failed} failed`] : []), ...(stopped > 0 ? [`${stopped} stopped`] : [])];
  return `${parts.join(' and ')} of ${runs} ${runs === 1 ? 'run' : 'runs'}`;
}

/** By name, those that have any. */
function countBy<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  counts: (item: T) => boolean,
): { readonly name: string; readonly count: number; readonly of: number }[] {
  return [...new Set(items.map(nameOf))]
    .sort()
    .map((name) => {
      const named = items.filter((item) => nameOf(item) === name);
      return { name, count: named.filter(counts).length, of: named.length };
    })
    .filter(({ count }) => count > 0);
}

const poorMergeRate = 0.5;
const slowHours = 48;
const poorRuns = 0.25;

/** What the numbers suggest, by rule; a model may put it into better words but adds nothing. */
export function recommend(health: FleetHealth): string[] {
  const advice: string[] = [];
  const percent = (value: number): string => `${Math.round(value * 100)} %`;
  if (health.mergeRate !== null && health.mergeRate < poorMergeRate)
    advice.push(
      `Only ${percent(health.mergeRate)} of the decided pull requests were merged: ask for plans first, or make issues smaller.`,
    );
  if (health.hoursToMerge !== null && health.hoursToMerge > slowHours)
    advice.push(
      `Half of the merges took longer than ${countOf(Math.round(health.hoursToMerge), 'hour')}: see what waits for review.`,
    );
  const unlabelled = health.byRisk.find((row) => row.label === 'unlabelled')?.made ?? 0;
  if (unlabelled > 0)
    advice.push(
      `${unlabelled === 1 ? '1 pull request carries' : `${unlabelled} pull requests carry`} no risk label: see who removed it.`,
    );
  if (health.atLimit.length > 0)
    advice.push(
      `${health.atLimit.length === 1 ? '1 piece of work waits' : `${health.atLimit.length} pieces of work wait`} for a person at a limit: answer there, or split the issues.`,
    );
  for (const row of health.failedRuns) {
    if ((row.failed + row.stopped) / row.runs >= poorRuns)
      advice.push(
        `${row.agent} did not get through (${describeFailed(row)}): look at its last run with "gatewright runs".`,
      );
  }
  return advice.slice(0, 3);
}

export function healthTitle(until: string): string {
  return `Agent Health Report - ${until.slice(0, 10)}`;
}

/** Of each list; the rest is counted. */
const mostLines = 30;

function list(lines: readonly string[]): string[] {
  const rest = lines.length - mostLines;
  return rest > 0 ? [...lines.slice(0, mostLines), `- and ${rest} more`] : [...lines];
}

function renderPulls(health: FleetHealth): string[] {
  const or = (value: number | null, show: (value: number) => string): string =>
    value === null ? '–' : show(value);
  const rows = health.byRisk.map((row) => `| ${row.label} | ${row.made} | ${row.merged} | ${row.closed} |`);
  return [
    '| Pull requests by agents | |',
    '|---|---|',
    `| made | ${health.made} |`,
    `| merged | ${health.merged} |`,
    `| closed without merging | ${health.closed} |`,
    `| open now | ${health.open} |`,
    `| merge rate | ${or(health.mergeRate, (value) => `${Math.round(value * 100)} %`)} |`,
    `| hours to merge (median) | ${or(health.hoursToMerge, (value) => value.toFixed(1))} |`,
    `| cost | ${describeCost(health)} |`,
    `| cost a merge | ${or(health.costPerMerge, (costUsd) => describeCost({ ...health, costUsd }))} |`,
    '',
    '| Risk label | Made | Merged | Closed |',
    '|---|---|---|---|',
    ...rows,
    '',
  ];
}

export function renderHealth(health: FleetHealth, facts: Pick<HealthFacts, 'since' | 'until'>): string {
  const { made, merged, closed, open, runs } = health;
  const failed = health.failedRuns.map((row) => {
    const why = row.mostly === null ? '' : `, most often for \`${row.mostly}\``;
    return `- ${row.agent}: ${describeFailed(row)}${why}`;
  });
  const workflows = health.failedWorkflows.map(
    (row) => `- ${inertLine(row.name, 100)}: failed ${row.failed} ${row.failed === 1 ? 'time' : 'times'}`,
  );
  const advice = recommend(health).map((text) => `- ${text}`);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...list(lines), ''];
  return [
    `From ${facts.since.slice(0, 10)} to ${facts.until.slice(0, 10)}.`,
    '',
    ...(made + merged + closed + open === 0
      ? ['No agent made, merged or left open a pull request, so there is nothing to measure.', '']
      : renderPulls(health)),
    runs === 0
      ? 'No agent ran.'
      : failed.length === 0
        ? runs === 1
          ? 'The only run neither failed nor stopped.'
          : `None of ${runs} runs failed or stopped.`
        : '',
    '',
    ...section('Stuck at a limit', countLimits(health.atLimit)),
    ...section('Failed runs', failed),
    ...section('Failed workflows', workflows),
    ...section('Recommendations', advice),
  ]
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trimEnd()
    .concat('\n');
}
