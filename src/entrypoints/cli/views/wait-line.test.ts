import { describe, expect, it } from 'vitest';
import { elapsed, WaitLine } from './wait-line.ts';

function make(isLive: boolean, columns = 40) {
  const written: string[] = [];
  const clock = { now: 0 };
  const line = new WaitLine(
    { columns, write: (text: string) => written.push(text) },
    isLive,
    () => clock.now,
  );
  const at = (milliseconds: number): string => {
    clock.now = milliseconds;
    written.length = 0;
    line.tick();
    return written.join('');
  };
  const begin = (text: string): void => line.begin({ text, since: clock.now, dueAt: clock.now + 30_000 });
  return { line, begin, at, written };
}

describe('a wait', () => {
  it('on a screen shows what and how long, once it is not short', () => {
    const { line, begin, at, written } = make(true);
    begin('waiting for Claude to generate draft');
    expect(at(900)).toBe('');
    const shown = at(75_000);
    expect(shown).toContain('waiting for Claude to generate draft');
    expect(at(5_000).replace('\r\u001B[2K', '')).toHaveLength(39);
    written.length = 0;
    line.end();
    expect(written.join('')).toBe('\r\u001B[2K');
    line.end();
    expect(written).toHaveLength(1);
  });

  it('elsewhere is a plain line now and then', () => {
    const { line, begin, at } = make(false);
    begin('waiting for Claude');
    expect(at(29_000)).toBe('');
    expect(at(30_000)).toBe('… waiting for Claude: 30 s so far\n');
    expect(at(31_000)).toBe('');
    expect(at(61_000)).toBe('… waiting for Claude: 1 min 1 s so far\n');
    line.end();
  });

  it('shows no text of others as it came', () => {
    const { line, begin, at } = make(true, 200);
    begin('waiting for \u001B[2Jme\nand more');
    expect(at(2_000)).toContain('waiting for \\u{1b}[2Jme and more · 2 s');
    line.end();
  });

  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min 0 s'],
    [3_725_000, '62 min 5 s'],
  ])('%i ms is %s', (milliseconds, words) => expect(elapsed(milliseconds)).toBe(words));
});
