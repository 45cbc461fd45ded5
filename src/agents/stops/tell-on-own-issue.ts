/**
 * Tells of the stop of an agent that is about no issue and no pull request: in an issue of its own, one at a time. When
 * the agent has ended a run well again, it says so there and closes that issue.
 */
import { labelNames } from '../../domain/forge/labels.ts';
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { isGatewrightError } from '../../errors.ts';
import type { Agent, AgentContext } from '../agent.ts';
import { say } from '../post-comment.ts';
import { ensureLabel } from '../reports/scheduled-work.ts';
import { type TellStop, withStopsTold, writeStop } from './report-stop.ts';

const issueKey = 'stop-issue';

/** The issues that runs of this agent have told of stops in, by receipts; newest first. */
function listStopIssues(entries: readonly LedgerEntry[]): number[] {
  return entries
    .flatMap((entry) =>
      entry.kind === 'effect-receipted' &&
      entry.key?.startsWith(`${entry.run}/${issueKey}/`) === true &&
      'number' in entry.data.result
        ? [entry.data.result.number]
        : [],
    )
    .toReversed();
}

/** The newest of them, if it is open; a person who closed it has read it. */
async function findOpenIssue(context: AgentContext): Promise<number | null> {
  const { forge, ledger, repository, subject } = context;
  const [newest] = listStopIssues(await ledger.readWork(subject));
  if (newest === undefined) return null;
  try {
    return (await forge.getIssue(repository, newest)).state === 'open' ? newest : null;
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found', 'forge-moved', 'forge-gone')) return null;
    throw error;
  }
}

async function openIssue(context: AgentContext, key: string, text: string): Promise<void> {
  const { effects, ledger, own, repository, request } = context;
  await ensureLabel(context, labelNames.agentStopped);
  await effects.perform(`${issueKey}/${key}`, 'create-issue', async () => ({
    repository,
    title: `The agent ${request.agent} has stopped`,
    body: await ledger.putText(text),
    labels: [labelNames.agentStopped],
    author: own,
  }));
}

export const tellOnOwnIssue: TellStop = async (context, { error, key }) => {
  const { effects, ledger, subject, runId } = context;
  if ((await effects.momentOf(`${issueKey}/${key}`)) !== null) return;
  const facts = { what: `The agent \`${context.request.agent}\``, person: null, words: null, branch: null };
  const open = await findOpenIssue(context);
  if (open === null) {
    await openIssue(context, key, await writeStop(context, facts, error));
    return;
  }
  const entries = await ledger.readWork(subject);
  const full = `${key}/${open}`;
  // The issue itself was opened for this cause, or a comment there tells of it.
  const wasOpenedFor = entries.some(
    (entry) =>
      entry.kind === 'effect-receipted' &&
      entry.key?.startsWith(`${entry.run}/${issueKey}/${key}#`) === true &&
      'number' in entry.data.result &&
      entry.data.result.number === open,
  );
  if (wasOpenedFor || wasDoneBefore(entries, full, runId)) return;
  await say(context, full, open, await writeStop(context, facts, error));
};

/** Says in the issue that told of a stop that the agent works again, and closes it. */
export async function closeStopIssue(context: AgentContext): Promise<void> {
  const entries = await context.ledger.readWork(context.subject);
  if (context.request.dryRun || listStopIssues(entries).length === 0) return;
  const number = await context.once('stop-issue-to-close', () => findOpenIssue(context));
  if (number === null) return;
  const { effects, repository } = context;
  await say(context, 'works-again', number, `The agent \`${context.request.agent}\` has ended a run well.\n`);
  await effects.perform('works-again/close', 'close-issue', () => ({ repository, number }));
}

/** An agent whose stops are told in an issue of its own. */
export function withStopIssue(agent: Agent): Agent {
  return withStopsTold(tellOnOwnIssue, agent, closeStopIssue);
}
