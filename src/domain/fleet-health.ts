/** The weekly health report: how much of what the agents began was merged, how fast, and what failed. Numbers by code. */
import { riskLabels } from './change-risk.ts';

interface HealthPullRequest {
  readonly state: 'open' | 'closed' | 'merged';
  readonly labels: readonly string[];
  readonly createdAt: string;
  readonly mergedAt: string | null;
}

export interface HealthFacts {
  readonly since: string;
  readonly until: string;
  /** Made by us in that time. */
  readonly pullRequests: readonly HealthPullRequest[];
  /** Of our agents in that time, by agent. */
  readonly runs: readonly {
    readonly agent: string;
    readonly status: 'done' | 'failed' | 'blocked' | 'other';
  }[];
  readonly costUsd: number;
}

interface RiskRow {
  readonly label: string;
  readonly made: number;
  readonly merged: number;
}

export interface FleetHealth {
  readonly made: number;
  readonly merged: number;
  readonly closed: number;
  readonly open: number;
  /** Of those that are decided; null when none is. */
  readonly mergeRate: number | null;
  /** Median; one that waited for a month would make an average say nothing. */
  readonly hoursToMerge: number | null;
  readonly byRisk: readonly RiskRow[];
  readonly failedRuns: readonly { readonly agent: string; readonly failed: number; readonly runs: number }[];
  readonly costUsd: number;
  readonly costPerMerge: number | null;
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
  // The gravest counts when somebody set two.
  return [...riskLabels].reverse().find((label) => labels.includes(label)) ?? 'unlabelled';
}

export function measureHealth(facts: HealthFacts): FleetHealth {
  const count = (state: HealthPullRequest['state']): number =>
    facts.pullRequests.filter((pull) => pull.state === state).length;
  const [merged, closed] = [count('merged'), count('closed')];
  const hours = facts.pullRequests.flatMap((pull) =>
    pull.mergedAt === null
      ? []
      : [(new Date(pull.mergedAt).getTime() - new Date(pull.createdAt).getTime()) / 3_600_000],
  );
  const agents = [...new Set(facts.runs.map((run) => run.agent))].sort();
  return {
    made: facts.pullRequests.length,
    merged,
    closed,
    open: count('open'),
    mergeRate: merged + closed === 0 ? null : merged / (merged + closed),
    hoursToMerge: median(hours),
    byRisk: [...riskLabels, 'unlabelled'].map((label) => {
      const pulls = facts.pullRequests.filter((pull) => riskOf(pull) === label);
      return { label, made: pulls.length, merged: pulls.filter((pull) => pull.state === 'merged').length };
    }),
    failedRuns: agents
      .map((agent) => {
        const runs = facts.runs.filter((run) => run.agent === agent);
        return { agent, failed: runs.filter((run) => run.status === 'failed').length, runs: runs.length };
      })
      .filter((row) => row.failed > 0),
    costUsd: facts.costUsd,
    costPerMerge: merged === 0 ? null : facts.costUsd / merged,
  };
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
      `Half of the merges took longer than ${Math.round(health.hoursToMerge)} hours: see what waits for review.`,
    );
  const unlabelled = health.byRisk.find((row) => row.label === 'unlabelled')?.made ?? 0;
  if (unlabelled > 0) advice.push(`${unlabelled} pull requests carry no risk label: see who removed it.`);
  for (const row of health.failedRuns) {
    if (row.failed / row.runs >= poorRuns)
      advice.push(
        `${row.agent} failed in ${row.failed} of ${row.runs} runs: look at its last run with "gatewright runs".`,
      );
  }
  return advice.slice(0, 3);
}

export function renderHealth(health: FleetHealth, facts: Pick<HealthFacts, 'since' | 'until'>): string {
  const or = (value: number | null, show: (value: number) => string): string =>
    value === null ? '–' : show(value);
  const rows = health.byRisk.map((row) => `| ${row.label} | ${row.made} | ${row.merged} |`);
  const failed = health.failedRuns.map((row) => `- ${row.agent}: ${row.failed} of ${row.runs} runs failed`);
  const advice = recommend(health).map((text) => `- ${text}`);
  return [
    `From ${facts.since.slice(0, 10)} to ${facts.until.slice(0, 10)}.`,
    '',
    '| Pull requests by agents | |',
    '|---|---|',
    `| made | ${health.made} |`,
    `| merged | ${health.merged} |`,
    `| closed | ${health.closed} |`,
    `| open | ${health.open} |`,
    `| merge rate | ${or(health.mergeRate, (value) => `${Math.round(value * 100)} %`)} |`,
    `| hours to merge (median) | ${or(health.hoursToMerge, (value) => value.toFixed(1))} |`,
    `| cost | $${health.costUsd.toFixed(2)} |`,
    `| cost a merge | ${or(health.costPerMerge, (value) => `$${value.toFixed(2)}`)} |`,
    '',
    '| Risk label | Made | Merged |',
    '|---|---|---|',
    ...rows,
    '',
    ...(failed.length === 0 ? ['No run failed.'] : ['## Failed runs', '', ...failed]),
    ...(advice.length === 0 ? [] : ['', '## Recommendations', '', ...advice]),
    '',
  ].join('\n');
}
