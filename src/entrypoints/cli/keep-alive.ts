/** Lets a fleet live until it is told to stop, and tells what it does: what `watch` and `serve` have in common. */

import { describeDeed } from '../../domain/fleet/describe-event.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { toGatewrightError } from '../../errors.ts';
import { listDueSchedules } from '../../fleet/due-schedules.ts';
import type { Bell } from '../../fleet/wake-signal.ts';
import { watchFleet } from '../../fleet/watch-fleet.ts';
import type { House } from '../../runs/house.ts';
import type { App } from './app.ts';
import type { FleetView } from './views/fleet-view.ts';

export interface Living {
  readonly house: House;
  readonly view: FleetView;
  /** The login under which agents act. */
  readonly own: string;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Rung when something was received. */
  readonly bell?: Bell;
}

/** Who did what, in a line. */
export function tellDeed(
  app: App,
  { view, own }: Pick<Living, 'view' | 'own'>,
  { text, actor }: { readonly text: string; readonly actor: string },
): void {
  const deed = escapeForLine(text, 200);
  view.say(actor === own ? app.terminal.style('dim', deed) : deed);
}

export function tellTrouble({ view }: Pick<Living, 'view'>, error: unknown): void {
  const { code, message, hint } = toGatewrightError(error, 'An unexpected error happened: ');
  view.say(`${code}: ${escapeForLine(message, 300)} ${hint}`);
}

export function keepAlive(app: App, living: Living): Promise<void> {
  const { house, view, own, workers, signal, bell } = living;
  return watchFleet(house, house.happenings, {
    ...view.session,
    ...{ own, signal, workers, pollMilliseconds: 1_000 },
    ...(bell === undefined ? {} : { bell }),
    dueEvents: () => listDueSchedules(house, own),
    onEvent: (event) => tellDeed(app, living, { text: describeDeed(event), actor: event.actor }),
    onSettled: view.showEvent,
    onTrouble: (error) => tellTrouble(living, error),
  });
}
