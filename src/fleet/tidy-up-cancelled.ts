/** What a cancelled run of an agent left behind: its working copy, and the label that says that it works. */
import { manifestOf } from '../agents/agents.ts';
import { labelNames } from '../domain/forge/labels.ts';
import type { AgentRun } from '../domain/ledger/run.ts';
import type { Fence } from '../ports/ledger.ts';
import type { FleetTools } from '../runs/house.ts';
import { makeEffects } from '../runs/make-effects.ts';

export async function tidyUpCancelled(house: FleetTools, run: AgentRun, fence: Fence): Promise<void> {
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
