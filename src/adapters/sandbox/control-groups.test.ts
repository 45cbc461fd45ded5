/** Memory and processor time of a command. Real control groups where this machine lets us make them; else what is said. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProcesses } from '../../../test/support/find-processes.ts';
import { findControlGroups, type GroupLimits, usualGroupLimits } from './control-groups.ts';
import { limitCommand } from './limit-command.ts';
import { makeLocalSandbox } from './local-sandbox.ts';
import { SandboxedCommands } from './sandboxed-commands.ts';

let work = '';
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'gw-groups-')));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const limits: GroupLimits = { memoryBytes: 200 * 1024 ** 2, processors: 0.5 };
const groups = await findControlGroups(limits);

function run(argv: readonly string[]) {
  const environment = { PATH: process.env.PATH };
  const sandbox = makeLocalSandbox({ environment, demand: 'prefer', groupLimits: limits });
  return new SandboxedCommands(sandbox, environment).run({
    ...{ folder: work, argv, limitMilliseconds: 30_000, network: 'none' },
  });
}

const hog = 'const all = []; for (;;) all.push(Buffer.alloc(8e6, 1));';

describe.runIf(typeof groups !== 'string')('a command in a control group', () => {
  it('that takes more memory than it may is ended, and that is said', async () => {
    const { exitCode, output } = await run(['node', '-e', hog]);
    expect(exitCode).not.toBe(0);
    expect(output).toContain('used more memory than it may');
  });

  it('that stays within its limits is left alone', async () => {
    const { exitCode, output } = await run(['node', '-e', 'console.log(Buffer.alloc(2e7, 1).length)']);
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: '20000000\n' });
  });

  it('leaves no process and no group behind, however it hid', async () => {
    if (typeof groups === 'string') return;
    const length = `5${process.pid}.5`;
    const prepared = limitCommand(
      {
        ...{ kind: 'none', program: '/bin/sh', folder: work, environment: {} },
        args: ['-c', `setsid env -i sleep ${length} > /dev/null 2>&1 & exit 0`],
        ...{ refused: () => [], ranOutOfMemory: () => false, close: async () => undefined },
      },
      groups,
    );
    const { spawnSync } = await import('node:child_process');
    expect(spawnSync(prepared.program, [...prepared.args]).status).toBe(0);
    await expect.poll(() => findProcesses(length).length).toBe(1);
    await prepared.close();
    await expect.poll(() => findProcesses(length)).toEqual([]);
    const folders = prepared.args.filter((word) => word.includes('/gatewright-'));
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  });
});

/** A tree of plain files that looks like the kernel's, handed to us at a certain level. */
function fakeSecondVersion(controllers: string): { mountinfo: string; own: string; slice: string } {
  const slice = join(work, 'user.slice', 'user@1.service');
  mkdirSync(join(slice, 'app.scope'), { recursive: true });
  writeFileSync(join(slice, 'cgroup.subtree_control'), `${controllers}\n`);
  writeFileSync(join(slice, 'cgroup.procs'), '');
  writeFileSync(join(slice, 'app.scope', 'cgroup.subtree_control'), '\n');
  writeFileSync(join(slice, 'app.scope', 'cgroup.procs'), '1\n');
  return {
    mountinfo: `30 23 0:26 / ${work} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`,
    own: '0::/user.slice/user@1.service/app.scope\n',
    slice,
  };
}

describe('version 2', () => {
  it('is used in the nearest group that was handed to us with memory and cpu', async () => {
    const kernel = fakeSecondVersion('cpu memory pids');
    const found = await findControlGroups(limits, kernel);
    expect(found).toHaveProperty('make');
    const [name = ''] = readdirSync(kernel.slice).filter((one) => one.startsWith('gatewright-'));
    expect(readFileSync(join(kernel.slice, name, 'memory.max'), 'utf8')).toBe(String(limits.memoryBytes));
    expect(readFileSync(join(kernel.slice, name, 'cpu.max'), 'utf8')).toBe('50000 100000');
  });

  it.each(['memory pids', 'cpu pids', ''])('is not used with "%s" only', async (controllers) => {
    expect(await findControlGroups(limits, fakeSecondVersion(controllers))).toContain('no control group');
  });
});

it('leaves a quarter of the memory and a tenth of the processors to everything else', () => {
  expect(usualGroupLimits(8, 16_000)).toEqual({ memoryBytes: 12_000, processors: 7.2 });
  expect(usualGroupLimits(0.25, 16_000).processors).toBe(0.5);
});
