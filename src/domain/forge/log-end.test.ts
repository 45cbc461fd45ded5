/** A log is cut by bytes, and no character is torn. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepLogEnd, longestLog } from './log-end.ts';

it('keeps a short log as it is', () => {
  expect(keepLogEnd('fine\n')).toBe('fine\n');
  expect(keepLogEnd('x'.repeat(longestLog))).toHaveLength(longestLog);
});

it('keeps the end, whole characters, and as much as fits', () => {
  const text = fc.array(fc.constantFrom('a', 'ä', '€', '🦊', '\n'), { maxLength: 40 });
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 60 }), (parts, limit) => {
      const log = parts.join('');
      const end = keepLogEnd(log, limit);
      const size = Buffer.byteLength(end);
      expect(log.endsWith(end)).toBe(true);
      expect(size).toBeLessThanOrEqual(limit);
      if (Buffer.byteLength(log) > limit) expect(size).toBeGreaterThan(limit - 4);
      else expect(end).toBe(log);
    }),
  );
});
