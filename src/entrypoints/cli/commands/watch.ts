/** `watch`: keeps a repository on the local forge alive, until it is stopped. */
import { listDueSchedules } from '../../../dispatch/due-schedules.ts';
import { watchFleet } from '../../../dispatch/watch-fleet.ts';
import { describeDeed } from '../../../domain/describe-event.ts';
import { escapeForLine } from '../../../domain/untrusted-text.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { Handler } from '../command.ts';
import { makeFleetView } from '../fleet-view.ts';
import { listenForStop } from '../listen-for-stop.ts';

export const watch: Handler = async (app, given) => {
  const workers = given.count('workers') ?? 2;
  const house = await app.openHouse(given.text('repo'), { forge: null, name: null, asAgent: true });
  if (house.happenings === null)
    throw new GatewrightError(
      'forge-local-only',
      'GitHub tells what happens by deliveries; there is nothing to watch.',
      {
        hint: 'Feed each delivery with: gatewright dispatch --event FILE --name EVENT',
      },
    );
  const view = makeFleetView(app.terminal);
  const stop = listenForStop(view.say);
  const { handle } = house.fleet;
  const own = await house.forge.whoAmI();
  view.say(
    `Watching ${house.repositoryName}. Mention @${handle} in an issue to have it worked on; Ctrl-C stops.`,
  );
  try {
    await watchFleet(house, house.happenings, {
      ...view.session,
      own,
      signal: stop.signal,
      workers,
      pollMilliseconds: 1_000,
      dueEvents: () => listDueSchedules(house, own),
      onEvent: (event) =>
        view.say(
          event.actor === own
            ? app.terminal.style('dim', escapeForLine(describeDeed(event), 200))
            : escapeForLine(describeDeed(event), 200),
        ),
      onSettled: view.showEvent,
      onTrouble: (error) =>
        view.say(
          isGatewrightError(error)
            ? `${error.code}: ${escapeForLine(error.message, 300)} ${error.hint}`
            : `Something unexpected happened: ${escapeForLine(String(error), 300)}`,
        ),
    });
  } finally {
    view.close();
    stop.close();
  }
  return 0;
};
