/** What a cancelled run left behind: its working copy, and the labels that say that it works. */
import { manifestOf } from '../agents/agents.ts';
import { workflowNames } from '../domain/fleet/agent-names.ts';
import { labelNames } from '../domain/forge/labels.ts';
import { type AgentRun, isAgentRun, type RunSummary } from '../domain/ledger/run.ts';
import type { Fence } from '../ports/ledger.ts';
import type { FleetTools } from '../runs/house.ts';
import { makeEffects } from '../runs/make-effects.ts';
import { loadWorkflow } from '../workflows/workflows.ts';

export async function tidyUpCancelled(house: FleetTools, run: RunSummary, fence: Fence): Promise<void> {
  // Nothing is dropped that was not looked for.
  await house.keptWork?.bring(run.id);
  await house.keptWork?.drop(run.id);
  if (isAgentRun(run)) return tidyUpAgent(house, run, fence);
  const name = workflowNames.find((one) => one === run.request.workflow);
  if (name !== undefined) await (await loadWorkflow(name)).tidyUp?.(house, run, fence);
}

async function tidyUpAgent(house: FleetTools, run: AgentRun, fence: Fence): Promise<void> {
  const { id, subject, request } = run;
  const { agent, number, repository, dryRun } = request;
  await house.workspaces.remove(id);
  const { may } = manifestOf(agent);
  if (number === null || dryRun || may['edit-labels'] === undefined) return;
  const { labels } = await house.forge.getIssue(repository, number);
  if (!labels.includes(labelNames.working)) return;
  const effects = makeEffects(house, { run: id, subject, fence, allowance: may, dryRun });
  await effects.perform('cancelled', 'edit-labels', () => ({
    ...{ repository, number },
    add: [],
    remove: [labelNames.working],
  }));
}
