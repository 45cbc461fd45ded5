/** git that takes too long is stopped, and its caller is told by the exit code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
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
