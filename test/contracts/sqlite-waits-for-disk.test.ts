/** What is waited for until it is on the disk: seen from outside, by the calls to the system. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from './run-children.ts';

const hasStrace = spawnSync('strace', ['-V']).status === 0;
const child = fileURLToPath(new URL('commit-kinds-child.ts', import.meta.url));

/** How often each act waited for the disk, by its name. */
function traceActs(): Record<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-disk-'));
  try {
    const trace = join(folder, 'trace');
    const words = ['-f', '-qq', '-o', trace, '-e', 'trace=write,fsync,fdatasync', '-e', 'signal=none'];
    const ended = spawnSync('strace', [...words, process.execPath, child, join(folder, 'gatewright.db')], {
      env: childEnvironment,
      encoding: 'utf8',
    });
    expect(ended.status, ended.stderr).toBe(0);
    const counts: Record<string, number> = {};
    let act: string | undefined;
    for (const line of readFileSync(trace, 'utf8').split('\n')) {
      const named = /write\(1, ">(?<name>[^"\\]*)/u.exec(line)?.groups?.name;
      if (named !== undefined) act = named;
      if (act === undefined || act === 'end') continue;
      counts[act] ??= 0;
      if (/ (?:fsync|fdatasync)\(/u.test(line)) counts[act] = (counts[act] ?? 0) + 1;
    }
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(!hasStrace)('the disk', () => {
  it('is waited for once, and only for what may not wait', () => {
    expect(traceActs()).toEqual({
      'may wait': 0,
      waits: 1,
      'one of two waits': 1,
      checkpoint: 0,
      writes: 0,
      'waits after what did not': 1,
      deferred: 0,
      'with what was deferred': 1,
    });
  });
});
