import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayAfter,
  edited,
  learnedFrom,
  learningsState,
  observed,
  removed,
} from '../../../test/support/learning-entries.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { mostCorrections, mostLearnings, mostRemembered, mostSessions } from './fold-learnings.ts';
import { confidenceAt, identifyLearning, type Learning } from './learnings.ts';

const texts = (entries: LedgerEntry[]) => learnedFrom(entries).map(({ content, seen }) => [content, seen]);
const sure = (...entries: LedgerEntry[]) => learnedFrom(entries)[0]?.confidence ?? 0;

describe('foldLearning', () => {
  it('takes the same words about the same file for one learning, once for a session', () => {
    const entries = [
      observed('Tests run with vitest.'),
      observed('tests  RUN with Vitest', { session: 'S2' }),
      observed('Tests run with vitest', { session: 'S2' }),
      observed('Tests run with vitest.', { session: 'S2', file: 'a.ts' }),
      observed('Tests run with jest.', { session: 'S2' }),
    ];
    expect(texts(entries)).toEqual([
      ['Tests run with vitest.', 2],
      ...texts(entries.slice(3)).map(([text]) => [text, 1]),
    ]);
  });

  it('is surer of what is seen again and of what led to success, less of what failed', () => {
    const first = observed('x');
    const again = observed('x', { session: 'S2' });
    expect(sure(first)).toBeCloseTo(0.4);
    expect(sure(first, again)).toBeCloseTo(0.55);
    expect(sure(observed('x', { outcome: 'success' }))).toBeCloseTo(0.55);
    expect(sure(observed('x', { outcome: 'failed_max_retries' }))).toBeCloseTo(0.28);
    for (const outcome of ['blocked', 'escalated'] as const)
      expect(sure(observed('x', { outcome }))).toBeCloseTo(0.4);
    // The outcome of a session is told later, and counts once.
    const ended = observed('x', { outcome: 'success' });
    expect(sure(first, ended)).toBeCloseTo(0.55);
    expect(sure(first, ended, ended)).toBeCloseTo(0.55);
    expect(learnedFrom([first, ended])[0]?.seen).toBe(1);
  });

  it('halves in ninety days, and begins from there when it is seen again', () => {
    const [learning] = learnedFrom([observed('x')]);
    expect(confidenceAt(learning as Learning, dayAfter(90))).toBeCloseTo(0.2);
    expect(confidenceAt(learning as Learning, dayAfter(-90))).toBeCloseTo(0.4);
    expect(sure(observed('x'), observed('x', { session: 'S2', days: 90 }))).toBeCloseTo(0.2 + 0.8 * 0.25);
  });

  it('keeps a hundred, and lets the least sure go first', () => {
    const many = Array.from({ length: mostLearnings + 20 }, (_, index) =>
      observed(`learning ${index}`, { outcome: index < 20 ? 'failed_max_retries' : 'success' }),
    );
    const kept = learnedFrom(many);
    expect(kept).toHaveLength(mostLearnings);
    expect(kept.every(({ confidence }) => confidence > 0.5)).toBe(true);
  });

  it('has a size that the length of its history does not change', () => {
    const size = (count: number) => {
      const entries = Array.from({ length: count }, (_, index) => [
        observed(`learning ${index}`, { days: index / 10 }),
        observed('seen each time', { session: `S${index}`, days: index / 10 }),
        edited(identifyLearning(`learning ${index - 1}`, null), `other words ${index}`, index / 10),
        removed(identifyLearning(`learning ${index - 3}`, null)),
      ]).flat();
      const state = learningsState(entries);
      expect(state?.held.length).toBeLessThanOrEqual(mostRemembered);
      expect(state?.leads.length).toBeLessThanOrEqual(mostCorrections);
      expect(state?.removed.length).toBeLessThanOrEqual(mostCorrections);
      expect(Math.max(...(state?.held ?? []).map(({ outcomes }) => outcomes.length))).toBe(mostSessions);
      expect(learnedFrom(entries)[0]).toMatchObject({ content: 'seen each time', seen: count });
      return JSON.stringify(state).length;
    };
    expect(size(2_000) / size(1_200)).toBeLessThan(1.05);
  });

  it('gives a new one a chance, where all others are surer', () => {
    const many = Array.from({ length: mostRemembered }, (_, index) =>
      observed(`learning ${index}`, { outcome: 'success' }),
    );
    const late = [1, 2, 3].map((session) => observed('new', { session: `S${session}`, outcome: 'success' }));
    expect(texts([...many, ...late])).toContainEqual(['new', 3]);
    expect(texts(many.concat(late)).length).toBe(mostLearnings);
  });

  const x = identifyLearning('x', null);

  it('takes the words of a person, whatever agents observe after', () => {
    const entries = [observed('x'), edited(x, 'y'), observed('x', { session: 'S2' })];
    expect(learnedFrom(entries)).toMatchObject([{ id: x, content: 'y', seen: 2, editedBy: 'alice' }]);
    expect(sure(observed('x'), edited(x, 'y'))).toBeCloseTo(0.9);
    // The new words are the same learning.
    expect(texts([...entries, observed('Y!', { session: 'S3' })])).toEqual([['y', 3]]);
    // Words that another learning has make the two one.
    expect(texts([observed('y', { session: 'S0' }), ...entries])).toEqual([['y', 3]]);
    expect(texts([...entries, edited(x, 'x'), observed('y', { session: 'S4' })])).toEqual([['x', 3]]);
  });

  it('does not learn again what a person removed, nor edit what is not there', () => {
    expect(texts([observed('x'), removed(x), observed('x', { session: 'S2' })])).toEqual([]);
    expect(texts([observed('x'), edited(x, 'y'), removed(x), observed('y'), observed('x')])).toEqual([]);
    expect(texts([edited(x, 'y'), removed('L?')])).toEqual([]);
    // Unless the person says it.
    const z = identifyLearning('z', null);
    expect(texts([observed('x'), removed(x), observed('z'), edited(z, 'x')])).toEqual([['x', 1]]);
  });

  const anyEntry = fc.oneof(
    fc
      .record({
        content: fc.constantFrom('x', 'X.', 'y', 'z'),
        file: fc.constantFrom(null, 'a.ts'),
        session: fc.constantFrom('S1', 'S2', 'S3'),
        outcome: fc.constantFrom(null, 'success', 'failed_max_retries', 'blocked', 'escalated'),
        days: fc.integer({ min: -10, max: 400 }),
      })
      .map(({ content, ...more }) => observed(content, more)),
    fc
      .record({ of: fc.constantFrom('x', 'y', 'z'), to: fc.constantFrom('x', 'y', 'z', 'w') })
      .map(({ of, to }) => edited(identifyLearning(of, null), to)),
    fc.constantFrom('x', 'y').map((of) => removed(identifyLearning(of, null))),
  );

  it('never has two of one text, and is never surer than certain', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 30 }), (entries) => {
        const learnings = learnedFrom(entries);
        for (const { confidence, seen } of learnings) {
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(seen).toBeGreaterThan(0);
        }
        const keys = learnings.map(({ content, file }) => identifyLearning(content, file));
        expect(new Set(keys).size).toBe(keys.length);
        expect(new Set(learnings.map(({ id }) => id)).size).toBe(learnings.length);
      }),
      { numRuns: propertyRuns(5000) },
    );
  });
});
