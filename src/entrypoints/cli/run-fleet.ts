/** Runs a fleet until a signal stops it, and shows what it does: what `watch` and `serve` have in common. */

import { describeDeed } from '../../domain/fleet/describe-event.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { toGatewrightError } from '../../errors.ts';
import { listDueSchedules } from '../../fleet/due-schedules.ts';
import { tellPeople } from '../../fleet/notifications/tell-people.ts';
import type { FleetSession } from '../../fleet/run-agent.ts';
import type { WakeSignal } from '../../fleet/wake-signal.ts';
import { watchFleet } from '../../fleet/watch-fleet.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { House } from '../../runs/house.ts';
import type { App } from './app.ts';
import { openDesk } from './open-desk.ts';
import type { FleetView } from './views/fleet-view.ts';
import { describeTold } from './views/notifications/told-view.ts';

export interface FleetOptions {
  readonly house: House;
  readonly view: FleetView;
  /** The login under which agents act. */
  readonly own: string;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Fires when an event was received. */
  readonly wakeSignal?: WakeSignal;
  /** The deliveries that were acknowledged, where the forge sends them. */
  readonly inbox?: Inbox;
}

/** Who did what, in a line. */
function showDeed(
  app: App,
  { view, own }: Pick<FleetOptions, 'view' | 'own'>,
  { text, actor }: { readonly text: string; readonly actor: string },
): void {
  const deed = escapeForLine(text, 200);
  view.say(actor === own ? app.terminal.style('dim', deed) : deed);
}

export function showTrouble({ view }: Pick<FleetOptions, 'view'>, error: unknown): void {
  const { code, message, hint } = toGatewrightError(error, 'An unexpected error happened: ');
  view.say(`${code}: ${escapeForLine(message, 300)} ${hint}`);
}

/** Under which login agents work, and who is told what they do. */
export function sessionOf({ view, own, signal }: FleetOptions): FleetSession {
  return { ...view.session, own, signal };
}

const tellMilliseconds = 2_000;

/** Tells people outside the forge, where channels are set; what goes wrong there stops nothing else. */
async function tellOutside(app: App, fleet: FleetOptions): Promise<void> {
  const { house, view, signal } = fleet;
  const onTrouble = (error: unknown): void => showTrouble(fleet, error);
  try {
    const desk = await openDesk(app, house);
    if (desk === null) return;
    await tellPeople(house, desk, {
      ...{ signal, onTrouble, pollMilliseconds: tellMilliseconds },
      onOutcome: (outcome) => view.say(describeTold(outcome)),
    });
  } catch (error) {
    onTrouble(error);
  }
}

export async function runFleet(app: App, fleet: FleetOptions): Promise<void> {
  const telling = tellOutside(app, fleet);
  await watch(app, fleet).finally(() => telling);
}

function watch(app: App, fleet: FleetOptions): Promise<void> {
  const { house, view, own, workers, signal, wakeSignal, inbox } = fleet;
  return watchFleet(house, house.eventFeed, {
    ...sessionOf(fleet),
    ...{ signal, workers, pollMilliseconds: 1_000 },
    ...(wakeSignal === undefined ? {} : { wakeSignal }),
    ...(inbox === undefined ? {} : { inbox }),
    dueEvents: () => listDueSchedules(house, own),
    onEvent: (event) => showDeed(app, fleet, { text: describeDeed(event), actor: event.actor }),
    onSettled: view.showEvent,
    onTrouble: (error) => showTrouble(fleet, error),
  });
}
