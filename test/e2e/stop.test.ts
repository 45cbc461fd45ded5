/** The program itself, stopped by a terminal or by a service manager while a command runs: it is put aside, and goes on. */
import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { findProcesses } from '../support/find-processes.ts';
import { goodSteps, ImplementerWorld } from '../support/implementer-world.ts';
import { programFile } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

interface Started {
  readonly stop: (children: readonly number[]) => void;
  readonly ended: Promise<number | null>;
}

function startFree(args: readonly string[]): Started {
  const { playground, environment } = world.fleet;
  const child = spawn(process.execPath, [programFile, ...args], {
    cwd: playground.repository,
    env: { ...playground.environment, ...environment },
    stdio: 'ignore',
  });
  return {
    // As a service manager does it: everything is told, and the children may be first.
    stop: (children) => {
      for (const id of children) process.kill(id, 'SIGTERM');
      child.kill('SIGTERM');
    },
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
  };
}

function startOnTerminal(args: readonly string[]): Started {
  const session = new TerminalSession(world.fleet.playground, args, world.fleet.environment);
  return { stop: () => session.press('\u0003'), ended: session.exit(60_000) };
}

describe('stopped while the work is checked', () => {
  it.each<[string, string, (args: readonly string[]) => Started, number]>([
    ['watch', 'SIGTERM to everything', startFree, 0],
    ['dispatch', 'Ctrl-C', startOnTerminal, 2],
  ])(
    '%s (%s) puts it aside, and makes one pull request the next time',
    { timeout: 120_000 },
    async (command, _, start, code) => {
      const length = `3${process.pid}.${command.length}`;
      world = await ImplementerWorld.open([{ steps: goodSteps }], { GATEWRIGHT_VERIFY: `sleep ${length}` });
      const number = await world.fileIssue('@claude please');
      const started = start([command]);
      const find = (): number[] => findProcesses(length);
      await expect.poll(() => find().length, { timeout: 240_000, interval: 50 }).toBeGreaterThan(0);
      started.stop(find());
      expect(await started.ended).toBe(code);
      expect(find()).toEqual([]);
      expect(await world.pulls()).toEqual([]);
      expect(await world.said(number)).toEqual([]);
      await world.play([{ steps: goodSteps }]);
      const again = await world.fleet.playground.run(['dispatch'], { env: world.fleet.environment });
      expect(again.code, again.all).toBe(0);
      const [pull, ...others] = await world.pulls();
      expect(others).toEqual([]);
      expect(pull?.labels).toEqual(['auto-merge']);
      expect(pull?.body).not.toContain('was stopped');
    },
  );
});
