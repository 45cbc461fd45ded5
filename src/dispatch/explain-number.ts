/**
 * Why an issue or a pull request is not moving: every condition that is not met, who can change it, how, and what it
 * cost so far. Read from the ledger, the leases and the forge; nothing is decided here.
 */
import { gatherMergeFacts } from '../agents/auto-merge/gather-merge-facts.ts';
import { estimateCall, findBreach } from '../domain/budget.ts';
import { findHeldRun } from '../domain/held-run.ts';
import { type ImplementerHistory, readHistory } from '../domain/implementer-history.ts';
import type { LedgerEntry } from '../domain/ledger-entry.ts';
import { unmetMergeConditions } from '../domain/merge-conditions.ts';
import { type AgentRequest, type RunSummary, resumeCommandOf, withoutOvertaken } from '../domain/run.ts';
import { issueSubject } from '../domain/subject.ts';
import { isGatewrightError } from '../errors.ts';
import type { ForgeIssue, PullRequestDetail } from '../ports/forge.ts';
import { describeHolder } from './choose-name.ts';
import { adviceOn } from './explain-stop.ts';
import type { Condition } from './explain-subject.ts';
import type { House } from './house.ts';
import { readEvent } from './receive-event.ts';

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
  readonly budgetUsd: number;
  /** The last things that agents did about it, newest first. */
  readonly lately: readonly { readonly at: string; readonly what: string }[];
}

const fewLines = 3;

async function findPull(house: House, number: number): Promise<PullRequestDetail | null> {
  try {
    return await house.forge.getPullRequest(house.repositoryName, number);
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found')) return null;
    throw error;
  }
}

function agentRunsOf(house: House, subject: string): RunSummary<AgentRequest>[] {
  return house.views
    .listRuns()
    .filter((run): run is RunSummary<AgentRequest> => run.request.workflow === 'agent')
    .filter((run) => run.subject === subject && !run.request.dryRun);
}

/** Whoever is at it, what waits to be acted on, and what stopped. */
async function workConditions(house: House, subject: string): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const holder = house.leases.holderOf(subject);
  if (holder !== null) conditions.push({ what: `${describeHolder(holder)}`, who: holder.actor, command: '' });
  for (const open of house.views.listOpenEvents().filter((one) => one.subject === subject)) {
    const { kind, actor } = await readEvent(house, open);
    conditions.push({
      what: `nobody has acted yet on "${kind.replaceAll('-', ' ')}" by ${actor}, received ${open.receivedAt}`,
      who: 'you',
      command: `gatewright dispatch${house.commandSuffix}`,
    });
  }
  // Of each agent, only how its last run stands counts.
  for (const run of withoutOvertaken(agentRunsOf(house, subject))) {
    const { agent } = run.request;
    if (run.status === 'done' || (run.status === 'running' && holder !== null)) continue;
    const { reason } = run;
    // Told with what holds it.
    if (reason?.code === 'held') continue;
    conditions.push({
      what: `${agent}: ${reason?.message ?? 'it was cut off; nothing is lost'}`,
      who:
        reason?.owner === 'time'
          ? `time${reason.until === undefined ? '' : `, until ${reason.until}`}`
          : 'you',
      command:
        // Taking it up again would only find the same.
        reason?.code === 'order-outdated'
          ? `comment there: @${house.fleet.handle} continue`
          : reason?.resume || resumeCommandOf(run.request, run.id, house.commandSuffix),
      ...adviceOn(reason),
    });
  }
  return conditions;
}

function isHeld({ labels }: Pick<ForgeIssue, 'labels'>): boolean {
  return labels.some((label) => label.toLowerCase() === 'hold');
}

/** Work that the label keeps from beginning, or that nobody has taken up since it is gone. */
function heldConditions(house: House, issue: ForgeIssue, entries: readonly LedgerEntry[]): Condition[] {
  const run = findHeldRun(entries);
  if (run === null) return [];
  const waiting = 'the implementer has not begun what was asked for';
  return isHeld(issue)
    ? [
        {
          what: `${waiting}: the label "hold" holds it`,
          who: 'anybody with write permission',
          command: 'remove the label',
        },
      ]
    : [
        {
          what: `${waiting} while the label "hold" was on it`,
          who: 'you',
          command: resumeCommandOf({ workflow: 'agent' }, run, house.commandSuffix),
        },
      ];
}

function limitConditions(
  entries: readonly LedgerEntry[],
  history: ImplementerHistory,
  handle: string,
): Condition[] {
  const reached = entries.findLast((entry) => entry.kind === 'limit-reached');
  if (reached?.kind !== 'limit-reached' || reached.seq < history.order) return [];
  const { what, limit } = reached.data;
  const done = what === 'fix' ? 'corrected what reviews found' : 'gone on after its turns ran out';
  return [
    {
      what: `the limit is reached: it has ${done} ${limit} times since somebody last asked`,
      who: 'anybody with write permission',
      command: `comment there: @${handle} continue`,
    },
  ];
}

async function budgetConditions(
  house: House,
  spent: Awaited<ReturnType<House['ledger']['readUsage']>>,
): Promise<Condition[]> {
  const breach = findBreach(house.budget, spent, estimateCall(0, null));
  // What one run has spent stops that run; it is told with it.
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

function issueConditions(
  issue: ForgeIssue,
  history: ImplementerHistory,
  handle: string,
  isHeldTold: boolean,
): Condition[] {
  if (issue.state === 'closed') return [];
  const who = 'anybody with write permission';
  const conditions: Condition[] = [];
  if (isHeld(issue) && !isHeldTold)
    conditions.push({ what: 'the label "hold" holds it', who, command: 'remove the label' });
  if (history.openPlan !== null)
    conditions.push({
      what: 'its plan waits for an answer',
      who,
      command: `comment there: @${handle} approve`,
    });
  if (history.orderedBy === null)
    conditions.push({
      what: 'nobody has asked an agent to work on it',
      who,
      command: `comment there: @${handle} please implement this`,
    });
  return conditions;
}

async function mergeConditions(house: House, own: string, number: number): Promise<Condition[]> {
  const { forge, ledger, fleet: settings, repositoryName: repository } = house;
  const facts = await gatherMergeFacts({ repository, own, settings, forge, ledger }, number);
  return unmetMergeConditions(facts)
    .filter(({ code }) => code !== 'not-open')
    .map(({ what, who }) => ({ what, who, command: '' }));
}

function lately(runs: readonly RunSummary<AgentRequest>[], entries: readonly LedgerEntry[]) {
  const ran = runs.map((run) => ({
    at: run.changedAt,
    what: `${run.request.agent}: ${run.reason?.message ?? run.status}`,
  }));
  const refused = entries.flatMap((entry) =>
    // That we do not obey ourselves is no news.
    entry.kind === 'event-refused' && entry.data.because !== 'own'
      ? [{ at: entry.at, what: `${entry.data.agent} did not act for ${entry.data.by}: ${entry.data.detail}` }]
      : [],
  );
  return [...ran, ...refused].sort((a, b) => b.at.localeCompare(a.at)).slice(0, fewLines);
}

export async function explainNumber(house: House, own: string, number: number): Promise<NumberExplanation> {
  const { forge, ledger, repositoryName, fleet } = house;
  const subject = issueSubject(repositoryName, number);
  const pull = await findPull(house, number);
  const issue = await forge.getIssue(repositoryName, number);
  const entries = await ledger.readSubject(subject);
  const history = readHistory(entries, '');
  const spent = await ledger.readUsage(
    '',
    subject,
    `${house.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`,
  );
  const runs = agentRunsOf(house, subject);
  const state = pull?.state ?? issue.state;
  const conditions = await workConditions(house, subject);
  if (state === 'open') {
    const held = heldConditions(house, issue, entries);
    conditions.push(
      ...held,
      ...limitConditions(entries, history, fleet.handle),
      ...(await budgetConditions(house, spent)),
    );
    if (pull !== null) conditions.push(...(await mergeConditions(house, own, number)));
    else {
      const opened: number[] = [];
      for (const made of history.pulls)
        if ((await findPull(house, made.number))?.state === 'open') opened.push(made.number);
      for (const one of opened) {
        const nested = await mergeConditions(house, own, one);
        conditions.push(...nested.map((condition) => ({ ...condition, what: `#${one}: ${condition.what}` })));
      }
      if (opened.length === 0)
        conditions.push(...issueConditions(issue, history, fleet.handle, held.length > 0));
    }
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
    budgetUsd: house.budget.issue.usd,
    lately: lately(runs, entries),
  };
}
