/** What every coding agent has to do: really work in the folder, stay inside its limits, and say what came of it. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CodingAgent, CodingProgress, CodingTask, CodingTools } from '../../src/ports/coding-agent.ts';
import { findProcesses } from '../support/find-processes.ts';
import { rejectedCode } from '../support/thrown-code.ts';

type ScenarioStep =
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly replace: string; readonly with: string }
  | { readonly run: readonly string[] };

export interface Scenario {
  readonly steps: readonly ScenarioStep[];
  readonly end:
    | { readonly text: string; readonly object?: object }
    | { readonly quota: true }
    | { readonly refused: true };
}

export interface CodingWorld {
  /** Holds the worktree and whatever else a test needs beside it. */
  readonly folder: string;
  readonly worktree: string;
  /** An agent that will do this when it is asked to. */
  make(scenario: Scenario): CodingAgent;
  close(): Promise<void>;
}

/** In the environment of every world, and never to be seen by an agent's commands. */
export const canaries = { forge: 'forge-canary-0123456789', model: 'model-canary-0123456789' };

const done = { text: 'All done.' };
const implement = (...commands: string[]): CodingTools => ({ mode: 'implement', commands });

export function codingAgentContract(name: string, open: () => Promise<CodingWorld>): void {
  describe(name, () => {
    let world: CodingWorld;
    beforeEach(async () => {
      world = await open();
      writeFileSync(join(world.worktree, 'a.txt'), 'one\ntwo\n');
    });
    afterEach(() => world.close());

    const taskFor = (more: Partial<CodingTask> = {}): CodingTask => ({
      role: 'coder',
      call: 1,
      folder: world.worktree,
      instructions: 'Work carefully.',
      task: 'Change the files.',
      tools: implement(),
      turnLimit: 20,
      limitMilliseconds: 30_000,
      ...more,
    });
    const read = (path: string): string => readFileSync(join(world.worktree, path), 'utf8');
    const has = (path: string): boolean => existsSync(join(world.folder, path));
    const addScript = (path: string, text: string): void => {
      writeFileSync(join(world.worktree, path), `#!/bin/sh\n${text}\n`);
      chmodSync(join(world.worktree, path), 0o755);
    };

    it('is ready', async () => {
      expect(await world.make({ steps: [], end: done }).checkReady()).toBeNull();
    });

    it('writes and edits files, and says what it used', async () => {
      const agent = world.make({
        steps: [
          { edit: 'a.txt', replace: 'two', with: 'three' },
          { write: 'deep/er/b.txt', content: 'new\n' },
        ],
        end: done,
      });
      const report = await agent.work(taskFor(), null);
      expect(report.outcome).toEqual({ kind: 'finished', text: 'All done.', object: null });
      expect([read('a.txt'), read('deep/er/b.txt')]).toEqual(['one\nthree\n', 'new\n']);
      expect(report).toMatchObject({ denials: [], earlier: [] });
      expect(report.sessionId).not.toBe('');
      expect(report.reportedModel).toMatch(/^claude-/u);
      expect(report.credential).not.toBe('');
      expect(report.usage.inputTokens).toBeGreaterThan(0);
      expect(report.usage.outputTokens).toBeGreaterThan(0);
      expect(report.usage.turns).toBeGreaterThanOrEqual(3);
    });

    it('tells what it is doing while it does it', async () => {
      const told: CodingProgress[] = [];
      const agent = world.make({
        steps: [{ write: 'b.txt', content: 'b' }, { run: ['./check.sh', '--fast'] }],
        end: done,
      });
      addScript('check.sh', 'exit 0');
      const before = {
        tools: implement('./check.sh --fast'),
        onProgress: (one: CodingProgress) => told.push(one),
      };
      await agent.work(taskFor(before), null);
      const tools = told.filter(({ tool }) => tool !== null);
      expect(tools.map(({ tool, target }) => [tool, target])).toEqual([
        ['Write', 'b.txt'],
        ['Bash', './check.sh --fast'],
      ]);
      const turns = told.map((one) => one.turns);
      expect(turns).toEqual([...turns].sort((a, b) => a - b));
      expect(turns[0]).toBe(1);
    });

    it('is not disturbed by whoever watches', async () => {
      const agent = world.make({ steps: [{ write: 'b.txt', content: 'b' }], end: done });
      const onProgress = (): never => {
        throw new Error('the watcher fell over');
      };
      expect((await agent.work(taskFor({ onProgress }), null)).outcome.kind).toBe('finished');
    });

    it('answers in a schema', async () => {
      const schema = z.object({ files: z.array(z.string()), isDone: z.boolean() });
      const object = { files: ['a.txt'], isDone: true };
      const agent = world.make({ steps: [], end: { ...done, object } });
      const report = await agent.work(taskFor({ tools: { mode: 'plan' } }), schema);
      expect(report.outcome).toMatchObject({ kind: 'finished', object });
    });

    it('an answer outside the schema is garbage', async () => {
      // Stricter than JSON Schema can say, so that the agent itself lets it through.
      const schema = z.object({ plan: z.string() }).refine(({ plan }) => plan !== 'bad');
      const agent = world.make({ steps: [], end: { ...done, object: { plan: 'bad' } } });
      const report = await agent.work(taskFor({ tools: { mode: 'plan' } }), schema);
      expect(report.outcome).toMatchObject({ kind: 'failed', why: 'garbage' });
      expect(report.usage.inputTokens).toBeGreaterThan(0);
    });

    it('while planning it changes nothing and runs nothing', async () => {
      addScript('check.sh', 'echo ran > ran.txt');
      const agent = world.make({
        steps: [{ write: 'b.txt', content: 'b' }, { run: ['./check.sh'] }],
        end: done,
      });
      await agent.work(taskFor({ tools: { mode: 'plan' } }), null);
      expect([has('worktree/b.txt'), has('worktree/ran.txt')]).toEqual([false, false]);
    });

    it.each([
      ['outside the folder', '../outside.txt'],
      ['through a link', 'link/inside.txt'],
      ['into git', '.git/hooks/pre-commit'],
      ['into what steers agents', '.claude/settings.json'],
    ])('a file %s is denied, and nothing else was done: refused', async (_, path) => {
      mkdirSync(join(world.folder, 'elsewhere'));
      symlinkSync(join(world.folder, 'elsewhere'), join(world.worktree, 'link'));
      const agent = world.make({ steps: [{ write: path, content: 'x' }], end: done });
      const report = await agent.work(taskFor(), null);
      expect(report.outcome).toMatchObject({ kind: 'refused', by: 'permissions' });
      expect(report.denials.map(({ tool }) => tool)).toEqual(['Write']);
      expect(report.denials[0]?.target).toContain(path.split('/').at(-1));
      expect([has('outside.txt'), has('elsewhere/inside.txt')]).toEqual([false, false]);
      expect(has(`worktree/${path}`)).toBe(false);
    });

    it('a denial on the way does not undo the work', async () => {
      const agent = world.make({
        steps: [
          { write: 'b.txt', content: 'b' },
          { write: '../outside.txt', content: 'x' },
        ],
        end: done,
      });
      const report = await agent.work(taskFor(), null);
      expect(report.outcome.kind).toBe('finished');
      expect(report.denials.length).toBe(1);
      expect([has('worktree/b.txt'), has('outside.txt')]).toEqual([true, false]);
    });

    it('runs the commands that are allowed, and no others', async () => {
      addScript('check.sh', 'echo "$@" >> ran.txt');
      addScript('other.sh', 'echo other >> ran.txt');
      const agent = world.make({
        steps: [
          { run: ['./check.sh', 'one'] },
          { run: ['./check.sh', 'two', 'three'] },
          { run: ['./other.sh'] },
          { run: ['./check.sh.bak'] },
          // Harmless, but not on the list.
          { run: ['touch', 'made.txt'] },
        ],
        end: done,
      });
      const report = await agent.work(taskFor({ tools: implement('./check.sh *') }), null);
      expect(read('ran.txt')).toBe('one\ntwo three\n');
      expect(report.denials.map(({ target }) => target)).toEqual([
        './other.sh',
        './check.sh.bak',
        'touch made.txt',
      ]);
    });

    it('a command that fails is news for the agent, not its end', async () => {
      addScript('check.sh', 'exit 7');
      const agent = world.make({
        steps: [{ run: ['./check.sh'] }, { write: 'b.txt', content: 'b' }],
        end: done,
      });
      const report = await agent.work(taskFor({ tools: implement('./check.sh') }), null);
      expect([report.outcome.kind, has('worktree/b.txt')]).toEqual(['finished', true]);
    });

    it('its commands see no token, neither of the forge nor of the model', async () => {
      addScript('look.sh', 'env > env.txt; cat /proc/$PPID/environ >> env.txt 2>/dev/null; true');
      const agent = world.make({ steps: [{ run: ['./look.sh'] }], end: done });
      const report = await agent.work(taskFor({ tools: implement('./look.sh') }), null);
      expect(read('env.txt')).toContain('PATH=');
      expect(`${read('env.txt')}${JSON.stringify(report)}`).not.toMatch(/canary/u);
    });

    it('refuses a permitted command that could mean more than it says', async () => {
      const agent = world.make({ steps: [], end: done });
      expect(await rejectedCode(agent.work(taskFor({ tools: implement('npm test) Bash(*') }), null))).toBe(
        'config-invalid',
      );
    });

    it('ends when its turns are used up; what it did until then stays', async () => {
      const agent = world.make({
        steps: ['b', 'c', 'd', 'e'].map((letter) => ({ write: `${letter}.txt`, content: letter })),
        end: done,
      });
      const report = await agent.work(taskFor({ turnLimit: 2 }), null);
      expect(report.outcome).toEqual({ kind: 'turns-exhausted' });
      expect([has('worktree/b.txt'), has('worktree/e.txt')]).toEqual([true, false]);
      expect(report.usage.turns).toBeGreaterThanOrEqual(2);
      expect(report.usage.inputTokens).toBeGreaterThan(0);
    });

    it('says when it is out of quota, and until when', async () => {
      const { outcome } = await world.make({ steps: [], end: { quota: true } }).work(taskFor(), null);
      expect(outcome).toMatchObject({ kind: 'quota', until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) });
    });

    it('says when the model would not do it', async () => {
      const { outcome } = await world.make({ steps: [], end: { refused: true } }).work(taskFor(), null);
      expect(outcome).toMatchObject({ kind: 'refused', by: 'model' });
    });

    it.each(['timeout', 'aborted'] as const)('%s: ends soon, with all that it started', async (why) => {
      // Nothing else sleeps as long as this.
      const long = `300.${process.pid}${Date.now()}`;
      addScript('wait.sh', `setsid sleep ${long} & sleep ${long}`);
      const controller = new AbortController();
      const agent = world.make({ steps: [{ run: ['./wait.sh'] }], end: done });
      const began = Date.now();
      const work = agent.work(
        taskFor({
          tools: implement('./wait.sh'),
          limitMilliseconds: why === 'timeout' ? 8_000 : 60_000,
          signal: controller.signal,
        }),
        null,
      );
      if (why === 'aborted') {
        await expect.poll(() => findProcesses(long).length, { timeout: 20_000 }).toBe(2);
        controller.abort();
      }
      let most = 0;
      const watch = setInterval(() => {
        most = Math.max(most, findProcesses(long).length);
      }, 500);
      const report = await work.finally(() => clearInterval(watch));
      expect(report.outcome).toMatchObject({ kind: 'failed', why });
      expect(Date.now() - began).toBeLessThan(120_000);
      if (why === 'timeout') expect(most).toBe(2);
      await expect.poll(() => findProcesses(long)).toEqual([]);
    });

    it('does not begin when it was aborted before', async () => {
      const agent = world.make({ steps: [{ write: 'b.txt', content: 'b' }], end: done });
      const report = await agent.work(taskFor({ signal: AbortSignal.abort() }), null);
      expect(report.outcome).toMatchObject({ kind: 'failed', why: 'aborted' });
      expect(has('worktree/b.txt')).toBe(false);
    });
  });
}
