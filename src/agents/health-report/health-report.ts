/** Tells once a week how much of what the agents began was merged, how fast, and what failed. Numbers by code only. */

import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import type { RunStatus } from '../../domain/ledger/run.ts';
import type { PullRequest } from '../../ports/forge/forge.ts';
import type { Agent, AgentContext } from '../agent.ts';
import { listAtLimit } from '../reports/list-at-limit.ts';
import { agentRunsIn } from '../reports/rules/stopped-runs.ts';
import { findReport, hoursBefore, publishReport, requireSlot } from '../reports/scheduled-work.ts';
import { withStopIssue } from '../stops/tell-on-own-issue.ts';
import { type HealthFacts, healthTitle, measureHealth, renderHealth } from './rules/fleet-health.ts';

const week = 7 * 24;

/** One that waits for its quota did not get through either, until it is taken up. */
const statuses: Readonly<Partial<Record<RunStatus, HealthFacts['runs'][number]['status']>>> = {
  done: 'done',
  failed: 'failed',
  blocked: 'blocked',
  paused: 'blocked',
};

/** Where we act under a person's account, what that person made themself does not carry our mark. */
function isOurs(pull: PullRequest): boolean {
  return carriesMarker(pull.body);
}

async function gather(context: AgentContext, since: string, until: string): Promise<HealthFacts> {
  const { forge, own: author, repository, views, runId } = context;
  const ended = await forge.listPullRequests(repository, { state: 'closed', author, updatedSince: since });
  const open = await forge.listPullRequests(repository, { state: 'open', author });
  const failed = await forge.listWorkflowRuns(repository, { since, conclusion: 'failure' });
  const [from, to] = [new Date(since), new Date(until)];
  const runs = agentRunsIn(await views.listRuns({ repository, doneSince: since }), repository).filter(
    (run) => run.id !== runId && new Date(run.changedAt) >= from && new Date(run.changedAt) < to,
  );
  return {
    since,
    until,
    pullRequests: [...ended, ...open]
      .filter(isOurs)
      .map(({ state, labels, createdAt, mergedAt, closedAt }) => ({
        ...{ state, labels: [...labels], createdAt },
        endedAt: state === 'open' ? null : (mergedAt ?? closedAt),
      })),
    runs: runs.map(({ request, status, reason }) => ({
      agent: request.agent,
      status: statuses[status] ?? 'other',
      ...(reason === null ? {} : { code: reason.code }),
    })),
    failedWorkflows: failed.filter((run) => new Date(run.createdAt) < to).map((run) => run.name),
    costUsd: runs.reduce((sum, run) => sum + run.costUsd, 0),
    hasUnpriced: runs.some((run) => run.hasUnpriced === true),
    atLimit: (await listAtLimit(context, until)).map(({ number, what }) => ({ number, what })),
  };
}

export const healthReport: Agent = withStopIssue({
  name: 'health-report',
  async run(context) {
    const { at: until } = requireSlot(context);
    const report = { label: labelNames.healthReport, title: healthTitle(until) };
    const known = await context.once('known', () => findReport(context, report));
    if (known !== null) return { message: `nothing to do: ${known}` };
    const facts = await context.once('facts', () => gather(context, hoursBefore(until, week), until));
    return publishReport(context, report, renderHealth(measureHealth(facts), facts));
  },
});
