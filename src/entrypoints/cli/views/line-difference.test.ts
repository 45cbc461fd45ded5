import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDifference, unifiedDifference } from './line-difference.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));

describe('lineDifference', () => {
  it('tells what was taken away and what came', () => {
    expect(lineDifference('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual(['- b', '+ x', '+ d']);
    expect(lineDifference('', 'a\n')).toEqual(['+ a']);
    expect(lineDifference('a\n', 'a\n')).toEqual([]);
  });

  it('is empty for equal texts only, and accounts for every line', () => {
    const count = (one: string) => (one === '' ? 0 : one.replace(/\n$/u, '').split('\n').length);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDifference(before, after);
        const taken = lines.filter((line) => line.startsWith('- ')).length;
        const came = lines.filter((line) => line.startsWith('+ ')).length;
        expect(count(before) - taken).toBe(count(after) - came);
        const isEqual = before.replace(/\n$/u, '') === after.replace(/\n$/u, '');
        if (isEqual) expect(lines).toEqual([]);
      }),
    );
  });

  it('gives up on texts of many thousand lines', () => {
    expect(lineDifference('a\n'.repeat(3_000), 'b')).toEqual(['(too long to compare)']);
  });
});

describe('unifiedDifference', () => {
  const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}`);

  it('is what git applies', () => {
    const long = lines(30);
    const changes = [
      [long, long.with(2, 'x').with(20, 'y')],
      [long, long.toSpliced(5, 3)],
      [long, ['first', ...long, 'last']],
      [long, []],
      [['a'], ['b', 'c']],
    ].map((pair) => pair.map((one) => one.map((line) => `${line}\n`).join('')));
    const folder = mkdtempSync(join(tmpdir(), 'gw-diff-'));
    for (const [before = '', after = ''] of changes) {
      writeFileSync(join(folder, 'a.txt'), before);
      const patch = ['--- a/a.txt', '+++ b/a.txt', ...unifiedDifference(before, after), ''].join('\n');
      execFileSync('git', ['apply'], { cwd: folder, input: patch });
      expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(after);
    }
    rmSync(folder, { recursive: true });
  });

  it('is empty where nothing differs', () => {
    expect(unifiedDifference('a\n', 'a\n')).toEqual([]);
  });
});
