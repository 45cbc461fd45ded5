/**
 * Events that no agent reacts to, as most are: many of them are settled in one transaction. The ledger alone decides
 * whether an event is quiet; an event that needs a call to the forge is handled alone.
 */
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { Forge } from '../ports/forge/forge.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import type { FleetTools } from '../runs/house.ts';
import { readEvent } from './read-event.ts';
import { subjectOfEvent } from './receive-event.ts';
import { isRelease } from './resume-held.ts';
import { entriesOfRefusals, type Refusal, routeWithGuards } from './route-with-guards.ts';
import type { FleetSession } from './run-agent.ts';

interface QuietEvent {
  readonly event: FleetEvent;
  readonly refused: readonly Refusal[];
  readonly entries: readonly NewEntry[];
}

/** In place of a forge that must not be asked. */
const noForge = new Proxy({} as Forge, {
  get() {
    throw new GatewrightError('internal', 'This takes a call to the forge.');
  },
});

/** Null when an agent reacts to it, or when that is not known without asking the forge. */
async function readQuiet(house: FleetTools, open: OpenEvent, own: string): Promise<QuietEvent | null> {
  const event = await readEvent(house, open);
  if (event === null || isRelease(event)) return null;
  try {
    const { agents, workflow, refused } = await routeWithGuards({ ...house, forge: noForge }, event, own);
    if (agents.length > 0 || workflow !== null) return null;
    const settled = {
      ...{ subject: subjectOfEvent(event), run: '', actor: house.actor },
      ...({ kind: 'event-settled', key: event.delivery, data: { runs: [] } } as const),
    };
    return { event, refused, entries: [...entriesOfRefusals(house, event, refused), settled] };
  } catch {
    // The answer needs a call to the forge, or the event has an error, which is reported when the event is handled
    // alone.
    return null;
  }
}

/**
 * Settles those of the events, oldest first, that no agent reacts to; says which those are. An event about a subject of
 * which an earlier one is not settled waits for that one; in order, every event waits for those before it.
 */
export async function handleQuietEvents(
  house: FleetTools,
  open: readonly OpenEvent[],
  { own, dryRun = false }: Pick<FleetSession, 'own' | 'dryRun'>,
  { isInOrder = false } = {},
): Promise<QuietEvent[]> {
  if (dryRun) return [];
  const waiting = new Set<string>();
  const quiet: QuietEvent[] = [];
  for (const one of open) {
    if (waiting.has(one.subject)) continue;
    const found = await readQuiet(house, one, own);
    if (found !== null) quiet.push(found);
    else if (isInOrder) break;
    else waiting.add(one.subject);
  }
  return quiet.length === 0 ? [] : write(house, quiet);
}

/** Another process may have settled some of them meanwhile, so what is there is left out. */
async function write(house: Pick<FleetTools, 'ledger'>, quiet: readonly QuietEvent[]): Promise<QuietEvent[]> {
  try {
    await house.ledger.appendNew(quiet.flatMap(({ entries }) => entries));
    return [...quiet];
  } catch (error) {
    // A chain that was tampered with takes no entry; the other chains do. The error is reported when the event is
    // handled alone.
    if (!isGatewrightError(error, 'ledger-broken')) throw error;
    if (quiet.length === 1) return [];
    const each: QuietEvent[] = [];
    for (const one of quiet) each.push(...(await write(house, [one])));
    return each;
  }
}
