/** A run as the API tells of it. */
import { describeNode } from '../../../../domain/ledger/node-words.ts';
import { agentOf, matchRequest, nameOfRun, type RunSummary } from '../../../../domain/ledger/run.ts';
import type { OpenGate } from '../../../../ports/ledger.ts';
import { type Standing, standingOf } from '../../../../runs/explain-subject.ts';
import type { ApiTools } from '../api-tools.ts';
import type { RunAnswer } from '../schemas/runs.ts';

function numberOf({ request, result }: RunSummary): number | null {
  return matchRequest(request, {
    authoring: ({ issue }) => result?.number ?? issue?.number ?? null,
    agent: ({ number }) => number,
    loop: ({ number }) => number,
    pipeline: ({ number }) => number,
  });
}

export function renderRun(run: RunSummary, standing: Standing): RunAnswer {
  const { id, request, subject, reason, result, startedAt, changedAt, node, costUsd, costAtMostUsd } = run;
  return {
    ...{ id, subject, startedAt, changedAt, costUsd, costAtMostUsd, standing, result },
    name: nameOfRun(run),
    title: request.title,
    workflow: request.workflow,
    agent: agentOf(request),
    repository: request.repository,
    number: numberOf(run),
    reason,
    node: node === null ? null : describeNode(node),
    hasUnpriced: run.hasUnpriced === true,
    isDismissed: run.isDismissed,
    isDryRun: request.dryRun,
  };
}

/** How they stand now; a list asks for the open gates once. */
export function renderRuns(
  { leases }: Pick<ApiTools, 'leases'>,
  runs: readonly RunSummary[],
  gates: readonly OpenGate[],
): Promise<RunAnswer[]> {
  return Promise.all(runs.map(async (run) => renderRun(run, await standingOf(run, gates, leases))));
}
