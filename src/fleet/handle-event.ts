/**
 * From an event to the runs of agents for it: which agents is it for, may its actor ask for that, and is it done. A
 * refusal is written to the ledger with its reason. An event whose runs all ended or stopped is settled; one that was
 * cut off stays open and is handled again later, and its finished work is not done twice.
 */
import { manifestOf } from '../agents/agents.ts';
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import { triggersOn } from '../domain/fleet/trigger.ts';
import { issueSubject } from '../domain/ledger/subject.ts';
import { isGatewrightError } from '../errors.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import type { FleetTools } from '../runs/house.ts';
import type { WorkflowOutcome } from '../workflows/workflow.ts';
import { Failures } from './failures.ts';
import { handleQuietEvents } from './handle-quiet-events.ts';
import { readEvent, refuseUnreadable } from './read-event.ts';
import { subjectOfEvent, takeHappenings } from './receive-event.ts';
import { isRelease, resumeHeld } from './resume-held.ts';
import { entriesOfRefusals, type Refusal, type Routing, routeWithGuards } from './route-with-guards.ts';
import { type AgentOutcome, type FleetSession, isLeftOpen, runAgent, type Target } from './run-agent.ts';
import { runWorkflow } from './workflows/run-workflow.ts';

export interface EventOutcome {
  readonly event: FleetEvent;
  /** False when another process works on the subject: the event is handled later. */
  readonly isSettled: boolean;
  /** Whether that is so because another process works on what it is about. */
  readonly isHeld: boolean;
  readonly outcomes: readonly AgentOutcome[];
  /** What came of the workflow that it started or continued; null when it did neither. */
  readonly workflow: WorkflowOutcome | null;
  readonly refused: readonly Refusal[];
}

/**
 * The subjects for which each agent is started. A build or a check is about a commit; the agent's trigger says whether
 * that means the pull requests at that commit.
 */
async function findTargets(house: FleetTools, event: FleetEvent, agent: WorkerName): Promise<Target[]> {
  const isForPulls = triggersOn(manifestOf(agent), event.kind).some(
    ({ forEach }) => forEach === 'pull-request-at-head',
  );
  if (isForPulls && 'head' in event) {
    const pulls = await house.forge.listPullRequests(event.repository, { state: 'open' });
    return pulls
      .filter((pull) => pull.head.sha === event.head)
      .map(({ number }) => ({ agent, number, subject: issueSubject(event.repository, number) }));
  }
  const number = 'number' in event ? event.number : null;
  return [{ agent, number, subject: subjectOfEvent(event) }];
}

/** The work for an event, in order: the runs of agents, the held run that it releases, the workflow that it is for. */
async function listWork(
  house: FleetTools,
  event: FleetEvent,
  { agents, workflow }: Pick<Routing, 'agents' | 'workflow'>,
  session: FleetSession,
): Promise<(() => Promise<AgentOutcome | WorkflowOutcome | null>)[]> {
  const targets = await Promise.all(agents.map((agent) => findTargets(house, event, agent)));
  const runs = targets.flat().map((target) => () => runAgent(house, target, event, session));
  if (session.dryRun === true) return runs;
  return [
    ...runs,
    ...(isRelease(event) ? [() => resumeHeld(house, event, session)] : []),
    ...(workflow === null ? [] : [() => runWorkflow(house, workflow, event, session)]),
  ];
}

/** The part of it that this process works for. */
function keepOnly(
  { only }: FleetSession,
  { agents, workflow, refused }: Omit<Routing, 'isNews'>,
): Omit<Routing, 'isNews'> {
  if (only === undefined) return { agents, workflow, refused };
  return {
    agents: agents.filter((agent) => only.includes(agent)),
    workflow: workflow !== null && only.includes(workflow) ? workflow : null,
    refused: refused.filter(({ agent }) => only.includes(agent)),
  };
}

/** Does what the event asks for. May be called again for the same one at any time. */
export async function handleEvent(
  house: FleetTools,
  event: FleetEvent,
  session: FleetSession,
): Promise<EventOutcome> {
  const { own, dryRun = false } = session;
  const subject = subjectOfEvent(event);
  // The list of open events may be an hour old: another process may have settled this event since, and permissions and
  // agents may have changed.
  if (!dryRun && (await house.ledger.find('event-settled', event.delivery)) !== null)
    return { event, isSettled: true, isHeld: false, outcomes: [], workflow: null, refused: [] };
  const { agents, workflow: name, refused } = keepOnly(session, await routeWithGuards(house, event, own));
  const refusals = dryRun ? [] : entriesOfRefusals(house, event, refused);
  const work = await listWork(house, event, { agents, workflow: name }, session);
  // Refusals are written before the work begins; without any work, they are written together with the end.
  const isQuiet = work.length === 0;
  if (!isQuiet && refusals.length > 0) await house.ledger.appendNew(refusals);
  const all: (AgentOutcome | WorkflowOutcome)[] = [];
  let isSettled = true;
  const reasons: unknown[] = [];
  for (const run of work) {
    if (session.signal?.aborted === true) {
      isSettled = false;
      continue;
    }
    try {
      const outcome = await run();
      if (outcome === null) continue;
      all.push(outcome);
      if (isLeftOpen(outcome)) isSettled = false;
      reasons.push(outcome.reason?.code);
    } catch (error) {
      if (!isGatewrightError(error, 'lease-held', 'lease-lost')) throw error;
      isSettled = false;
      // Whose lease was taken from it has been told to stop, and does not try again.
      reasons.push(error.code);
    }
  }
  if (isSettled && !dryRun) {
    const data = { runs: all.map(({ run }) => run.id) };
    const key = event.delivery;
    const settled = { subject, run: '', actor: house.actor, kind: 'event-settled', key, data } as const;
    // If the event was settled before, the first entry stands.
    await house.ledger.appendNew(isQuiet ? [...refusals, settled] : [settled]);
  }
  const outcomes = all.filter((outcome) => 'handoffs' in outcome);
  const workflow = all.find((outcome): outcome is WorkflowOutcome => !('handoffs' in outcome)) ?? null;
  const isHeld = reasons.includes('lease-held');
  return { event, isSettled, isHeld, outcomes, workflow, refused };
}

/** Events that no agent reacts to, in one transaction. */
const mostTogether = 100;

/** False when the event must not be handled again for now. */
async function handleOpenEvent(
  house: FleetTools,
  open: OpenEvent,
  session: FleetSession,
  onSettled: (outcome: EventOutcome) => void,
): Promise<boolean> {
  const event = await readEvent(house, open);
  if (event === null) {
    if (session.dryRun !== true) await refuseUnreadable(house, open);
    session.onUnreadable?.(open);
    return false;
  }
  const outcome = await handleEvent(house, event, session);
  onSettled(outcome);
  // A dry run settles nothing, so the loop would find the same event again and again.
  return outcome.isSettled && session.dryRun !== true;
}

/**
 * Handles all open events of this repository, and the events that follow from them, until nothing more can be done now.
 */
export async function handleOpenEvents(
  house: FleetTools,
  session: FleetSession,
  onSettled: (outcome: EventOutcome) => void,
): Promise<void> {
  const waiting = new Set<string>();
  const failures = new Failures();
  const isStopped = (): boolean => session.signal?.aborted === true;
  for (let hasMoved = true; hasMoved && !isStopped(); ) {
    const open = await house.views.listOpenEvents({ repository: house.repositoryName });
    const ours = open.filter((one) => !waiting.has(one.delivery));
    hasMoved = ours.length > 0;
    for (let at = 0; at < ours.length; ) {
      if (isStopped()) return;
      const next = ours.slice(at, at + mostTogether);
      const quiet = await handleQuietEvents(house, next, session, { isInOrder: true });
      for (const { event, refused } of quiet)
        onSettled({ event, isSettled: true, isHeld: false, outcomes: [], workflow: null, refused });
      at += quiet.length;
      const one = next[quiet.length];
      if (one === undefined) continue;
      at += 1;
      const mayCome = await failures.collect(one.subject, false, () =>
        handleOpenEvent(house, one, session, onSettled),
      );
      if (!mayCome) waiting.add(one.delivery);
    }
  }
  const [first] = failures.all;
  if (first !== undefined) throw first.error;
}

/** The same, with the events of the forge's event feed, until no new event comes. */
export async function handleFeed(
  house: FleetTools,
  session: FleetSession,
  onSettled: (outcome: EventOutcome) => void,
): Promise<void> {
  for (let seen = 0; ; ) {
    // Events that were open before this call may cause new events, just as those of the feed do.
    let hasMoved = false;
    const note = (): void => {
      hasMoved = true;
    };
    if (house.eventFeed !== null) seen = await takeHappenings(house, house.eventFeed, seen, note);
    await handleOpenEvents(house, session, (outcome) => {
      if (outcome.isSettled) note();
      onSettled(outcome);
    });
    if (!hasMoved || session.signal?.aborted === true) return;
  }
}
