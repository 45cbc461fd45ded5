/**
 * How many calls to GitHub the gardener and the digest make over a backlog, against a scan that asks for each issue, on the
 * small GitHub with the real adapter. The second look comes at the next slot, when nothing has changed; of it, the calls
 * are counted that GitHub's limit would count.
 */
import { ScheduledCalls } from '../test/support/scheduled-calls.ts';
import type { Row } from './measure.ts';

const most = 1 / 20;
const mostAgain = 1 / 200;

function toRow(name: string, ours: number, peer: number, goal: number): Row {
  return {
    name,
    unit: 'calls',
    ours,
    peer,
    peerName: 'one for each issue',
    ratio: ours / peer,
    goal: `≤ ${goal}×`,
    isMet: ours / peer <= goal,
    spread: { ours: [ours, ours], peer: [peer, peer] },
    rounds: 1,
  };
}

export async function benchScheduledCalls(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const issues of [500, 5_000]) {
    const calls = await ScheduledCalls.open(issues);
    try {
      const peer = await calls.countPeer();
      for (const schedule of ['stale-gardener', 'daily-digest'] as const) {
        const { first, again } = await calls.compare(schedule, peer);
        const name = `${schedule}, ${issues} issues`;
        rows.push(toRow(`${name}: calls`, first.total, peer, most));
        rows.push(toRow(`${name}: counted calls when nothing changed`, again.counted, peer, mostAgain));
      }
    } finally {
      await calls.close();
    }
  }
  return rows;
}
