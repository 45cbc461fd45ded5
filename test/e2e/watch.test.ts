/** A watched repository, as somebody at a terminal meets it: it lives by itself, says what it does, and stops when told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { fileOrder, openChain } from '../support/chain-world.ts';
import type { FleetRoom } from '../support/fleet-room.ts';
import { itLong } from '../support/it-long.ts';
import { TerminalSession } from '../support/terminal-session.ts';

let world: FleetRoom;
afterEach(() => world.remove());

const control = { c: '\u0003' } as const;

describe('gatewright watch', () => {
  it('carries an issue to its merge while people look on, and goes on after being stopped', {
    timeout: 120_000,
  }, async () => {
    world = await openChain('the local forge');
    const first = new TerminalSession(world.playground, ['watch'], world.environment);
    await first.see(`Watching ${world.repository}`);
    const { number } = await fileOrder(world);
    await first.see(`implementer #${number} for the new issue #${number}`);
    first.press(control.c);
    expect(await first.exit()).toBe(0);
    const second = new TerminalSession(world.playground, ['watch'], world.environment);
    await second.see('auto-merge #2: merged', 60_000);
    second.press(control.c);
    expect(await second.exit()).toBe(0);
    const alice = await world.as('alice');
    const pulls = await alice.listPullRequests(world.repository, { state: 'all' });
    expect(pulls.map(({ state }) => state)).toEqual(['merged']);
    expect((await alice.getIssue(world.repository, number)).state).toBe('closed');
    const left = (await world.house.views.listRuns()).filter(({ status }) => status !== 'done');
    expect(left).toEqual([]);
  });

  // Ctrl-C reaches git and everything else that runs at the terminal.
  itLong('saves its work without a word, whenever it is stopped', { timeout: 120_000 }, async () => {
    for (let delay = 0; delay < 1_200; delay += 100) {
      world = await openChain('the local forge');
      const session = new TerminalSession(world.playground, ['watch'], world.environment);
      await session.see(`Watching ${world.repository}`);
      const { number } = await fileOrder(world);
      await session.see(`implementer #${number} for the new issue #${number}`);
      await sleep(delay);
      session.press(control.c);
      expect(await session.exit()).toBe(0);
      const alice = await world.as('alice');
      const comments = (await alice.listComments(world.repository, number)).map(({ body }) => body);
      expect(comments.filter((body) => body.includes('has stopped'))).toEqual([]);
      if (delay < 1_100) world.remove();
    }
  });

  it('sees to the clock on GitHub, and says how what happens there comes in', async () => {
    world = await openChain('GitHub');
    const session = new TerminalSession(world.playground, ['watch'], world.environment);
    await session.see('gatewright serve');
    session.press(control.c);
    expect(await session.exit()).toBe(0);
  });
});
