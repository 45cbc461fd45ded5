/** The diff between two states of some files, made by git. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Files = Readonly<Record<string, string>>;

export function makeDiff(before: Files, after: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-diff-'));
  try {
    for (const [side, files] of [
      ['a', before],
      ['b', after],
    ] as const) {
      mkdirSync(join(folder, side));
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, side, path)), { recursive: true });
        writeFileSync(join(folder, side, path), text);
      }
    }
    const words = ['diff', '--no-index', '--no-ext-diff', '--no-color', '-M', '--no-prefix', 'a', 'b'];
    const { stdout, stderr, status } = spawnSync('git', words, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    if (status !== 0 && status !== 1) throw new Error(stderr);
    return stdout.replaceAll(/^(rename (?:from|to) "?)[ab]\//gmu, '$1');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
