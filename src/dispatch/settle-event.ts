/**
 * From an event to the runs of agents for it: who is it for, may whoever caused it ask for that, and is it done. What was
 * refused is written down with the reason. An event whose runs all ended or stopped is settled; one that was cut off stays
 * open and is taken up again, and whatever was done for it is not done twice.
 */
import { isLabelEvent, judgeLabelEvent } from '../agents/label-keeper/label-keeper.ts';
import type { WorkerName } from '../domain/agent-names.ts';
import { isOrderTo } from '../domain/agent-table.ts';
import { begunAgentRun } from '../domain/begun-agent-run.ts';
import type { EventOf, FleetEvent } from '../domain/event.ts';
import type { RefusalReason } from '../domain/fleet-entries.ts';
import { findOpenPlan, wasOrderedByText } from '../domain/implementer-history.ts';
import type { LedgerEntry, NewEntry } from '../domain/ledger-entry.ts';
import { carriesMarker } from '../domain/own-words.ts';
import { listHanded } from '../domain/queue-removal.ts';
import { hasStopped } from '../domain/review-call.ts';
import { type RoutingFacts, routeEvent } from '../domain/route-event.ts';
import { mentions } from '../domain/spoken-text.ts';
import { issueSubject } from '../domain/subject.ts';
import { isGatewrightError } from '../errors.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import type { House } from './house.ts';
import { isOwnPull } from './is-own-pull.ts';
import { judgeActor } from './judge-actor.ts';
import { readEvent, refuseUnreadable } from './read-event.ts';
import { subjectOfEvent, takeHappenings } from './receive-event.ts';
import { isRelease, resumeHeld } from './resume-held.ts';
import {
  type AgentOutcome,
  type FleetSession,
  isLeftOpen,
  runAgent,
  runKey,
  type Target,
} from './run-agent.ts';

/** Builds that run the doctor himself: he does not treat himself. */
const ownWorkflows: readonly string[] = ['CI Doctor', 'ci-doctor'];

export interface EventOutcome {
  readonly event: FleetEvent;
  /** False when somebody else is working on the subject: it is taken up later. */
  readonly isSettled: boolean;
  readonly outcomes: readonly AgentOutcome[];
  readonly refused: readonly Refusal[];
}

interface Refusal {
  readonly agent: WorkerName;
  readonly because: RefusalReason;
  readonly detail: string;
}

/** What was written down when the event was first settled stands. */
async function appendOnce(house: House, entry: NewEntry): Promise<void> {
  try {
    await house.ledger.append([entry]);
  } catch (error) {
    if (!isGatewrightError(error, 'ledger-conflict')) throw error;
  }
}

function isBegunFor(entry: LedgerEntry, event: FleetEvent, wanted: WorkerName): boolean {
  const begun = begunAgentRun(entry);
  return begun?.agent === wanted && begun.delivery === event.delivery;
}

/** None of a pull request that is not there: whoever delivered that, nobody can act on it. */
async function listRemarks({ forge }: House, { repository, number }: EventOf<'review-submitted'>) {
  try {
    return await forge.listReviewComments(repository, number);
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found')) return [];
    throw error;
  }
}

/** Whether somebody calls us where they speak of a line, and not in the review itself. */
async function isCalledInRemark(house: House, event: FleetEvent, own: string): Promise<boolean> {
  if (event.kind !== 'review-submitted' || (event.actor === own && event.actorKind === 'bot')) return false;
  const { handle } = house.fleet;
  if (mentions(event.text, handle)) return false;
  const remarks = await listRemarks(house, event);
  return remarks.some(
    ({ review, author, body }) =>
      review === event.review && author === event.actor && !carriesMarker(body) && mentions(body, handle),
  );
}

/** Whether what was merged is what we handed to the queue of the forge: what is left to do behind it is ours then. */
async function isHandedToQueue({ ledger }: House, event: FleetEvent): Promise<boolean> {
  if (event.kind !== 'pull-request-closed' || !event.isMerged) return false;
  const entries = await ledger.readSubject(subjectOfEvent(event));
  return listHanded(entries, event.number).some(({ head }) => head === event.head);
}

async function route(
  house: House,
  event: FleetEvent,
  own: string,
): Promise<{ readonly agents: readonly WorkerName[]; readonly refused: readonly Refusal[] }> {
  const isRead = isOrderTo('implementer', event.kind);
  const entries = isRead ? await house.ledger.readSubject(subjectOfEvent(event)) : [];
  const isBegun = entries.some((entry) => isBegunFor(entry, event, 'implementer'));
  const isReviewBegun = entries.some((entry) => isBegunFor(entry, event, 'reviewer'));
  const facts: RoutingFacts = {
    handle: house.fleet.handle,
    own,
    mayOrder: true,
    // An approval that was cut off has closed its plan already, and its run still has to end.
    hasOpenPlan: findOpenPlan(entries) !== null || isBegun,
    isCalledInRemark: isBegun || (await isCalledInRemark(house, event, own)),
    // Whoever began for this event ends it, whatever has come of it since.
    isReviewStopped: isReviewBegun || (!isBegun && hasStopped(entries, 'reviewer')),
    isWorkStopped: !isReviewBegun && hasStopped(entries, 'implementer'),
    isOrderedBefore: !isBegun && wasOrderedByText(entries, event.delivery),
    isOwnPull: await isOwnPull(house, event, own),
    isHandedToQueue: await isHandedToQueue(house, event),
    ownWorkflows,
  };
  const routes = routeEvent(event, facts).filter(({ agent }) => house.fleet.agents.includes(agent));
  const agents: WorkerName[] = [];
  const refused: Refusal[] = [];
  let isKept = false;
  for (const one of routes) {
    if (!one.runs) refused.push({ agent: one.agent, because: 'own', detail: 'it is a word of our own' });
    else if (!isOrderTo(one.agent, event.kind)) agents.push(one.agent);
    else {
      // Asked only when somebody gives an order: it costs a call to the forge.
      const refusal = await judgeActor(house, event);
      if (refusal === null) agents.push(one.agent);
      else {
        const { because, detail } = refusal;
        refused.push({ agent: one.agent, because, detail });
        isKept ||= refusal.isNews;
      }
    }
  }
  if (isLabelEvent(event)) {
    const judgement = await judgeLabelEvent({ forge: house.forge, settings: house.fleet, own }, event);
    if (!judgement.legal) refused.push({ agent: 'label-keeper', because: 'label', detail: judgement.reason });
    isKept ||= !judgement.legal;
  }
  const keeper = { agent: 'label-keeper', subject: subjectOfEvent(event) } as const;
  // Cut off after it had done what it was to do: nothing looks wrong any more, and its run still has to end.
  isKept ||= (await house.ledger.find('run-started', runKey(event, keeper))) !== null;
  // First, so that nobody acts on a label that does not stand.
  return { agents: isKept ? ['label-keeper', ...agents] : agents, refused };
}

/** What each agent is woken for. Builds and checks speak of a commit; merging is about the pull requests at it. */
async function findTargets(house: House, event: FleetEvent, agent: WorkerName): Promise<Target[]> {
  const isOfCommit = event.kind === 'workflow-completed' || event.kind === 'check-completed';
  if (isOfCommit && agent === 'auto-merge') {
    const pulls = await house.forge.listPullRequests(event.repository, { state: 'open' });
    return pulls
      .filter((pull) => pull.head.sha === event.head)
      .map(({ number }) => ({ agent, number, subject: issueSubject(event.repository, number) }));
  }
  const number = 'number' in event ? event.number : null;
  return [{ agent, number, subject: subjectOfEvent(event) }];
}

/** What there is to be done for an event, in order: runs of its own, then what it lets go. */
async function listWork(
  house: House,
  event: FleetEvent,
  agents: readonly WorkerName[],
  session: FleetSession,
): Promise<(() => Promise<AgentOutcome | null>)[]> {
  const targets = await Promise.all(agents.map((agent) => findTargets(house, event, agent)));
  const runs = targets.flat().map((target) => () => runAgent(house, target, event, session));
  const isReleased = isRelease(event) && session.dryRun !== true;
  return isReleased ? [...runs, () => resumeHeld(house, event, session)] : runs;
}

/** Does what the event asks for. May be called again for the same one at any time. */
export async function settleEvent(
  house: House,
  event: FleetEvent,
  session: FleetSession,
): Promise<EventOutcome> {
  const { own, dryRun = false } = session;
  const subject = subjectOfEvent(event);
  // Whoever listed what is open may have been busy for an hour: another has settled it, and who may or must act has
  // changed since.
  if (!dryRun && (await house.ledger.find('event-settled', event.delivery)) !== null)
    return { event, isSettled: true, outcomes: [], refused: [] };
  const { agents, refused } = await route(house, event, own);
  for (const { agent, because, detail } of dryRun ? [] : refused) {
    const data = { delivery: event.delivery, agent, by: event.actor, because, detail };
    const key = `${event.delivery}/${agent}`;
    await appendOnce(house, { subject, run: '', actor: house.actor, kind: 'event-refused', key, data });
  }
  const work = await listWork(house, event, agents, session);
  const outcomes: AgentOutcome[] = [];
  let isSettled = true;
  for (const run of work) {
    if (session.signal?.aborted === true) {
      isSettled = false;
      continue;
    }
    try {
      const outcome = await run();
      if (outcome === null) continue;
      outcomes.push(outcome);
      if (isLeftOpen(outcome)) isSettled = false;
    } catch (error) {
      if (!isGatewrightError(error, 'lease-held', 'lease-lost')) throw error;
      isSettled = false;
    }
  }
  if (isSettled && !dryRun) {
    const data = { runs: outcomes.map(({ run }) => run.id) };
    const key = event.delivery;
    await appendOnce(house, { subject, run: '', actor: house.actor, kind: 'event-settled', key, data });
  }
  return { event, isSettled, outcomes, refused };
}

/** False when it is not to be looked at again for now. */
async function settleOpenEvent(
  house: House,
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
  const outcome = await settleEvent(house, event, session);
  onSettled(outcome);
  // A dry run settles nothing: it would be met again for ever.
  return outcome.isSettled && session.dryRun !== true;
}

/** Settles everything that is open in this repository, with what comes of it, until nothing is left that can be done now. */
export async function settleOpenEvents(
  house: House,
  session: FleetSession,
  onSettled: (outcome: EventOutcome) => void,
): Promise<void> {
  const waiting = new Set<string>();
  const failures: unknown[] = [];
  const isStopped = (): boolean => session.signal?.aborted === true;
  for (let hasMoved = true; hasMoved && !isStopped(); ) {
    const open = await house.views.listOpenEvents({ repository: house.repositoryName });
    const ours = open.filter((one) => !waiting.has(one.delivery));
    hasMoved = ours.length > 0;
    for (const one of ours) {
      if (isStopped()) return;
      try {
        if (!(await settleOpenEvent(house, one, session, onSettled))) waiting.add(one.delivery);
      } catch (error) {
        // One that nothing can be done about must not keep the others from being settled; it is told in the end.
        failures.push(error);
        waiting.add(one.delivery);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The same, with what happens on a forge that keeps a list of it, until nothing more comes of anything. */
export async function settleHappenings(
  house: House,
  session: FleetSession,
  onSettled: (outcome: EventOutcome) => void,
): Promise<void> {
  for (let seen = 0; ; ) {
    // What was open before it was called may make something happen just as well as what is new.
    let hasMoved = false;
    const note = (): void => {
      hasMoved = true;
    };
    if (house.happenings !== null) seen = await takeHappenings(house, house.happenings, seen, note);
    await settleOpenEvents(house, session, (outcome) => {
      if (outcome.isSettled) note();
      onSettled(outcome);
    });
    if (!hasMoved || session.signal?.aborted === true) return;
  }
}
