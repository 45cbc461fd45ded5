import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeValue, encodeValue } from './tape-values.ts';

const marks = fc.constantFrom('$date', '$$map', '$undefined', '$set', '$other');
const value = fc.anything({
  withDate: true,
  withMap: true,
  withSet: true,
  maxDepth: 4,
  values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
  key: fc.oneof(fc.string(), marks).filter((key) => key !== '__proto__'),
});

it('values come back as they were', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(decodeValue(JSON.parse(JSON.stringify(encodeValue(one))))).toEqual(one);
    }),
  );
});

it('what JSON has no form for is marked, and what is of another kind is only marked', () => {
  expect(
    encodeValue([new Date(Number.NaN), undefined, Number.NaN, () => 1, new AbortController().signal]),
  ).toEqual([{ $other: true }, { $undefined: true }, { $number: 'NaN' }, { $other: true }, { $other: true }]);
});

it('what holds itself ends somewhere', () => {
  const endless: Record<string, unknown> = {};
  endless.self = endless;
  expect(JSON.stringify(encodeValue(endless)).length).toBeLessThan(1000);
});
