/** What the scheduled agents share: the slot of the schedule that started them, and exactly one report for each slot. */

import type { EventOf } from '../../domain/fleet/event.ts';
import { defaultLabelColour, standardLabels } from '../../domain/forge/label-table.ts';
import { findEarlierEffect } from '../../domain/ledger/earlier-runs.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';

/** Periods are counted from the slot, not from now: a slot that runs late reports what it would have reported on time. */
export function requireSlot({ event, request }: AgentContext): EventOf<'schedule-due'> {
  if (event.kind !== 'schedule-due') throw new TypeError(`${request.agent} was started without a schedule`);
  return event;
}

const hour = 3_600_000;

export function hoursBefore(moment: string, hours: number): string {
  return new Date(new Date(moment).getTime() - hours * hour).toISOString();
}

interface Report {
  readonly label: string;
  readonly title: string;
}

/**
 * Whether this report already exists, made for another delivery or by another machine; says so if it does. Called
 * before the facts are gathered, and inside `once`: otherwise a resumed run would find its own report.
 */
export async function findReport(context: AgentContext, { title }: Report): Promise<string | null> {
  const { forge, ledger, own, repository, runId } = context;
  const entries = await ledger.readWork(context.subject);
  const earlier = findEarlierEffect(entries, 'create-issue', reportKey(title), runId);
  if (earlier?.state === 'done') return `"${title}" is #${earlier.result.number}`;
  if (earlier?.state === 'begun') return `"${title}" is being made by ${earlier.run}`;
  // The report may come from another machine, whose ledger is not here, so the forge is asked. The author is checked
  // too: any account can use the title.
  const since = hoursBefore(requireSlot(context).at, 24);
  const issues = await forge.listIssues(repository, { state: 'all', author: own, since });
  const found = issues.find((issue) => issue.title === title && issue.author === own);
  return found === undefined ? null : `"${title}" is #${found.number}`;
}

function reportKey(title: string): string {
  return `report/${title}`;
}

export async function ensureLabel(context: AgentContext, name: string): Promise<void> {
  const { repository } = context;
  const known = standardLabels.find((one) => one.name === name);
  const { colour = defaultLabelColour, description = '' } = known ?? {};
  await context.effects.perform(`ensure/${name}`, 'ensure-label', () => ({
    repository,
    name,
    colour,
    description,
  }));
}

export async function publishReport(
  context: AgentContext,
  { label, title }: Report,
  body: string,
): Promise<AgentEnd> {
  const { repository, own, ledger } = context;
  await ensureLabel(context, label);
  const result = await context.effects.perform(reportKey(title), 'create-issue', async () => ({
    repository,
    title,
    body: await ledger.putText(body),
    labels: [label],
    author: own,
  }));
  if (context.request.dryRun) return { message: `"${title}" would be filed` };
  return { message: `"${title}" is #${result.number}`, result };
}
