/** Decides how an order is carried out, and writes down why; once in the life of a run. */
import type { AgentContext, AgentEnd } from '../agent.ts';
import type { ImplementerTask } from './gather-facts.ts';
import { chooseStrategy, type Strategy } from './rules/choose-strategy.ts';

/** The design as it is on the default branch: only an approved one is committed there. */
async function readDesign(
  { forge, repository, transport, workspaces }: AgentContext,
  number: number,
): Promise<string | null> {
  const branch = await forge.defaultBranch(repository);
  const commit = await transport.fetchBranch(repository, branch);
  return workspaces.readFile(commit, `docs/lld/active/LLD-${number}.md`);
}

async function decide(context: AgentContext, number: number): Promise<Strategy | null> {
  const key = `${context.runId}/strategy`;
  const chosen = await context.ledger.find('strategy-chosen', key);
  if (chosen !== null) return chosen.data;
  const { labels } = await context.forge.getIssue(context.repository, number);
  const design = await readDesign(context, number);
  const strategy = chooseStrategy({ labels, setting: context.settings.strategy, design });
  if (strategy !== null) await context.record({ kind: 'strategy-chosen', key, data: strategy });
  return strategy;
}

const ways = { loop: 'as a loop', pipeline: 'through the pipeline' } as const;

/** The end of the run when a workflow carries the order out; null when this run does. */
export async function handToWorkflow(
  context: AgentContext,
  { number, facts }: ImplementerTask,
): Promise<AgentEnd | null> {
  // Work that was begun directly is finished directly.
  if (facts.task !== null) return null;
  const chosen = await decide(context, number);
  if (chosen === null || chosen.strategy === 'direct') return null;
  return {
    message: `#${number} is worked off ${ways[chosen.strategy]}, because ${chosen.because}`,
    handoffs: [{ to: chosen.strategy, task: 'start', number }],
  };
}
