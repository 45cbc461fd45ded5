/**
 * `serve` under a steady load: how long deliveries at 500 a second wait for their answer while agents work, and what memory
 * it takes over 50,000 of them, on the small GitHub. The peer is Probot with a handler that inserts into SQLite, under the
 * same load.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listDeliveries } from '../test/support/github-deliveries.ts';
import { GithubFleetWorld } from '../test/support/github-fleet-world.ts';
import type { Row } from './measure.ts';
import { scaled } from './scale.ts';
import {
  type Contestant,
  installPeer,
  type Load,
  load,
  megabytesOf,
  peerDatabase,
  secret,
  startOurs,
  startPeer,
} from './webhook-contestants.ts';

const perSecond = 500;
const seconds = scaled(60);
const deliveries = scaled(50_000);
const mostMegabytes = 200;

/** Sends what really happens on the small GitHub, as GitHub would. */
async function deliver(
  url: string,
  { name, payload, id }: ReturnType<typeof listDeliveries>[number],
): Promise<void> {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-github-event': name,
    'x-github-delivery': `agents-${id}`,
    'x-hub-signature-256': `sha256=${signature}`,
  };
  const answer = await fetch(`${url}/webhook`, { method: 'POST', headers, body });
  if (answer.status !== 202) throw new Error(`A delivery was answered with ${answer.status}.`);
}

/** Opens a pull request and labels it again and again: its size is looked at, and whether it may be merged. */
async function keepAgentsBusy(world: GithubFleetWorld, url: string, signal: AbortSignal): Promise<number> {
  const alice = await world.as('alice');
  const { number } = await world.openPullRequest('busy', { 'busy.txt': 'x\n'.repeat(600) });
  const told = new Set<string>();
  for (let round = 0; !signal.aborted; round += 1) {
    const labels = round % 2 === 0 ? { addLabels: ['docs'] } : { removeLabels: ['docs'] };
    await alice.editIssue(world.repository, number, labels);
    for (const delivery of listDeliveries(world.stored)) {
      if (told.has(delivery.id)) continue;
      told.add(delivery.id);
      await deliver(url, delivery);
    }
    await sleep(250, undefined, { signal }).catch(() => undefined);
  }
  return told.size;
}

function toRow(
  name: string,
  unit: Row['unit'],
  [ours, peer]: readonly [number, number],
  peerName: string,
  goal: string,
  isMet: boolean,
): Row {
  const spread = { ours: [ours, ours], peer: [peer, peer] } as const;
  return { name, unit, ours, peer, peerName, ratio: ours / peer, goal, isMet, spread, rounds: 1 };
}

interface Loads {
  readonly ours: Load;
  readonly peer: Load;
}

async function atRate(world: GithubFleetWorld, ours: Contestant, peer: Contestant): Promise<Loads> {
  const end = new AbortController();
  const busy = keepAgentsBusy(world, ours.url, end.signal);
  // Its error counts when the load has ended, which then says more.
  busy.catch(() => undefined);
  const mine = await load(ours, world.repository, seconds, perSecond).finally(() => end.abort());
  process.stderr.write(`  ${await busy} deliveries for agents meanwhile\n`);
  return { ours: mine, peer: await load(peer, world.repository, seconds, perSecond) };
}

/** After a first tenth, and in the end, when everything is handled. */
async function memoryOver(
  world: GithubFleetWorld,
  contestant: Contestant,
): Promise<readonly [number, number]> {
  const rate = 1_000;
  await load(contestant, world.repository, Math.ceil(deliveries / 10 / rate), rate);
  const early = megabytesOf(contestant.process);
  await load(contestant, world.repository, Math.ceil((deliveries * 0.9) / rate), rate);
  return [early, megabytesOf(contestant.process)];
}

export async function benchServeLoad(): Promise<Row[]> {
  const folder = installPeer();
  const world = await GithubFleetWorld.open(
    { 'a.txt': 'a\n' },
    { GATEWRIGHT_AGENTS: 'pr-size-guardian,auto-merge' },
  );
  const started: Contestant[] = [];
  try {
    const ours = await startOurs(world);
    started.push(ours);
    const peer = await startPeer(folder, peerDatabase(folder, 'steady'));
    started.push(peer);
    const loads = await atRate(world, ours, peer);
    const [early, late] = await memoryOver(world, ours);
    const [, peerLate] = await memoryOver(world, peer);
    const most = Math.max(early, late);
    return [
      toRow(
        `p99 of acknowledgement, ${perSecond}/s for ${seconds} s while agents work`,
        'ms',
        [loads.ours.p99, loads.peer.p99],
        'Probot that inserts',
        '≤ 50 ms',
        loads.ours.p99 <= 50,
      ),
      toRow(
        `memory of serve over ${deliveries} deliveries`,
        'MB',
        [most, peerLate],
        'Probot that inserts',
        `< ${mostMegabytes} MB`,
        most < mostMegabytes,
      ),
      toRow(
        'memory of serve, at the end',
        'MB',
        [late, early],
        'after a tenth of them',
        '≤ 1.1×',
        late / early <= 1.1,
      ),
    ];
  } finally {
    await Promise.all(started.map((one) => one.stop()));
    await world.remove();
  }
}
