/** Which agents an event is for, with the guards before them, and who was refused and why. */
import { loadAgent, manifestOf, manifests } from '../agents/agents.ts';
import { isOrderTo, type Manifest } from '../agents/manifest.ts';
import type { WorkerName, WorkflowName } from '../domain/fleet/agent-names.ts';
import { agentRunKey } from '../domain/fleet/agent-run-key.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { RefusalReason } from '../domain/ledger/fleet-entries.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import type { FleetTools } from '../runs/house.ts';
import { workflowRunKey } from '../workflows/workflow.ts';
import { workflowManifests } from '../workflows/workflows.ts';
import { gatherRoutingFacts } from './gather-routing-facts.ts';
import { judgeActor } from './judge-actor.ts';
import { subjectOfEvent } from './receive-event.ts';
import { routeEvent } from './route-event.ts';
import { findOpenRunOf } from './workflows/find-open-run.ts';
import { routeToWorkflow } from './workflows/route-to-workflow.ts';

export interface Refusal {
  readonly agent: WorkerName | WorkflowName;
  readonly because: RefusalReason;
  readonly detail: string;
}

/** As they are written down. */
export function entriesOfRefusals(
  { actor }: Pick<FleetTools, 'actor'>,
  event: FleetEvent,
  refused: readonly Refusal[],
): NewEntry[] {
  const { delivery, actor: by } = event;
  return refused.map(({ agent, because, detail }) => ({
    ...{ subject: subjectOfEvent(event), run: '', actor, kind: 'event-refused', key: `${delivery}/${agent}` },
    data: { delivery, agent, by, because, detail },
  }));
}

export interface Routing {
  readonly agents: readonly WorkerName[];
  /** The workflow that it starts or continues. */
  readonly workflow: WorkflowName | null;
  readonly refused: readonly Refusal[];
  /** Whether a comment has to tell people about a refusal. */
  readonly isNews: boolean;
}

/** The workflow that has begun a run for this very event. */
async function findBegun({ ledger }: FleetTools, event: FleetEvent): Promise<WorkflowName | null> {
  for (const { name, triggers } of workflowManifests)
    if (
      triggers.some(({ on }) => on === event.kind) &&
      (await ledger.find('run-started', workflowRunKey(event, name))) !== null
    )
      return name;
  return null;
}

/** The workflow that ended with the answer in this very comment: after a kill it comes again, and is an order to no agent. */
async function findAnswered(
  { ledger, views, repositoryName }: FleetTools,
  event: FleetEvent,
): Promise<WorkflowName | null> {
  if (event.kind !== 'comment-created' || event.isPullRequest) return null;
  for (const { name, subjectOf } of workflowManifests) {
    const [last] = await views.listRuns({ subject: subjectOf(repositoryName, event.number) });
    if (last?.status !== 'done') continue;
    const isAnswer = (await ledger.readRun(last.id)).some(({ kind, data }) => {
      const said = kind === 'gate-answered' ? data.answer.said : undefined;
      return said !== undefined && 'comment' in said && said.comment === event.comment;
    });
    if (isAnswer) return name;
  }
  return null;
}

/** Why no agent takes an order about an issue that a workflow works on; null when none does. */
async function findRunOpen(house: FleetTools, event: FleetEvent, agent: WorkerName): Promise<Refusal | null> {
  if (!('number' in event) || ('isPullRequest' in event && event.isPullRequest)) return null;
  const open = await findOpenRunOf(house, event.number);
  if (open === null) return null;
  return { agent, because: 'run-open', detail: `the ${open.workflow} ${open.id} works on #${event.number}` };
}

/** Those that the event is for, without the guards. */
async function routeToAgents(house: FleetTools, event: FleetEvent, own: string): Promise<Routing> {
  const facts = await gatherRoutingFacts(house, event, own);
  const known = (await findBegun(house, event)) ?? (await findAnswered(house, event));
  const route = routeToWorkflow(workflowManifests, event, facts, known);
  const isOn = (agent: WorkerName): boolean => house.fleet.agents.some((name) => name === agent);
  const agents: WorkerName[] = [];
  const refused: Refusal[] = [];
  let isNews = false;
  let workflow: WorkflowName | null = null;
  if (route !== null) {
    const refusal = route.as === 'order' ? await judgeActor(house, event) : null;
    if (refusal === null) workflow = route.workflow;
    else {
      const { because, detail } = refusal;
      refused.push({ agent: route.workflow, because, detail });
      isNews ||= refusal.isNews;
    }
  }
  for (const { agent, runs } of routeEvent(manifests, event, facts)) {
    if (!isOn(agent)) continue;
    if (!runs) refused.push({ agent, because: 'own', detail: 'it is a word of our own' });
    else if (!isOrderTo(manifestOf(agent), event.kind)) agents.push(agent);
    // An order goes to one: to the workflow, if it is for that.
    else if (route?.as === 'order') continue;
    else {
      const taken = await findRunOpen(house, event, agent);
      if (taken !== null) {
        refused.push(taken);
        continue;
      }
      // Only an order needs this check: it costs a call to the forge.
      const refusal = await judgeActor(house, event);
      if (refusal === null) agents.push(agent);
      else {
        const { because, detail } = refusal;
        refused.push({ agent, because, detail });
        isNews ||= refusal.isNews;
      }
    }
  }
  return { agents, workflow, refused, isNews };
}

/** Why a guard refuses the event; null when it does not, or does not look at such events. */
async function judgeAsGuard(
  house: FleetTools,
  { name, guards = [] }: Manifest,
  event: FleetEvent,
  own: string,
): Promise<Refusal | null> {
  if (!guards.includes(event.kind)) return null;
  const { judge } = await loadAgent(name);
  const place = { forge: house.forge, views: house.views, settings: house.fleet };
  const refusal = (await judge?.({ ...place, own }, event)) ?? null;
  return refusal === null ? null : { agent: name, ...refusal };
}

export async function routeWithGuards(
  house: FleetTools,
  event: FleetEvent,
  own: string,
): Promise<Omit<Routing, 'isNews'>> {
  const { agents, workflow, refused, isNews } = await routeToAgents(house, event, own);
  const guards: WorkerName[] = [];
  const judged: Refusal[] = [];
  for (const manifest of manifests) {
    if (manifest.guards === undefined) continue;
    const refusal = await judgeAsGuard(house, manifest, event, own);
    if (refusal !== null) judged.push(refusal);
    const guard = { agent: manifest.name, subject: subjectOfEvent(event) };
    // A guard that was cut off after its work finds nothing wrong any more, but its run still has to end.
    const isBegun = async () => (await house.ledger.find('run-started', agentRunKey(event, guard))) !== null;
    if (refusal !== null || isNews || (await isBegun())) guards.push(manifest.name);
  }
  // Guards come first, so that no agent acts on a state that a guard does not accept.
  return { agents: [...guards, ...agents], workflow, refused: [...refused, ...judged] };
}
