/** What a command in a sandbox can use up. Each limit is reached here, with a program that wants more. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutSandbox } from '../../../test/support/needs-sandbox.ts';
import type { CommandResult } from '../../ports/command-runner.ts';
import { isKernel, type Limits, readOwnLimit, usualLimits } from './limits.ts';
import { makeLocalSandbox } from './local-sandbox.ts';
import { SandboxedCommands } from './sandboxed-commands.ts';

let work = '';
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'gw-limits-')));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

function sh(script: string, limits: Limits = usualLimits): Promise<CommandResult> {
  const environment = { PATH: process.env.PATH };
  const sandbox = makeLocalSandbox({ environment, demand: 'require', limits });
  return new SandboxedCommands(sandbox, environment).run({
    ...{ folder: work, argv: ['sh', '-c', script], limitMilliseconds: 20_000, network: 'none' },
  });
}

/** Root's own processes are counted by newer kernels only. */
const areCounted = process.getuid?.() === 0 ? isKernel(6, 14) : isKernel(5, 14);

describe.skipIf(isWithoutSandbox)('a command', () => {
  it.runIf(areCounted)(
    'that starts more and more processes is stopped by that, and nobody else',
    async () => {
      const before = readFileSync('/proc/sys/kernel/pid_max', 'utf8');
      const bomb = 'bomb() { bomb | bomb & }; i=0; while [ $i -lt 500 ]; do sleep 3 & i=$((i+1)); done; bomb';
      const { output } = await sh(bomb, { ...usualLimits, processes: 350 });
      expect(output).toMatch(/fork/u);
      expect(readFileSync('/proc/sys/kernel/pid_max', 'utf8')).toBe(before);
      // What a build needs is still there.
      const { output: fine } = await sh(
        'i=0; while [ $i -lt 500 ]; do sleep 1 & i=$((i+1)); done; wait; echo fine',
      );
      expect(fine).toBe('fine\n');
    },
  );

  it('writes no file that is larger than the limit, nor its memory', async () => {
    const { output } = await sh(
      "truncate -s 9G large; truncate -s 7G fits; sh -c 'ulimit -c unlimited; kill -SEGV $$'; grep -E '^Max (core|file)' /proc/self/limits",
    );
    expect(output).toMatch(/File size limit exceeded|File too large/u);
    expect(['large', 'fits'].map((name) => statSync(join(work, name)).size)).toEqual([0, 7 * 1024 ** 3]);
    expect(readdirSync(work).sort()).toEqual(['fits', 'large']);
    expect(output).toMatch(/^Max file size +8589934592 +8589934592/mu);
    expect(output).toMatch(/^Max core file size +[01] +[01] /mu);
  });

  it('is the first to be ended when memory runs out', async () => {
    expect((await sh('cat /proc/self/oom_score_adj')).output).toBe('1000\n');
  });

  it('that is not there still ends with 127', async () => {
    expect((await sh('exec no-such-program')).exitCode).toBe(127);
  });
});

it.each([
  ['6.14.0', true],
  ['6.18.44-fc-v490', true],
  ['7.0.1', true],
  ['6.13.9', false],
  ['5.15.0-91-generic', false],
  ['4.4.0', false],
])('a kernel %s counts for each namespace: %s', (version, expected) => {
  expect(isKernel(6, 14, version)).toBe(expected);
});

it('nobody is given more than we have', () => {
  const text =
    'Max file size             unlimited            unlimited            bytes\nMax processes             100                  200                  processes\n';
  expect(readOwnLimit('Max processes', text)).toBe(200);
  expect(readOwnLimit('Max file size', text)).toBe(Number.POSITIVE_INFINITY);
  expect(readOwnLimit('Max core file size', text)).toBe(Number.POSITIVE_INFINITY);
});
