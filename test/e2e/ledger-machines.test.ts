/** Runs that go from machine to machine, with nothing but the repository between them, and that are killed on each. */
import { afterEach, describe, expect, it } from 'vitest';
import { coded, plan, planned, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';
import { analysed, modelsOf, PipelineWorld, reviewed, triaged, written } from '../support/pipeline-world.ts';
import { crashChildFile } from '../support/playground.ts';
import { RefMachines } from '../support/ref-machines.ts';

let remove: () => void;
afterEach(() => remove());

describe('each command on another machine', () => {
  it('goes on with a loop where the last one was', { timeout: 120_000 }, async () => {
    const shell = new LoopShell();
    remove = () => shell.remove();
    const machines = new RefMachines(shell.playground);
    shell.work(
      planned(1, plan([task('difference'), task('product', { dependsOn: [1] })])),
      coded(1, write('difference', false)),
      coded(2, write('difference')),
      coded(3, write('product')),
    );
    const models = shell.env;
    const run = (...args: string[]) => {
      shell.env = { ...models, ...machines.next() };
      return shell.run(...args);
    };
    const number = await shell.fileIssue();
    expect((await run('loop', 'plan', number, '--quick')).all).toContain('the plan waits for its approval');
    expect(machines.list('checkpoints')).toHaveLength(1);
    expect((await run('loop', 'plan', number, '--approve')).all).toContain('loop implement loop');
    const one = await run('loop', 'implement', 'next', '--issue', number);
    expect(one.code, one.all).toBe(10);
    const done = await run('loop', 'implement', 'loop', '--issue', number);
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    const shown = await run('loop', 'status', number);
    expect(shown.all).toContain('US-002');
    expect((await run('loop', 'testing', number, 'works')).code).toBe(10);
    expect((await run('loop', 'close', number)).code).toBe(10);
    const [pull] = await shell.playground.json<{ number: number }[]>(['forge', 'pr', 'list']);
    expect((await run('forge', 'pr', 'merge', String(pull?.number), '--squash')).code).toBe(0);
    const ended = await run('loop', 'close', number);
    expect([ended.code, ended.all]).toEqual([0, expect.stringContaining('is merged')]);
    const subjects = shell.playground
      .git('log', '--format=%s', `main..${shell.branchOf(number)}`)
      .split('\n');
    expect(subjects.filter((one) => one.startsWith('feat('))).toHaveLength(2);
    // Nothing of a run stays that has ended.
    expect(machines.list('checkpoints')).toEqual([]);
    expect((await machines.look('ledger', 'verify')).stdout).toContain('Sound:');
  });

  it('and killed there again and again, a pipeline does everything once', { timeout: 300_000 }, async () => {
    const script = [triaged(), analysed(), written(), reviewed()];
    const world = await PipelineWorld.open(script);
    remove = () => world.remove();
    const { playground } = world.fleet;
    const machines = new RefMachines(playground);
    const words = ['solve', String(world.number), '--no-input', ...world.models];
    const resume = async (at: number) =>
      playground.run(words, {
        env: { ...modelsOf(world.models[1] ?? ''), ...machines.next(), CRASH_AT: String(at) },
        file: crashChildFile,
      });
    let last = await resume(13);
    for (let at = 14; last.signal === 'SIGKILL' && at < 60; at += 3) last = await resume(at);
    expect(last.code, last.all).toBe(0);
    expect(machines.count).toBeGreaterThan(3);
    const pulls = await playground.json<{ number: number; body: string }[]>(['forge', 'pr', 'list']);
    expect(pulls).toHaveLength(1);
    const shown = await machines.look(
      'ledger',
      'show',
      `${world.fleet.repository}~pipeline-${world.number}`,
      '--json',
    );
    const entries = shown.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; key?: string; data: { role?: string } });
    const roles = entries.filter(({ kind }) => kind === 'model-answered').map(({ data }) => data.role);
    expect(roles.sort()).toEqual([
      'pipeline-analyst',
      'pipeline-reviewer',
      'pipeline-triage',
      'pipeline-writer',
    ]);
    expect(entries.filter(({ kind }) => kind === 'run-started')).toHaveLength(1);
    expect(entries.filter(({ kind }) => kind === 'run-ended')).toHaveLength(1);
    expect(machines.list('checkpoints')).toEqual([]);
    expect((await machines.look('ledger', 'verify')).stdout).toContain('Sound:');
  });
});
