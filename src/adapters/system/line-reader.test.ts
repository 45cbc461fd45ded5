import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';

function read(chunks: readonly Buffer[], longest?: number): string[] {
  const lines: string[] = [];
  const reader = new LineReader((line) => lines.push(line), longest);
  for (const chunk of chunks) reader.take(chunk);
  reader.end();
  return lines;
}

describe('LineReader', () => {
  it('gives the same lines however the bytes are cut', () => {
    const text = fc.array(
      fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll(/[\r\n]/gu, '').trim()),
    );
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 7 })), (lines, cuts) => {
        const bytes = Buffer.from(lines.join('\n'));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        expect(read(chunks)).toEqual(lines.filter((line) => line !== ''));
      }),
    );
  });

  it('leaves out a line that is too long and goes on with the next', () => {
    const chunk = Buffer.from('x'.repeat(50));
    expect(read([Buffer.from('one\n'), chunk, chunk, Buffer.from('\ntwo')], 60)).toEqual(['one', 'two']);
  });
});
