/**
 * `serve` on the local forge: works as `watch` does, and answers requests of this machine about what happens. There are
 * no webhooks: what happens there is in the database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewrightError } from '../../../errors.ts';
import type { House } from '../../../runs/house.ts';
import { makeLink, makeLinkCode } from '../../server/api/access/link-codes.ts';
import { requireLoopback, urlOf } from '../../server/api/start-api.ts';
import type { App, RunningApi } from '../app.ts';
import { AnsweredRuns } from '../continue-answered.ts';
import { listenForStop } from '../listen-for-stop.ts';
import { type FleetOptions, runFleet, showTrouble } from '../run-fleet.ts';
import type { Given } from '../table/command.ts';
import { makeFleetView } from '../views/fleet-view.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** How long a run that cannot be stopped in the middle may still take. */
const graceToFinish = 5_000;

/** A new link to a server that runs already: it knows the key that the link is signed with. */
export async function showLink(app: App, house: Pick<House, 'signingKey'>, at: Listening): Promise<number> {
  requireLoopback(at.host);
  const url = urlOf(at.host, at.port);
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  if (answer?.ok !== true) throw new GatewrightError('server-absent', `No server answers at ${url}.`);
  app.terminal.print(makeLink(url, makeLinkCode(house.signingKey, at.port, new Date())));
  return 0;
}

/** The link is good either way: the pages can be built while the server runs. */
export function wordsBesideLink(link: string, { hasPages }: Pick<RunningApi, 'hasPages'>): readonly string[] {
  const missing =
    'The pages of the dashboard are not built here. Run "npm run build" in the checkout of Gatewright before you open the link.';
  return [...(hasPages ? [] : [missing]), `Open it within ten minutes: ${link}`];
}

export async function serveLocal(
  app: App,
  given: Given,
  house: House,
  listening: Listening,
): Promise<number> {
  requireLoopback(listening.host);
  const repository = given.text('repo');
  const view = makeFleetView(app.terminal);
  const stop = listenForStop(view.say);
  try {
    const own = await house.forge.whoAmI();
    const workers = given.count('workers') ?? 2;
    const fleet: FleetOptions = { house, view, own, workers, signal: stop.signal };
    const person = await app.openHouse(repository);
    const answered = new AnsweredRuns(app, fleet, person);
    const api = await app.startApi(repository, listening, {
      onAnswered: (run) => answered.goOn(run),
      onTrouble: (error) => showTrouble(fleet, error),
    });
    let failure: unknown = null;
    api.ended.catch((error: unknown) => {
      failure = error;
      stop.stop();
    });
    stop.signal.addEventListener('abort', () => void api.close(), { once: true });
    view.say(
      `Serving ${house.repositoryName} at ${api.url}. To start work, mention @${house.fleet.handle} in an issue. Ctrl-C stops.`,
    );
    const link = makeLink(api.url, makeLinkCode(house.signingKey, api.port, new Date()));
    for (const line of wordsBesideLink(link, api)) view.say(line);
    try {
      await answered.goOnWithAll();
      await runFleet(app, fleet);
    } finally {
      await api.close();
    }
    await Promise.race([answered.settled(), sleep(graceToFinish, undefined, { ref: false })]);
    if (answered.working.length > 0) {
      // A workflow that writes drafts cannot be stopped between two steps; what it has so far is on the ledger.
      view.say(`Cut off, and can be resumed: ${answered.working.join(', ')}. See: gatewright status`);
      process.exit(0);
    }
    if (failure !== null) throw failure;
  } finally {
    view.close();
    stop.close();
  }
  return 0;
}
