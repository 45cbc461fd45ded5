/** A disk that fails while several writes wait for it: what is not certain to be there is not acknowledged. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InboxReader } from './inbox-reader.ts';

const hasStrace = spawnSync('strace', ['-V']).status === 0;
const child = fileURLToPath(new URL('failing-disk-child.ts', import.meta.url));
const key = 'cd'.repeat(32);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatewright-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What came of the four writes when the kernel answers one call with an error. */
function writeWith(fault: string): string[] {
  const words = ['-f', '-qq', '-o', join(folder, 'trace'), '-e', `inject=${fault}`, process.execPath, child];
  // The calls are counted for each thread, so that one thread has to make them all.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const ended = spawnSync('strace', [...words, join(folder, 'inbox'), key], { encoding: 'utf8', env });
  expect(ended.status, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout) as string[];
}

/** The ids of the deliveries that the next process finds. */
async function readIds(): Promise<number[]> {
  const ids: number[] = [];
  const read = ({ json }: { readonly json: Buffer }): null => {
    ids.push((JSON.parse(json.toString()) as { readonly id: number }).id);
    return null;
  };
  await new InboxReader(join(folder, 'inbox'), key, read, () => undefined).next(100);
  return ids;
}

describe.skipIf(!hasStrace)('a disk that fails', () => {
  it.each([1, 2, 3])('at confirmation %i: nothing that it may have lost is acknowledged', async (when) => {
    const answers = writeWith(`fdatasync:error=EIO:when=${when}`);
    // It fails, and so does all that waits in that file; what comes later goes to a new file.
    expect(answers[when - 1]).toBe('failed');
    expect(answers[3]).toBe('written');
    const found = await readIds();
    for (const [index, answer] of answers.entries())
      if (answer === 'written') expect(found).toContain(index + 1);
    expect(readdirSync(join(folder, 'inbox'))).not.toEqual([]);
  });

  it('is waited for by every write', () => {
    expect(writeWith('fdatasync:delay_exit=1000')).toEqual(Array.from({ length: 4 }, () => 'written'));
  });
});
