import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../../test/support/property-runs.ts';
import { longestLog } from '../../domain/forge/log-end.ts';
import { readStepLogs } from './step-logs.ts';

const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, '0')}.1234567Z `;
const moment = (second: number) => `${at(second).slice(0, 19)}Z`;
const step = (name: string, from: number | null, to: number | null) => ({
  name,
  startedAt: from === null ? null : moment(from),
  completedAt: to === null ? null : moment(to),
});

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let index = 0; index < bytes.length; index += size) yield bytes.subarray(index, index + size);
}

const log = `\uFEFF${at(1)}preparing\n${at(5)}first\nwithout a moment\n\n${at(8)}first ends ü🦊\n${at(9)}second\n${at(12)}third`;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('the log of a job', () => {
  it.each([1, 2, 3, 7, 40, 1000])(
    'is taken apart by the times of steps, in pieces of %i bytes',
    async (size) => {
      const steps = [step('one', 5, 8), step('two', 9, 10), step('three', 11, null)];
      expect(await readStepLogs(inPieces(log, size), steps)).toEqual([
        'first\nwithout a moment\n\nfirst ends ü🦊\n',
        'second\n',
        'third',
      ]);
    },
  );

  it('keeps lines of the second in which a step ended', async () => {
    expect(await readStepLogs(inPieces(`${at(5)}a\n${at(6)}b\n${at(7)}c\n`, 9), [step('one', 5, 6)])).toEqual(
      ['a\nb\n'],
    );
  });

  it.each([
    ['steps without times', log, [step('one', null, null), step('two', null, null)]],
    ['times of another day', log.replaceAll('2026-03-01', '2025-03-01'), [step('one', 5, 8)]],
    ['no moments at all', 'plain\ntext\n', [step('one', 5, 8)]],
  ])('is given as a whole when it cannot be told apart: %s', async (_, text, steps) => {
    const whole = text.replaceAll(/^\uFEFF?\S+Z /gmu, '');
    expect(await readStepLogs(inPieces(text, 11), steps)).toEqual(steps.map(() => whole));
  });

  it('has nothing when it is empty', async () => {
    expect(await readStepLogs(inPieces('', 5), [step('one', 5, 8)])).toEqual(['']);
  });

  it.each([4094, 4096, 4097])('is cut to its end between characters, in pieces of %i bytes', async (size) => {
    const text = `${at(5)}${'🦊ä'.repeat(60_000)}end\n`;
    const [kept = ''] = await readStepLogs(inPieces(text, size), [step('one', 5, 8)]);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(longestLog);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(longestLog - 4);
    expect(kept.endsWith('🦊äend\n')).toBe(true);
    expect(kept).not.toContain('\uFFFD');
  });

  it.each([
    ['one endless line', Buffer.alloc(1024 * 1024, 'x')],
    ['short lines', Buffer.from(`${at(5)}${'y'.repeat(200)}\n`.repeat(4500))],
  ])(
    `of ${isLong ? 'a gigabyte' : 'many megabytes'} fills no memory: %s`,
    async (_, piece) => {
      // Well over what it may take.
      const pieces = isLong ? 1024 : 320;
      async function* endless(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(at(5));
        for (let index = 0; index < pieces; index += 1) yield piece;
        yield Buffer.from('\nthe cause\n');
      }
      let most = 0;
      collectGarbage();
      const before = process.memoryUsage();
      async function* watched(): AsyncGenerator<Uint8Array> {
        let count = 0;
        for await (const one of endless()) {
          yield one;
          count += 1;
          if (count % 64 !== 0) continue;
          // Buffers are counted when they are freed, which takes a turn of the loop; garbage is no memory that it needs.
          await new Promise((resolve) => setImmediate(resolve));
          collectGarbage();
          const { heapUsed, external } = process.memoryUsage();
          most = Math.max(most, heapUsed + external - before.heapUsed - before.external);
        }
      }
      const [kept = ''] = await readStepLogs(watched(), [step('one', 5, 8)]);
      expect(kept.endsWith('\nthe cause\n')).toBe(true);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(longestLog);
      expect(most).toBeLessThan(200 * 1024 * 1024);
    },
    120_000,
  );
});
