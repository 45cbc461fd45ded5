/**
 * Why an issue or a pull request is not moving: every condition that is not met, who can change it, how, and what it
 * cost so far. Read from the ledger, the leases and the forge; nothing is decided here.
 */
import type { Explained, ExplainedNumber } from '../agents/agent.ts';
import { loadAgent, manifests } from '../agents/agents.ts';
import type { Condition } from '../domain/ledger/condition.ts';
import { describeRefusal } from '../domain/ledger/describe-refusal.ts';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.ts';
import { type AgentRun, isAgentRun, resumeCommandOf, withoutOvertaken } from '../domain/ledger/run.ts';
import { issueSubject } from '../domain/ledger/subject.ts';
import { estimateCall, findBreach } from '../domain/models/budget.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { ForgeIssue, PullRequestDetail } from '../ports/forge/forge.ts';
import { describeHolder } from '../runs/acquire-lease.ts';
import { adviceOn } from '../runs/explain-stop.ts';
import { gateCondition } from '../runs/explain-subject.ts';
import type { FleetTools } from '../runs/house.ts';
import { readEvent } from './read-event.ts';

export interface NumberExplanation {
  readonly subject: string;
  readonly title: string;
  readonly kind: 'issue' | 'pull request';
  readonly state: string;
  readonly url: string;
  readonly conditions: readonly Condition[];
  readonly costUsd: number;
  /** How much of that is only the most that it can have been. */
  readonly costAtMostUsd: number;
  /** Whether a model without a known price took part: its cost is in no number. */
  readonly hasUnpriced?: boolean;
  readonly budgetUsd: number;
  /** The last things that agents did about it, newest first. */
  readonly lately: readonly { readonly at: string; readonly what: string }[];
}

const fewLines = 3;

async function findPull(house: FleetTools, number: number): Promise<PullRequestDetail | null> {
  try {
    return await house.forge.getPullRequest(house.repositoryName, number);
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found')) return null;
    throw error;
  }
}

async function agentRunsOf(house: FleetTools, subject: string): Promise<AgentRun[]> {
  const runs = await house.views.listRuns({ subject });
  return runs.filter(isAgentRun).filter((run) => !run.request.dryRun);
}

/** Which process works on it, which events wait to be handled, and which runs stopped. */
async function workConditions(house: FleetTools, subject: string): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const holder = await house.leases.holderOf(subject);
  if (holder !== null) conditions.push({ what: `${describeHolder(holder)}`, who: holder.actor, command: '' });
  for (const open of await house.views.listOpenEvents({ subject })) {
    const event = await readEvent(house, open);
    const what =
      event === null
        ? 'an event that cannot be read'
        : `"${event.kind.replaceAll('-', ' ')}" by ${event.actor}`;
    conditions.push({
      what: `no agent has handled ${what} yet, received ${open.receivedAt}`,
      who: 'you',
      command: `gatewright dispatch${house.commandSuffix}`,
    });
  }
  // A design of the issue waits for a person while agents work on it, or after them.
  for (const gate of await house.views.listOpenGates({ subject })) conditions.push(gateCondition(gate));
  // Of each agent, only how its last run stands counts.
  for (const run of withoutOvertaken(await agentRunsOf(house, subject))) {
    const { agent } = run.request;
    if (run.status === 'done' || (run.status === 'running' && holder !== null)) continue;
    const { reason } = run;
    // `explain` already names the label that holds the run.
    if (reason?.code === 'held') continue;
    conditions.push({
      what: `${agent}: ${reason?.message ?? 'its process was cut off; nothing is lost'}`,
      who:
        reason?.owner === 'time'
          ? `time${reason.until === undefined ? '' : `, until ${reason.until}`}`
          : 'you',
      command:
        // A resumed run would stop for the same reason.
        reason?.code === 'order-outdated'
          ? `comment there: @${house.fleet.handle} continue`
          : reason?.resume || resumeCommandOf(run.request, run.id, house.commandSuffix),
      ...adviceOn(reason),
    });
  }
  return conditions;
}

async function budgetConditions(
  house: FleetTools,
  spent: Awaited<ReturnType<FleetTools['ledger']['readUsage']>>,
): Promise<Condition[]> {
  const breach = findBreach(house.budget, spent, estimateCall(0, null));
  // The budget of a run stops only that run, and the reason of its stop already says so.
  if (breach === null || breach.scope === 'run') return [];
  const unit = breach.unit === 'usd' ? 'USD' : breach.unit;
  return [
    {
      what: `the budget of ${breach.scope === 'day' ? 'today' : 'this issue'} is spent (${breach.limit} ${unit})`,
      who: breach.scope === 'day' ? 'time, until tomorrow; or you' : 'you',
      command: `raise GATEWRIGHT_BUDGET_${breach.scope.toUpperCase()}_${unit.toUpperCase()}`,
    },
  ];
}

/** What keeps agents from their part of it, as the agents say. */
async function askAgents(house: FleetTools, own: string, explained: ExplainedNumber): Promise<Explained> {
  const place = { ...house, repository: house.repositoryName, own, settings: house.fleet };
  const kind = explained.isPullRequest ? 'pull-requests' : 'issues';
  const conditions: Condition[] = [];
  const movesWith: number[] = [];
  for (const { name, explains = [] } of manifests) {
    if (!explains.includes(kind)) continue;
    const { explain } = await loadAgent(name);
    const said = await explain?.(place, explained);
    conditions.push(...(said?.conditions ?? []));
    movesWith.push(...(said?.movesWith ?? []));
  }
  return { conditions, movesWith };
}

/** An issue moves as its pull request does, so it lists what blocks that pull request. */
async function conditionsOfPull(house: FleetTools, own: string, number: number): Promise<Condition[]> {
  const issue = await house.forge.getIssue(house.repositoryName, number);
  const { conditions } = await askAgents(house, own, { issue, isPullRequest: true });
  const work = await workConditions(house, issueSubject(house.repositoryName, number));
  return [...work, ...conditions].map((one) => ({ ...one, what: `#${number}: ${one.what}` }));
}

function lately(runs: readonly AgentRun[], entries: readonly LedgerEntry[]) {
  const ran = runs.map((run) => ({
    at: run.changedAt,
    what: `${run.request.agent}: ${run.reason?.message ?? run.status}`,
  }));
  const refused = entries.flatMap((entry) =>
    // That agents do not follow our own words is no news.
    entry.kind === 'event-refused' && entry.data.because !== 'own'
      ? [{ at: entry.at, what: describeRefusal(entry.data) }]
      : [],
  );
  return [...ran, ...refused].sort((a, b) => b.at.localeCompare(a.at)).slice(0, fewLines);
}

/** The issue or pull request on the forge; or the error, when it was moved or deleted. */
async function lookUp(
  house: FleetTools,
  number: number,
): Promise<{ readonly pull: PullRequestDetail | null; readonly issue: ForgeIssue } | GatewrightError> {
  try {
    const pull = await findPull(house, number);
    return { pull, issue: await house.forge.getIssue(house.repositoryName, number) };
  } catch (error) {
    if (isGatewrightError(error, 'forge-moved', 'forge-gone')) return error;
    throw error;
  }
}

/** For a number that was transferred or deleted, only the ledger has more to say. */
async function explainGone(
  house: FleetTools,
  number: number,
  error: GatewrightError,
): Promise<NumberExplanation> {
  const { ledger, repositoryName, views } = house;
  const subject = issueSubject(repositoryName, number);
  const runs = await agentRunsOf(house, subject);
  const since = `${house.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`;
  const spent = await ledger.readUsage('', subject, since);
  const [known] = await views.listRuns({ subject }, { limit: 1 });
  const isMoved = error.code === 'forge-moved';
  return {
    ...{ subject, title: known?.request.title ?? '', kind: 'issue', url: '' },
    state: isMoved ? 'moved' : 'deleted',
    conditions: [
      {
        what: error.message,
        who: 'you',
        command: isMoved
          ? 'ask again at its new place; no agent works on it here'
          : 'file it again if it is still needed',
      },
    ],
    costUsd: spent.issue.costUsd,
    costAtMostUsd: runs.reduce((sum, run) => sum + run.costAtMostUsd, 0),
    ...(runs.some((run) => run.hasUnpriced) ? { hasUnpriced: true } : {}),
    budgetUsd: house.budget.issue.usd,
    lately: lately(runs, await ledger.readSubject(subject)),
  };
}

export async function explainNumber(
  house: FleetTools,
  own: string,
  number: number,
): Promise<NumberExplanation> {
  const { ledger, repositoryName } = house;
  const subject = issueSubject(repositoryName, number);
  const found = await lookUp(house, number);
  if (found instanceof GatewrightError) return explainGone(house, number, found);
  const { pull, issue } = found;
  const entries = await ledger.readSubject(subject);
  const spent = await ledger.readUsage(
    '',
    subject,
    `${house.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`,
  );
  const runs = await agentRunsOf(house, subject);
  const state = pull?.state ?? issue.state;
  const conditions = await workConditions(house, subject);
  if (state === 'open') {
    conditions.push(...(await budgetConditions(house, spent)));
    const said = await askAgents(house, own, { issue, isPullRequest: pull !== null });
    conditions.push(...said.conditions);
    for (const one of said.movesWith ?? []) conditions.push(...(await conditionsOfPull(house, own, one)));
  }
  return {
    subject,
    title: issue.title,
    kind: pull === null ? 'issue' : 'pull request',
    state,
    url: issue.url,
    conditions,
    costUsd: spent.issue.costUsd,
    costAtMostUsd: runs.reduce((sum, run) => sum + run.costAtMostUsd, 0),
    ...(runs.some((run) => run.hasUnpriced) ? { hasUnpriced: true } : {}),
    budgetUsd: house.budget.issue.usd,
    lately: lately(runs, entries),
  };
}
