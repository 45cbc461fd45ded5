/** Quiet hours follow the clock on the wall, also on the days on which clocks change. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuiet, isTimeZone, isWallTime } from './quiet-hours.ts';

const at = (iso: string): Date => new Date(iso);
const berlin = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' };

describe('isQuiet', () => {
  it.each([
    ['2026-01-15T20:59:00Z', false],
    ['2026-01-15T21:00:00Z', true],
    ['2026-01-16T05:59:59Z', true],
    ['2026-01-16T06:00:00Z', false],
    // In summer the wall is an hour further.
    ['2026-07-15T19:59:59Z', false],
    ['2026-07-15T20:00:00Z', true],
    ['2026-07-16T04:59:59Z', true],
    ['2026-07-16T05:00:00Z', false],
  ])('over midnight in Berlin, at %s: %s', (moment, expected) => {
    expect(isQuiet(berlin, at(moment))).toBe(expected);
  });

  it('has a short night in spring and a long one in autumn', () => {
    const minutesOf = (from: string, hours: number): number =>
      Array.from({ length: hours * 60 }, (_, minute) => at(from).getTime() + minute * 60_000).filter(
        (moment) => isQuiet(berlin, new Date(moment)),
      ).length;
    expect(minutesOf('2026-03-28T12:00:00Z', 24)).toBe(8 * 60);
    expect(minutesOf('2026-03-29T12:00:00Z', 24)).toBe(9 * 60);
    expect(minutesOf('2026-10-24T12:00:00Z', 24)).toBe(10 * 60);
  });

  it('ends on time when the hour in which it ends is left out', () => {
    const early = { ...berlin, to: '02:30' };
    expect(isQuiet(early, at('2026-03-29T00:59:00Z'))).toBe(true);
    // 02:00 is 03:00 that night.
    expect(isQuiet(early, at('2026-03-29T01:00:00Z'))).toBe(false);
  });

  it('knows zones that are off by parts of an hour', () => {
    const nepal = { from: '12:00', to: '13:00', zone: 'Asia/Kathmandu' };
    expect(isQuiet(nepal, at('2026-01-01T06:14:59Z'))).toBe(false);
    expect(isQuiet(nepal, at('2026-01-01T06:15:00Z'))).toBe(true);
    expect(isQuiet(nepal, at('2026-01-01T07:15:00Z'))).toBe(false);
  });

  it('is quiet exactly when the opposite hours are not', () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((one) => String(one).padStart(2, '0')).join(':'));
    const zone = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
    fc.assert(
      fc.property(
        time,
        time,
        zone,
        fc.date({ min: at('2020-01-01'), max: at('2030-01-01'), noInvalidDate: true }),
        (from, to, name, moment) => {
          fc.pre(from !== to);
          const opposite = { from: to, to: from, zone: name };
          expect(isQuiet({ from, to, zone: name }, moment)).toBe(!isQuiet(opposite, moment));
        },
      ),
      { numRuns: 500 },
    );
  });
});

it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
  '%s is a time zone',
  (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  },
);

it.each(['', '+02:00', 'Berlin', 'Europe/Nowhere', 'Europe/Berlin\n', '../UTC'])(
  '%j is no time zone',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  },
);

it.each([
  ['00:00', true],
  ['23:59', true],
  ['24:00', false],
  ['7:30', false],
  ['07:60', false],
  ['07:30 ', false],
])('%j is a time of the day: %s', (text, expected) => {
  expect(isWallTime(text)).toBe(expected);
});
