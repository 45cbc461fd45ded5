/** Nothing of a program is left behind, whichever way it or we end. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../../../test/support/is-running.ts';
import { type OwnedProcess, pickVariables, runOwned } from './owned-process.ts';

async function run(script: string, more: Partial<OwnedProcess> = {}) {
  let output = '';
  const exit = await runOwned({
    ...{ program: '/bin/sh', args: ['-c', script], folder: '/', input: 'told\n' },
    ...{ environment: { PATH: '/usr/bin:/bin' }, limitMilliseconds: 20_000 },
    onOutput: (chunk) => {
      output += chunk.toString();
    },
    ...more,
  });
  return { exit, output, ids: output.trim().split('\n').map(Number) };
}

describe('runOwned', () => {
  it('passes on input and output, and the end of what it complains about', async () => {
    const { exit, output } = await run('cat; yes complaint | head -n 1000 >&2; exit 3');
    expect(output).toBe('told\n');
    expect(exit).toMatchObject({ kind: 'ended', code: 3 });
    const complaint = exit.kind === 'ended' ? exit.complaint : '';
    expect(complaint.length).toBeLessThanOrEqual(2_000);
    expect(new Set(complaint.trim().split('\n'))).toEqual(new Set(['complaint']));
  });

  it.each([0, 3])('tells that it ended, with %s, before it is judged', async (code) => {
    const told: string[] = [];
    const { signal } = new AbortController();
    const exit = await run(`exit ${code}`, { signal, onEnd: () => told.push('ended') }).finally(() =>
      told.push('judged'),
    );
    expect(exit).toMatchObject({ exit: { kind: 'ended', code } });
    expect(told).toEqual(['ended', 'judged']);
  });

  it('stopped in the time in which our signal can arrive, it counts as stopped', async () => {
    const stop = new AbortController();
    const { exit } = await run('exit 3', { signal: stop.signal, onEnd: () => stop.abort() });
    expect(exit).toEqual({ kind: 'aborted' });
  });

  it('a secret goes to the program and not to its children', async () => {
    const { output } = await run('read secret <&3; echo "$secret"; sh -c env', { secret: 'hush\n' });
    expect(output.split('\n')[0]).toBe('hush');
    expect(output.slice(5)).not.toContain('hush');
  });

  it('what cannot be started is told, not thrown', async () => {
    expect((await run('', { program: '/no/such/program' })).exit).toEqual({ kind: 'not-started' });
    expect((await run('', { folder: '/no/such/folder' })).exit).toEqual({ kind: 'not-started' });
  });

  it.each([
    ['asked to end, it does', 'echo $$; sleep 300'],
    ['asked to end, it does not', 'trap "" TERM; echo $$; while :; do sleep 1; done'],
    ['its children have groups of their own', 'echo $$; setsid sleep 300 & echo $!; wait'],
  ])('at the limit, long before it would end: %s', async (_, script) => {
    const { exit, ids } = await run(script, { limitMilliseconds: 300 });
    expect(exit).toEqual({ kind: 'timeout' });
    await expect.poll(() => ids.filter(isRunning)).toEqual([]);
  });

  it('one that ends by itself takes its children along, and those do not keep us waiting', async () => {
    const { exit, ids } = await run('sleep 300 & echo $!; setsid sleep 300 & echo $!');
    expect(exit).toMatchObject({ kind: 'ended', code: 0 });
    expect(ids.length).toBe(2);
    await expect.poll(() => ids.filter(isRunning)).toEqual([]);
  });

  it.each([
    ['SIGINT', 'waits', null],
    ['SIGTERM', 'waits', null],
    ['SIGHUP', 'waits', null],
    ['SIGTERM', 'listens', 7],
    [null, 'exits', 5],
  ] as const)('when we are ended by %s (%s), it ends too', async (signal, how, code) => {
    const file = join(import.meta.dirname, '..', '..', '..', 'test', 'support', 'owned-process-child.ts');
    const child = spawn(process.execPath, [file, how], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = new Promise<[number | null, string | null]>((resolve) => {
      child.once('exit', (exitCode, exitSignal) => resolve([exitCode, exitSignal]));
    });
    await expect.poll(() => output.trim().split('\n').length, { timeout: 10_000 }).toBe(2);
    if (signal !== null) child.kill(signal);
    expect(await ended).toEqual(code === null ? [null, signal] : [code, null]);
    const ids = output.trim().split('\n').map(Number);
    await expect.poll(() => ids.filter(isRunning)).toEqual([]);
  });
});

describe('pickVariables', () => {
  it('takes what is on the list and set', () => {
    expect(pickVariables({ A: '1', B: '2', C: undefined }, ['A', 'C', 'D'])).toEqual({ A: '1' });
  });
});
