/** The program itself, stopped by a terminal or by a service manager while a command runs: it is put aside, and goes on. */
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { findProcesses } from '../support/find-processes.ts';
import { goodSteps, ImplementerWorld } from '../support/implementer-world.ts';
import { programFile } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

interface Status {
  readonly running: readonly unknown[];
  readonly stopped: readonly { readonly run: string; readonly status: string; readonly resume: string }[];
}

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
    '%s (%s) puts it aside, says how to go on, and makes one pull request the next time',
    { timeout: 120_000 },
    async (command, _, start, code) => {
      const length = `3${process.pid}.${command.length}`;
      world = await ImplementerWorld.open([{ steps: goodSteps }], { GATEWRIGHT_VERIFY: `sleep ${length}` });
      const number = await world.fileIssue('@claude please');
      // The command line names the recording; without it, the default model would be paid.
      const { GATEWRIGHT_CODER: coder = '', ...others } = world.fleet.environment;
      const spaced = `${world.fleet.playground.folder}/it's recorded.json`;
      copyFileSync(coder.replace('cassette:', ''), spaced);
      world.fleet = await world.fleet.reopen(others);
      const started = start([command, '--coder', `cassette:${spaced}`]);
      const find = (): number[] => findProcesses(length);
      await expect.poll(() => find().length, { timeout: 240_000, interval: 50 }).toBeGreaterThan(0);
      started.stop(find());
      expect(await started.ended).toBe(code);
      expect(find()).toEqual([]);
      expect(await world.pulls()).toEqual([]);
      expect(await world.said(number)).toEqual([]);
      const { playground } = world.fleet;
      const { stopped, running } = await playground.json<Status>(['status']);
      const [{ run, status, resume } = { run: '', status: '', resume: '' }] = stopped;
      expect([stopped.length, running, status]).toEqual([1, [], 'interrupted']);
      const quoted = `'cassette:${spaced.replace("'", "'\\''")}'`;
      expect(resume).toContain(`gatewright dispatch --resume ${run} --coder ${quoted}`);
      const shown = await playground.run(['status']);
      expect(shown.stdout).toContain(`continue: ${resume}`);
      const explained = await playground.run(['explain', String(number)]);
      expect(explained.stdout).toContain(`run: ${resume}`);
      expect(explained.stdout).not.toContain('has handled "issue opened"');
      expect((await playground.run(['runs'])).stdout).toMatch(new RegExp(`${run} +interrupted`, 'u'));
      const words = execFileSync('sh', ['-c', `gatewright() { printf '%s\\n' "$@"; }; ${resume}`], {
        encoding: 'utf8',
      });
      await world.play([]);
      const again = await playground.run(words.trimEnd().split('\n'), {
        env: { ...world.fleet.environment, GATEWRIGHT_CODER: '' },
      });
      expect(again.code, again.all).toBe(0);
      const [pull, ...more] = await world.pulls();
      expect(more).toEqual([]);
      expect(pull?.labels).toEqual(['auto-merge']);
      expect(pull?.body).not.toContain('was stopped');
    },
  );
});
