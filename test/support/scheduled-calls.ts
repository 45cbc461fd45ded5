/**
 * Counts the calls to GitHub that scheduled agents make over a backlog of a given size, against a scan that asks for each
 * issue. On the small GitHub, with the real adapter and its memory of answers.
 */

import type { ScheduleName } from '../../src/domain/fleet/agent-names.ts';
import { handleOpenEvents } from '../../src/fleet/handle-event.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import type { AgentOutcome } from '../../src/fleet/run-agent.ts';
import type { House } from '../../src/runs/house.ts';
import { openForge, tokenOf } from '../contracts/github-world.ts';
import { GithubFleetWorld } from './github-fleet-world.ts';

const day = 86_400_000;

export interface Calls {
  readonly total: number;
  /** Those that GitHub's rate limit counts: all that were not answered with "not modified". */
  readonly counted: number;
  /** What the agent said in the end. */
  readonly message: string;
}

interface Counted {
  /** One call for each issue. */
  readonly peer: number;
  readonly first: Calls;
  /** At the next slot, nothing having changed. */
  readonly again: Calls;
}

/** Issues that nobody has touched for ten days and that need nothing. */
function seedIssues({ server, stored }: GithubFleetWorld, count: number): void {
  server.state.advance(-10 * day);
  for (let index = 0; index < count; index += 1)
    server.state.addIssue(stored, 'alice', `Issue ${index}`, 'Words. '.repeat(20), ['bug']);
  server.state.advance(10 * day);
}

export class ScheduledCalls {
  readonly world: GithubFleetWorld;
  /** With a forge that does not pause between changes, as the real one does to be polite. */
  readonly #house: House;

  private constructor(world: GithubFleetWorld) {
    this.world = world;
    const forge = openForge(world.server.url, { kind: 'token', token: tokenOf(world.own) });
    this.#house = { ...world.house, forge };
  }

  static async open(issues: number): Promise<ScheduledCalls> {
    const world = await GithubFleetWorld.open();
    seedIssues(world, issues);
    return new ScheduledCalls(world);
  }

  async settle(schedule: ScheduleName, days: number): Promise<Calls> {
    const { world } = this;
    const at = new Date(Date.now() + days * day).toISOString();
    world.server.requests.length = 0;
    const own = { actor: world.own, actorKind: 'bot' as const };
    await receiveEvent(this.#house, world.event('schedule-due', { schedule, at, ...own }));
    const outcomes: AgentOutcome[] = [];
    await handleOpenEvents(this.#house, { own: world.own }, (settled) => outcomes.push(...settled.outcomes));
    const [outcome] = outcomes;
    if (outcome?.status !== 'done') throw new Error(`${schedule} stopped: ${outcome?.reason.message}`);
    const { counted, requests } = world.server;
    return { total: requests.length, counted, message: outcome.reason.message };
  }

  async countPeer(): Promise<number> {
    const { world } = this;
    world.server.requests.length = 0;
    const forge = await world.as('alice');
    const waiting = world.stored.issues.map(({ number }) => number);
    const ask = async () => {
      for (let number = waiting.pop(); number !== undefined; number = waiting.pop())
        await forge.getIssue(world.repository, number);
    };
    await Promise.all(Array.from({ length: 8 }, ask));
    return world.server.requests.length;
  }

  /** Of an agent that finds nothing to do, twice. */
  async compare(schedule: 'stale-gardener' | 'daily-digest', peer: number): Promise<Counted> {
    const first = await this.settle(schedule, 0);
    return { peer, first, again: await this.settle(schedule, schedule === 'daily-digest' ? 1 : 7) };
  }

  close(): Promise<void> {
    return this.world.remove();
  }
}
