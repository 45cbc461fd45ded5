/** What a cancelled loop leaves behind: its copies, and the label of its stage, which would keep a new loop from beginning. */
import { loopStages } from '../../domain/forge/label-table.ts';
import type { LoopRun } from '../../domain/ledger/run.ts';
import type { Fence } from '../../ports/ledger.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import { type LoopTools, loopAllowance } from './loop-context.ts';

/** The ends of the names of its copies: one for the planner, one for each kind of work. */
const copies = ['plan', 'loop-coder', 'loop-debugger'];

export async function tidyUpLoop(tools: LoopTools, run: LoopRun, fence: Fence): Promise<void> {
  const { id, subject, request } = run;
  const { repository, number, dryRun } = request;
  for (const copy of copies) await tools.workspaces.remove(`${id}-${copy}`);
  const { labels } = await tools.forge.getIssue(repository, number);
  const stages = new Set(loopStages.map(({ name }) => name.toLowerCase()));
  const remove = labels.filter((label) => stages.has(label.toLowerCase()));
  if (remove.length === 0) return;
  const effects = makeEffects(tools, { run: id, subject, fence, allowance: loopAllowance, dryRun });
  await effects.perform('cancelled', 'edit-labels', () => ({ repository, number, add: [], remove }));
}
