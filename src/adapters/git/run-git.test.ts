/** How git ends: by itself, after too long a time, or together with us. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import { tryGit } from './run-git.ts';

it('stops after the time that it was given, and not without one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-git-'));
  try {
    writeFileSync(join(folder, 'git'), '#!/bin/sh\nfor last; do :; done\necho begun\nexec sleep "$last"\n', {
      mode: 0o755,
    });
    const environment = { PATH: [folder, process.env.PATH ?? ''].join(delimiter) };
    expect(await tryGit(folder, environment, ['60'], { timeout: 200 })).toMatchObject({ code: 124 });
    expect(await tryGit(folder, environment, ['0'])).toMatchObject({ code: 0, output: 'begun\n' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.each([
  ['INT', 'cancelled'],
  ['TERM', 'cancelled'],
  ['HUP', 'cancelled'],
  ['KILL', 'git-failed'],
])('is ended by %s: %s', async (signal, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-git-'));
  try {
    writeFileSync(join(folder, 'git'), `#!/bin/sh\nkill -${signal} $$\nsleep 5\n`, { mode: 0o755 });
    const environment = { PATH: [folder, process.env.PATH ?? ''].join(delimiter) };
    expect(await rejectedCode(tryGit(folder, environment, ['status']))).toBe(code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
