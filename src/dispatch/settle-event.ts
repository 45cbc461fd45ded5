/**
 * From an event to the runs of agents for it: who is it for, may whoever caused it ask for that, and is it done. What was
 * refused is written down with the reason. An event whose runs all ended or stopped is settled; one that was cut off stays
 * open and is taken up again, and whatever was done for it is not done twice.
 */
import { loadAgent, manifestOf, manifests } from '../agents/agents.ts';
import { isOrderTo, type Manifest, triggersOn } from '../agents/manifest.ts';
import type { WorkerName } from '../domain/agent-names.ts';
import type { FleetEvent } from '../domain/event.ts';
import type { RefusalReason } from '../domain/fleet-entries.ts';
import type { NewEntry } from '../domain/ledger-entry.ts';
import { issueSubject } from '../domain/subject.ts';
import { isGatewrightError } from '../errors.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import { gatherRoutingFacts } from './gather-routing-facts.ts';
import type { House } from './house.ts';
import { judgeActor } from './judge-actor.ts';
import { readEvent, refuseUnreadable } from './read-event.ts';
import { subjectOfEvent, takeHappenings } from './receive-event.ts';
import { isRelease, resumeHeld } from './resume-held.ts';
import { routeEvent } from './route-event.ts';
import {
  type AgentOutcome,
  type FleetSession,
  isLeftOpen,
  runAgent,
  runKey,
  type Target,
} from './run-agent.ts';

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

interface Routing {
  readonly agents: readonly WorkerName[];
  readonly refused: readonly Refusal[];
  /** Whether a refusal is something that people have to be told. */
  readonly isNews: boolean;
}

/** Those that the event is for, without the guards. */
async function routeToAgents(house: House, event: FleetEvent, own: string): Promise<Routing> {
  const facts = await gatherRoutingFacts(house, event, own);
  const isOn = (agent: WorkerName): boolean => house.fleet.agents.some((name) => name === agent);
  const agents: WorkerName[] = [];
  const refused: Refusal[] = [];
  let isNews = false;
  for (const { agent, runs } of routeEvent(manifests, event, facts)) {
    if (!isOn(agent)) continue;
    if (!runs) refused.push({ agent, because: 'own', detail: 'it is a word of our own' });
    else if (!isOrderTo(manifestOf(agent), event.kind)) agents.push(agent);
    else {
      // Asked only when somebody gives an order: it costs a call to the forge.
      const refusal = await judgeActor(house, event);
      if (refusal === null) agents.push(agent);
      else {
        const { because, detail } = refusal;
        refused.push({ agent, because, detail });
        isNews ||= refusal.isNews;
      }
    }
  }
  return { agents, refused, isNews };
}

/** What a guard has against the event; null when it has nothing, or does not look at such events. */
async function judgeAsGuard(
  house: House,
  { name, guards = [] }: Manifest,
  event: FleetEvent,
  own: string,
): Promise<Refusal | null> {
  if (!guards.includes(event.kind)) return null;
  const { judge } = await loadAgent(name);
  const refusal = (await judge?.({ forge: house.forge, settings: house.fleet, own }, event)) ?? null;
  return refusal === null ? null : { agent: name, ...refusal };
}

async function route(house: House, event: FleetEvent, own: string): Promise<Omit<Routing, 'isNews'>> {
  const { agents, refused, isNews } = await routeToAgents(house, event, own);
  const guards: WorkerName[] = [];
  const judged: Refusal[] = [];
  for (const manifest of manifests) {
    if (manifest.guards === undefined) continue;
    const refusal = await judgeAsGuard(house, manifest, event, own);
    if (refusal !== null) judged.push(refusal);
    const guard = { agent: manifest.name, subject: subjectOfEvent(event) };
    // Cut off after it had done what it was to do: nothing looks wrong any more, and its run still has to end.
    const isBegun = async () => (await house.ledger.find('run-started', runKey(event, guard))) !== null;
    if (refusal !== null || isNews || (await isBegun())) guards.push(manifest.name);
  }
  // First, so that no agent acts on what does not stand.
  return { agents: [...guards, ...agents], refused: [...refused, ...judged] };
}

/** What each agent is woken for. Builds and checks speak of a commit; its trigger says if that means pull requests. */
async function findTargets(house: House, event: FleetEvent, agent: WorkerName): Promise<Target[]> {
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
