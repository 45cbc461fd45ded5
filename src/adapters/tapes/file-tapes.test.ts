import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileTapes } from './file-tapes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-tapes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const [older, newer] = ['01J9ZC6T3N8Q4V7X2M5K0B1RWD', '01K9ZC6T3N8Q4V7X2M5K0B1RWD'] as const;

it('the oldest tapes go, not those of the oldest run', async () => {
  const tapes = new FileTapes(folder, '1', { mostTapes: 2, mostBytes: 1000 });
  const write = async (run: string, at: number): Promise<void> => {
    const tape = tapes.begin(run);
    tape.write({ end: { value: at } });
    await tape.close();
    // Names are made of milliseconds.
    await sleep(3);
  };
  await write(older, 1);
  await write(newer, 2);
  await write(older, 3);
  expect(await tapes.read(older)).toEqual([[{ end: { value: 3 } }]]);
  expect(await tapes.read(newer)).toHaveLength(1);
  await write(older, 4);
  expect(await tapes.read(newer)).toEqual([]);
  expect(await tapes.read(older)).toEqual([[{ end: { value: 3 } }], [{ end: { value: 4 } }]]);
});
