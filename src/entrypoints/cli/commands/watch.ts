/** `watch`: runs the fleet of a repository, until it is stopped. */

import { listenForStop } from '../listen-for-stop.ts';
import { runFleet } from '../run-fleet.ts';
import type { Handler } from '../table/command.ts';
import { makeFleetView } from '../views/fleet-view.ts';

export const watch: Handler = async (app, given) => {
  const workers = given.count('workers') ?? 2;
  const house = await app.openHouse(given.text('repo'), { forge: null, name: null, asAgent: true });
  const view = makeFleetView(app.terminal);
  const stop = listenForStop(view.say);
  try {
    const own = await house.forge.whoAmI();
    view.say(
      house.eventFeed === null
        ? `Watching schedules and waiting runs of ${house.repositoryName}. To receive events of GitHub: gatewright serve (or dispatch). Ctrl-C stops.`
        : `Watching ${house.repositoryName}. To start work, mention @${house.fleet.handle} in an issue. Ctrl-C stops.`,
    );
    await runFleet(app, { house, view, own, workers, signal: stop.signal });
  } finally {
    view.close();
    stop.close();
  }
  return 0;
};
