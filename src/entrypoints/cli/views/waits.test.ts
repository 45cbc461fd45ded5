import { describe, expect, it } from 'vitest';
import { WaitLine } from './wait-line.ts';
import { Waits } from './waits.ts';

function make(isLive: boolean) {
  const written: string[] = [];
  const clock = { now: 0 };
  const line = new WaitLine(
    { columns: 80, write: (text: string) => written.push(text) },
    isLive,
    () => clock.now,
  );
  const waits = new Waits(line, () => clock.now);
  const at = (milliseconds: number): string => {
    clock.now = milliseconds;
    written.length = 0;
    line.tick();
    return written.join('');
  };
  return { clock, waits, at, written };
}

describe('waits', () => {
  it('of short steps with one text are one wait', () => {
    const { clock, waits, at } = make(true);
    for (let step = 0; step < 30; step += 1) {
      clock.now = step * 100;
      const key = {};
      waits.begin(key, 'waiting for github.com');
      if (step === 29) expect(at(2_950)).toContain('waiting for github.com · 2 s');
      clock.now += 90;
      waits.end(key);
    }
    clock.now += 5_000;
    const key = {};
    waits.begin(key, 'waiting for github.com');
    expect(at(clock.now + 500)).toBe('');
    waits.end(key);
  });

  it('show what a command names first, and what began last after it', () => {
    const { waits, at } = make(true);
    const [one, two] = [{}, {}];
    waits.name('waiting for Claude');
    waits.begin(one, 'git fetch');
    expect(at(2_000)).toContain('waiting for Claude · 2 s');
    waits.begin(two, 'waiting for github.com');
    waits.endNamed();
    expect(at(4_000)).toContain('waiting for github.com · 2 s');
    waits.end(two);
    expect(at(4_100)).toContain('git fetch · 4 s');
    expect(waits.list()).toEqual([{ text: 'git fetch', milliseconds: 4_100 }]);
    waits.end(one);
    expect(at(9_000)).toBe('');
    expect(waits.list()).toEqual([]);
    waits.end(one);
  });

  it('are not drawn while something else has the screen', () => {
    const { clock, waits, at, written } = make(true);
    const key = {};
    waits.begin(key, 'git fetch');
    expect(at(2_000)).toContain('git fetch');
    waits.pause();
    written.length = 0;
    clock.now = 3_000;
    expect(written).toEqual([]);
    waits.resume();
    expect(written.join('')).toContain('git fetch · 3 s');
    waits.end(key);
  });

  it('without a screen are plain lines: after three seconds, then every thirty', () => {
    const { waits, at } = make(false);
    const key = {};
    waits.begin(key, 'git fetch');
    expect(at(2_900)).toBe('');
    expect(at(3_100)).toBe('… git fetch: 3 s so far\n');
    expect(at(30_000)).toBe('');
    expect(at(33_200)).toBe('… git fetch: 33 s so far\n');
    waits.end(key);
  });
});
