/** A marker tells our own work from a copy of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { hideMarker, makeMarker } from './marker.ts';

describe('makeMarker', () => {
  it('differs by key and by secret, and is the same each time', () => {
    expect(makeMarker('key', 'a')).toBe(makeMarker('key', 'a'));
    expect(new Set([makeMarker('key', 'a'), makeMarker('key', 'b'), makeMarker('other', 'a')]).size).toBe(3);
  });

  it('is hidden in one comment that no key can close or break', () => {
    const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('-->', '--', '\n', '<script>'));
    fc.assert(
      fc.property(key, (one) => {
        expect(hideMarker(makeMarker('secret', one))).toMatch(
          /^<!-- gatewright:effect [0-9a-f]{24}\.[0-9a-f]{40} -->$/u,
        );
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});
