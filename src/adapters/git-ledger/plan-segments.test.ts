/** The files of a ledger hold every entry once, stay few, and are written again only now and then. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { Segment } from './ledger-files.ts';
import { planSegments } from './plan-segments.ts';

const sizeOf = ({ first, last }: Segment): number => last - first + 1;

function appendAll(sizes: readonly number[]): { segments: Segment[]; written: number; most: number } {
  let segments: Segment[] = [];
  let [last, written, most] = [0, 0, 0];
  for (const size of sizes) {
    last += size;
    const plan = planSegments(segments, last);
    // What is removed is written again, and stands at the end.
    expect(segments.slice(segments.length - plan.removed.length)).toEqual(plan.removed);
    segments = [...segments.slice(0, segments.length - plan.removed.length), plan.written];
    written += sizeOf(plan.written);
    most = Math.max(most, segments.length);
  }
  return { segments, written, most };
}

describe('planSegments', () => {
  it('holds every entry once, in order, whatever is appended together', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 200 }), (sizes) => {
        const { segments, written, most } = appendAll(sizes);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        let next = 1;
        for (const { first, last } of segments) {
          expect(first).toBe(next);
          expect(last).toBeGreaterThanOrEqual(first);
          next = last + 1;
        }
        expect(next).toBe(total + 1);
        expect(most).toBeLessThan(40);
        expect(written).toBeLessThanOrEqual(total * 6);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('has few files of limited size after 100,000 entries one by one', () => {
    const { segments, written } = appendAll(Array.from({ length: 100_000 }, () => 1));
    expect(segments.length).toBeLessThan(130);
    expect(Math.max(...segments.map(sizeOf))).toBeLessThan(10_000);
    expect(written).toBeLessThan(600_000);
  });
});
