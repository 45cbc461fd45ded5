/**
 * `serve`: runs the fleet of a repository, until it is stopped. On GitHub it takes its webhooks; on the local forge it
 * answers requests about what happens.
 */

import { isSameRepository } from '../../../domain/ledger/subject.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { noteName, recogniseRepository } from '../../../fleet/recognise-repository.ts';
import { WakeSignal } from '../../../fleet/wake-signal.ts';
import type { RepositoryIdentity } from '../../../ports/forge/forge.ts';
import { errorOfTrouble, type ReceiverNotice } from '../../server/webhook/receiver.ts';
import type { RefusedFor } from '../../server/webhook/webhook-server.ts';
import type { App } from '../app.ts';
import { listenForStop } from '../listen-for-stop.ts';
import { type FleetOptions, runFleet, showTrouble } from '../run-fleet.ts';
import type { Given, Handler } from '../table/command.ts';
import { makeFleetView } from '../views/fleet-view.ts';

const shortestSecret = 16;

const refusals: Readonly<Record<RefusedFor, string>> = {
  signature:
    'A request without a valid signature was refused (401). If GitHub sent it, the secret of the webhook is not GATEWRIGHT_WEBHOOK_SECRET.',
  payload:
    'A signed delivery was refused (400): it is not what GitHub sends for such an event. See the list of deliveries on GitHub.',
};

function readSecret({ config }: App): string {
  const { webhookSecret } = config;
  if (webhookSecret.length >= shortestSecret) return webhookSecret;
  throw new GatewrightError(
    'config-invalid',
    webhookSecret === ''
      ? 'GATEWRIGHT_WEBHOOK_SECRET is not set, so Gatewright cannot check that a delivery comes from GitHub.'
      : `GATEWRIGHT_WEBHOOK_SECRET is shorter than ${shortestSecret} characters.`,
    {
      hint: 'Make one with `openssl rand -hex 32`, set it here and as the secret of the webhook on GitHub. The local forge needs none.',
    },
  );
}

function readPort(given: Given): number {
  const port = given.count('port') ?? 8787;
  if (port <= 65_535) return port;
  throw new GatewrightError('usage', '--port has to be at most 65535.', { hint: 'For example: --port 8787' });
}

/** Says once what a repository is called now, and how to continue. */
function makeNameTeller({ house, view }: Pick<FleetOptions, 'house' | 'view'>) {
  const told = new Set<string>();
  return (relation: 'renamed' | 'name-taken', name: string): void => {
    if (told.has(`${relation} ${name}`)) return;
    told.add(`${relation} ${name}`);
    const now = escapeForLine(name, 150);
    const ours = house.repositoryName;
    view.say(
      relation === 'renamed'
        ? `${ours} has the new name ${now}: serve receives its deliveries, and open runs continue. When no run is open any more, point the remote at it (git remote set-url origin ...) and start serve again.`
        : `Another repository now has the name ${now}: its deliveries are ignored. Point the remote at the one that you mean and start serve again.`,
    );
  };
}

/** Shows the notices of the receiver, and gives the wake signal when there are new deliveries. */
function hear(
  fleet: FleetOptions,
  wakeSignal: WakeSignal,
  { id }: RepositoryIdentity,
): (notice: ReceiverNotice) => void {
  const { house, view } = fleet;
  const tellName = makeNameTeller(fleet);
  return (notice) => {
    switch (notice.kind) {
      case 'received':
        return wakeSignal.ring();
      case 'named':
        tellName(notice.relation, notice.name);
        if (notice.relation === 'renamed')
          noteName(house, { id, name: notice.name }).catch((error: unknown) => showTrouble(fleet, error));
        return;
      case 'refused':
        return view.say(refusals[notice.why]);
      case 'trouble':
        return showTrouble(fleet, errorOfTrouble(notice));
      default:
        notice satisfies never;
    }
  };
}

export const serve: Handler = async (app, given) => {
  const workers = given.count('workers') ?? 2;
  const [port, host] = [readPort(given), given.text('host') ?? '127.0.0.1'];
  const house = await app.openHouse(given.text('repo'), { forge: null, name: null, asAgent: true });
  if (house.eventFeed !== null) {
    const { serveLocal, showLink } = await import('./serve-local.ts');
    return given.flag('link')
      ? showLink(app, house, { host, port })
      : serveLocal(app, given, house, { host, port });
  }
  if (given.flag('link'))
    throw new GatewrightError('forge-local-only', 'On GitHub the server has no pages to open yet.', {
      hint: 'See what waits for you with: gatewright status',
    });
  const secret = readSecret(app);
  const view = makeFleetView(app.terminal);
  const stop = listenForStop(view.say);
  try {
    const own = await house.forge.whoAmI();
    const identity = await recogniseRepository(house);
    const wakeSignal = new WakeSignal();
    const fleet = { house, view, own, workers, signal: stop.signal, wakeSignal };
    const repository = { name: house.repositoryName, id: identity.id };
    const server = await app.startReceiver(
      { host, port, secret, repository },
      house.signingKey,
      hear(fleet, wakeSignal, identity),
    );
    let failure: unknown = null;
    // Without the receiver no delivery arrives any more: the runs are stopped so that they can be resumed, and the
    // program ends with the reason.
    server.ended.catch((error: unknown) => {
      failure = error;
      stop.stop();
    });
    // After the signal no new delivery is accepted; meanwhile the runs are stopped so that they can be resumed.
    stop.signal.addEventListener('abort', () => void server.close(), { once: true });
    view.say(`Receiving for ${house.repositoryName} at ${server.url}/webhook; Ctrl-C stops.`);
    if (!isSameRepository(identity.name, house.repositoryName))
      makeNameTeller(fleet)('renamed', identity.name);
    try {
      await runFleet(app, { ...fleet, inbox: server.inbox });
    } finally {
      await server.close();
    }
    if (failure !== null) throw failure;
  } finally {
    view.close();
    stop.close();
  }
  return 0;
};
