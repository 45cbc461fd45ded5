/** Real programs, files and disks. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalMachine } from './local-machine.ts';

let folder = '';
const never = new AbortController().signal;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-machine-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): LocalMachine {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return new LocalMachine({ PATH: `${folder}:/usr/bin:/bin`, GITHUB_TOKEN: 'canary' });
}

describe('programs', () => {
  it('are found on the path when they can be run', () => {
    const machine = program('tool', 'echo hello');
    expect(machine.findProgram('tool')).toBe(join(folder, 'tool'));
    chmodSync(join(folder, 'tool'), 0o644);
    expect(machine.findProgram('tool')).toBeNull();
    mkdirSync(join(folder, 'folder'));
    expect(machine.findProgram('folder')).toBeNull();
    expect(new LocalMachine({}).findProgram('sh')).toBeNull();
  });

  it('are asked without our secrets; a failing, missing or hanging one says nothing', async () => {
    const machine = program('tool', 'echo "$1 $GITHUB_TOKEN"');
    expect(await machine.ask(join(folder, 'tool'), ['--version'], never)).toBe('--version');
    program('bad', 'echo x; exit 3');
    expect(await machine.ask(join(folder, 'bad'), [], never)).toBeNull();
    expect(await machine.ask(join(folder, 'missing'), [], never)).toBeNull();
    program('slow', 'exec sleep 60');
    expect(await machine.ask(join(folder, 'slow'), [], AbortSignal.timeout(200))).toBeNull();
  });
});

describe('files and disks', () => {
  it('tells mode, writability and free space, also of what is not there yet', async () => {
    const machine = new LocalMachine({});
    const file = join(folder, 'file');
    writeFileSync(file, 'x', { mode: 0o640 });
    expect(machine.inspectFile(file)).toEqual({ mode: 0o640, isWritable: true, isFolder: false });
    expect(machine.inspectFile(join(folder, 'none'))).toBeNull();
    expect(machine.nearestFolder(join(folder, 'a/b/c'))).toBe(folder);
    expect(machine.nearestFolder(file)).toBe(folder);
    expect(await machine.freeBytes(join(folder, 'a/b/c'))).toBeGreaterThan(0);
  });
});
