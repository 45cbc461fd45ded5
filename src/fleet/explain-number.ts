/**
 * Why an issue or a pull request is not moving: every condition that is not met, who can change it, how, and what it
 * cost so far. Read from the ledger, the leases and the forge; nothing is decided here.
 */
import type { Explained, ExplainedNumber } from '../agents/agent.ts';
import { loadAgent, manifests } from '../agents/agents.ts';
import { isOrderTo } from '../agents/manifest.ts';
import { labelNames } from '../domain/forge/labels.ts';
import { type Condition, toDo } from '../domain/ledger/condition.ts';
import { listGrounds } from '../domain/ledger/describe-entry.ts';
import { describeRefusal } from '../domain/ledger/describe-refusal.ts';
import {
  agentOf,
  isAgentRun,
  optionsOfRun,
  type RunSummary,
  resumeCommandOf,
  withoutOvertaken,
} from '../domain/ledger/run.ts';
import { issueSubject } from '../domain/ledger/subject.ts';
import { estimateCall, findBreach } from '../domain/models/budget.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { ForgeIssue, PullRequestDetail } from '../ports/forge/forge.ts';
import type { OpenGate } from '../ports/ledger.ts';
import { adviceOn } from '../runs/explain-stop.ts';
import { gateCondition, standingOf } from '../runs/explain-subject.ts';
import { findMergeGrounds } from '../runs/find-merge-grounds.ts';
import type { FleetTools } from '../runs/house.ts';
import { cancelledConditions, sayAbout } from './explain-cancelled.ts';
import { findOpenPulls, findPull } from './find-pulls.ts';
import { readEvent } from './read-event.ts';
import { findOpenRunOf, subjectsOf } from './workflows/find-open-run.ts';

/** An agent that works on orders about issues looks for the label again when its run is resumed. */
function worksOnOrders({ request }: RunSummary): boolean {
  const manifest = manifests.find(({ name }) => name === agentOf(request));
  return manifest !== undefined && isOrderTo(manifest, 'issue-opened');
}

export interface NumberExplanation {
  readonly subject: string;
  readonly title: string;
  readonly kind: 'issue' | 'pull request';
  readonly state: string;
  readonly url: string;
  /** How it stands, in a sentence. */
  readonly now: string;
  /** The run that works on it at this moment; null when none does. */
  readonly working: { readonly run: string | null; readonly who: string; readonly since: string } | null;
  readonly conditions: readonly Condition[];
  /** Of a merged pull request that we merged: what the merge rested on. */
  readonly grounds?: readonly string[];
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
/** Refusals of our own words are left out of what is shown, so a few more are read. */
const manyRefusals = 50;

/** Of agents and of workflows, newest first. */
async function runsOf(house: FleetTools, number: number): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  for (const subject of subjectsOf(house.repositoryName, number))
    runs.push(...(await house.views.listRuns({ subject })));
  return runs.filter((run) => !run.request.dryRun).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** Who works on it at this moment. */
async function findWorker(house: FleetTools, number: number): Promise<NumberExplanation['working']> {
  const holder = await house.leases.holderOf(issueSubject(house.repositoryName, number));
  if (holder === null) return null;
  const run = (await runsOf(house, number)).find(({ status }) => status === 'running');
  const process = `process ${holder.process} on ${holder.host}, for ${holder.actor}`;
  const who = run === undefined ? process : `the ${agentOf(run.request) ?? run.request.workflow}`;
  return { run: run?.id ?? null, who, since: run?.startedAt ?? holder.since };
}

/**
 * The gates that are open, the events that wait to be handled, and the runs that stopped. While a process works on it,
 * to handle an event or to resume a run would be refused.
 */
async function workConditions(
  house: FleetTools,
  subject: string,
  working: NumberExplanation['working'],
  issue: Pick<ForgeIssue, 'number' | 'labels'>,
): Promise<Condition[]> {
  const isHeld = issue.labels.some((label) => label.toLowerCase() === labelNames.hold);
  // A design of the issue waits for a person while agents work on it, or after them.
  const gates: OpenGate[] = [];
  for (const one of subjectsOf(house.repositoryName, issue.number))
    gates.push(...(await house.views.listOpenGates({ subject: one })));
  const conditions: Condition[] = gates.map((gate) => gateCondition(gate, house.commandSuffix));
  if (working !== null) return conditions;
  const all = await runsOf(house, issue.number);
  const unfinished = withoutOvertaken(all).filter((run) => run.status !== 'done' && !run.isDismissed);
  // To continue the run of an event is to handle that event: it is said once, below.
  const begun = new Set(unfinished.flatMap((run) => (isAgentRun(run) ? [run.request.delivery] : [])));
  const options = await lastOptions(house, issue.number);
  for (const open of await house.views.listOpenEvents({ subject })) {
    if (begun.has(open.delivery)) continue;
    const event = await readEvent(house, open);
    const what =
      event === null
        ? 'an event that cannot be read'
        : `"${event.kind.replaceAll('-', ' ')}" by ${event.actor}`;
    conditions.push({
      what: `no agent has handled ${what} yet, received ${open.receivedAt}`,
      who: 'you',
      command: `gatewright dispatch${options}${house.commandSuffix}`,
    });
  }
  // Of each agent, only how its last run stands counts.
  for (const run of unfinished) {
    const { reason } = run;
    // The gate says so already; and `explain` names the label that holds the run.
    if (gates.some((gate) => gate.run.id === run.id) || reason?.code === 'held') continue;
    conditions.push({
      what: `${agentOf(run.request) ?? `the ${run.request.workflow} workflow`}: ${reason?.message ?? 'its process was cut off; nothing is lost'}`,
      who:
        reason?.owner === 'time'
          ? `no person: wait ${reason.until === undefined ? 'a while' : `until ${reason.until}`}, then resume it`
          : 'you',
      // A resumed run would stop for the same reason.
      ...(reason?.code === 'order-outdated'
        ? sayAbout(house, issue.number, 'continue')
        : isHeld && worksOnOrders(run)
          ? releaseFirst(house, issue.number)
          : {
              command:
                reason?.resume ||
                resumeCommandOf(run.request, run.id, `${optionsOfRun(run.request)}${house.commandSuffix}`),
            }),
      ...adviceOn(reason, run.id),
    });
  }
  return [...conditions, ...(await cancelledConditions(house, issue.number, all))];
}

/** A run that the label "hold" keeps from working would only stop again. */
function releaseFirst({ forge, commandSuffix }: FleetTools, number: number) {
  const { hold } = labelNames;
  return toDo(
    forge.kind === 'local'
      ? `gatewright forge issue edit ${number} --remove-label ${hold}${commandSuffix}`
      : `remove the label "${hold}" first`,
  );
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
      who: breach.scope === 'day' ? 'no person: wait until tomorrow (UTC); or you' : 'you',
      ...toDo(`raise GATEWRIGHT_BUDGET_${breach.scope.toUpperCase()}_${unit.toUpperCase()}`),
    },
  ];
}

/** The models of the last run about a number; for a pull request that no run was about yet, those of the run that made it. */
async function lastOptions(house: FleetTools, number: number): Promise<string> {
  const subject = issueSubject(house.repositoryName, number);
  const last = (await runsOf(house, number)).find(isAgentRun);
  if (last !== undefined) return optionsOfRun(last.request);
  const made = await house.ledger.find('pull-request-made', subject);
  const maker = made === null ? null : await house.views.findRun(made.run);
  return maker === null ? '' : optionsOfRun(maker.request);
}

/** What keeps agents from their part of it, as the agents say. */
async function askAgents(house: FleetTools, own: string, explained: ExplainedNumber): Promise<Explained> {
  const modelOptions = await lastOptions(house, explained.issue.number);
  const place = { ...house, repository: house.repositoryName, own, settings: house.fleet, modelOptions };
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
  const { conditions } = await askAgents(house, own, { issue, isPullRequest: true, isTaken: false });
  const subject = issueSubject(house.repositoryName, number);
  const working = await findWorker(house, number);
  const work = await workConditions(house, subject, working, issue);
  return [...work, ...conditions].map((one) => ({ ...one, what: `#${number}: ${one.what}` }));
}

/** How one that is over came to its end. */
async function describeEnd(
  { ledger, forge, repositoryName }: FleetTools,
  subject: string,
  { pull, issue }: { readonly pull: PullRequestDetail | null; readonly issue: ForgeIssue },
): Promise<string> {
  if (pull?.state === 'merged') {
    const at = pull.mergedAt === null ? '' : ` at ${pull.mergedAt}`;
    const as = pull.mergeCommit === null ? '' : ` as ${pull.mergeCommit.slice(0, 12)}`;
    return `merged into ${pull.base.branch}${as}${at}`;
  }
  if (pull !== null) return `closed without a merge`;
  const made = (await ledger.readWork(subject)).flatMap((entry) =>
    entry.kind === 'pull-request-made' && entry.data.issue === issue.number ? [entry.data.number] : [],
  );
  for (const number of made.reverse()) {
    const by = await forge.getPullRequest(repositoryName, number).catch(() => null);
    if (by?.state === 'merged') return `done: merged by #${number}`;
  }
  return 'closed';
}

function describeNow(
  state: string,
  working: NumberExplanation['working'],
  conditions: readonly Condition[],
): string {
  if (working !== null) return `${working.who} is working on it`;
  if (state !== 'open') return state;
  const count = conditions.length;
  if (count === 0) return 'nothing blocks it';
  return count === 1 ? '1 thing keeps it from moving' : `${count} things keep it from moving`;
}

async function lately(
  { leases, ledger }: Pick<FleetTools, 'leases' | 'ledger'>,
  runs: readonly RunSummary[],
  subject: string,
): Promise<NumberExplanation['lately']> {
  const ran: { at: string; what: string }[] = [];
  for (const run of runs) {
    // A run whose process is gone does not run, whatever it wrote last.
    const how = run.reason?.message ?? (await standingOf(run, [], leases));
    ran.push({ at: run.changedAt, what: `${agentOf(run.request) ?? run.request.workflow}: ${how}` });
  }
  const refusals = await ledger.readRefusals(subject, manyRefusals);
  // That agents do not follow our own words is no news.
  const refused = refusals
    .filter(({ data }) => data.because !== 'own')
    .map(({ at, data }) => ({ at, what: describeRefusal(data) }));
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

/** What it cost so far; runs of workflows have a chain of their own. */
function costOf(
  runs: readonly RunSummary[],
  subject: string,
  spent: Awaited<ReturnType<FleetTools['ledger']['readUsage']>>,
): Pick<NumberExplanation, 'costUsd' | 'costAtMostUsd' | 'hasUnpriced'> {
  const beside = runs.filter((run) => run.subject !== subject);
  return {
    costUsd: beside.reduce((sum, run) => sum + run.costUsd, spent.issue.costUsd),
    costAtMostUsd: runs.reduce((sum, run) => sum + run.costAtMostUsd, 0),
    ...(runs.some((run) => run.hasUnpriced) ? { hasUnpriced: true } : {}),
  };
}

/** For a number that was transferred or deleted, only the ledger has more to say. */
async function explainGone(
  house: FleetTools,
  number: number,
  error: GatewrightError,
): Promise<NumberExplanation> {
  const { ledger, repositoryName, views } = house;
  const subject = issueSubject(repositoryName, number);
  const runs = await runsOf(house, number);
  const since = `${house.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`;
  const spent = await ledger.readUsage('', subject, since);
  const [known] = await views.listRuns({ subject }, { limit: 1 });
  const isMoved = error.code === 'forge-moved';
  return {
    ...{ subject, title: known?.request.title ?? '', kind: 'issue', url: '' },
    state: isMoved ? 'moved' : 'deleted',
    now: isMoved ? 'moved to another place' : 'deleted',
    working: null,
    conditions: [
      {
        what: error.message,
        who: 'you',
        ...toDo(
          isMoved
            ? 'ask again at its new place; no agent works on it here'
            : 'file it again if it is still needed',
        ),
      },
    ],
    ...costOf(runs, subject, spent),
    budgetUsd: house.budget.issue.usd,
    lately: await lately(house, runs, subject),
  };
}

/** What the merge rested on, when it is one of ours. */
async function readGrounds(
  { ledger, repositoryName }: FleetTools,
  pull: PullRequestDetail | null,
): Promise<Pick<NumberExplanation, 'grounds'>> {
  if (pull?.state !== 'merged') return {};
  const { number, head } = pull;
  const { grounds } = await findMergeGrounds(ledger, repositoryName, { number, head: head.sha });
  return grounds === null ? {} : { grounds: listGrounds(grounds) };
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
  const spent = await ledger.readUsage(
    '',
    subject,
    `${house.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`,
  );
  const runs = await runsOf(house, number);
  const state = pull?.state ?? issue.state;
  const isOpen = state === 'open';
  let working = await findWorker(house, number);
  const conditions: Condition[] = [];
  // What is over needs nothing.
  if (isOpen) {
    conditions.push(...(await workConditions(house, subject, working, issue)));
    conditions.push(...(await budgetConditions(house, spent)));
    const made = pull === null ? await findOpenPulls(house, runs) : [];
    const isTaken = made.length > 0 || (await findOpenRunOf(house, number)) !== null;
    const said = await askAgents(house, own, { issue, isPullRequest: pull !== null, isTaken });
    conditions.push(...said.conditions);
    for (const one of new Set([...made, ...(said.movesWith ?? [])])) {
      working ??= await findWorker(house, one);
      conditions.push(...(await conditionsOfPull(house, own, one)));
    }
  }
  const now = isOpen || working !== null ? state : await describeEnd(house, subject, found);
  return {
    subject,
    title: issue.title,
    kind: pull === null ? 'issue' : 'pull request',
    state,
    url: issue.url,
    now: describeNow(now, working, conditions),
    working,
    conditions,
    ...(await readGrounds(house, pull)),
    ...costOf(runs, subject, spent),
    budgetUsd: house.budget.issue.usd,
    lately: await lately(house, runs, subject),
  };
}
