/** A budget trips before the call that would break it, never after. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import {
  addUsage,
  type Budget,
  type BudgetBreach,
  boundTurn,
  defaultBudget,
  estimateCall,
  findBreach,
  limitsLeft,
  noUsage,
  type Usage,
} from './budget.ts';
import { flatPrice } from './model-price.ts';

const limits = { usd: 10, tokens: 1_000, turns: 10 };
const budget: Budget = {
  run: limits,
  issue: { usd: 20, tokens: 2_000, turns: 20 },
  day: { usd: 30, tokens: 3_000, turns: 30 },
};

function usage(costUsd: number, inputTokens: number, outputTokens: number, turns: number): Usage {
  return { costUsd, inputTokens, outputTokens, turns };
}

const nothing = { run: noUsage, issue: noUsage, day: noUsage };

describe('findBreach', () => {
  it.each<[string, Partial<typeof nothing>, Usage, BudgetBreach | null]>([
    ['nothing spent, small call', {}, usage(1, 10, 10, 1), null],
    ['exactly at every limit', {}, usage(10, 600, 400, 10), null],
    ['a cent over', {}, usage(10.01, 0, 0, 0), { scope: 'run', unit: 'usd', limit: 10, wouldBe: 10.01 }],
    [
      'input and output tokens together',
      {},
      usage(0, 600, 401, 0),
      { scope: 'run', unit: 'tokens', limit: 1_000, wouldBe: 1_001 },
    ],
    ['a turn over', {}, usage(0, 0, 0, 11), { scope: 'run', unit: 'turns', limit: 10, wouldBe: 11 }],
    [
      'what was spent counts',
      { run: usage(9.5, 0, 0, 0) },
      usage(1, 0, 0, 0),
      { scope: 'run', unit: 'usd', limit: 10, wouldBe: 10.5 },
    ],
    ['spent up, free call', { run: usage(10, 1_000, 0, 10) }, noUsage, null],
    [
      'the issue only',
      { issue: usage(20, 0, 0, 0) },
      usage(1, 0, 0, 0),
      { scope: 'issue', unit: 'usd', limit: 20, wouldBe: 21 },
    ],
    [
      'the day only',
      { day: usage(0, 2_990, 0, 0) },
      usage(0, 20, 0, 0),
      { scope: 'day', unit: 'tokens', limit: 3_000, wouldBe: 3_010 },
    ],
    [
      'the narrowest span is named first',
      { run: usage(10, 0, 0, 0), issue: usage(20, 0, 0, 0), day: usage(30, 0, 0, 0) },
      usage(1, 0, 0, 0),
      { scope: 'run', unit: 'usd', limit: 10, wouldBe: 11 },
    ],
  ])('%s', (_, spent, next, breach) => {
    expect(findBreach(budget, { ...nothing, ...spent }, next)).toEqual(breach);
  });

  it('finds a breach exactly when some total is above its limit', () => {
    const amount = fc.record({
      costUsd: fc.integer({ min: 0, max: 12 }),
      inputTokens: fc.integer({ min: 0, max: 600 }),
      outputTokens: fc.integer({ min: 0, max: 600 }),
      turns: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(fc.record({ run: amount, issue: amount, day: amount }), amount, (spent, next) => {
        const isOver = (['run', 'issue', 'day'] as const).some(
          (scope) =>
            spent[scope].costUsd + next.costUsd > budget[scope].usd ||
            spent[scope].inputTokens + spent[scope].outputTokens + next.inputTokens + next.outputTokens >
              budget[scope].tokens ||
            spent[scope].turns + next.turns > budget[scope].turns,
        );
        expect(findBreach(budget, spent, next) !== null).toBe(isOver);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});

describe('estimateCall', () => {
  it.each([
    [0, null, usage(0, 6_000, 1_800, 1)],
    [4_000, null, usage(0, 7_200, 2_160, 1)],
    [1, null, usage(0, 6_001, 1_801, 1)],
    [4_000, flatPrice(10, 100), usage(0.288, 7_200, 2_160, 1)],
  ])('of %i characters at %j', (characters, price, expected) => {
    expect(estimateCall(characters, price)).toEqual(expected);
  });

  it('never falls when the prompt grows, and is above a quarter token a character', () => {
    const price = flatPrice(3, 15);
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000), (characters, more) => {
        const estimate = estimateCall(characters, price);
        const larger = estimateCall(characters + more, price);
        expect(estimate.inputTokens).toBeGreaterThan(characters / 4);
        expect(larger.inputTokens).toBeGreaterThanOrEqual(estimate.inputTokens);
        expect(larger.costUsd).toBeGreaterThanOrEqual(estimate.costUsd);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});

describe('boundTurn', () => {
  it.each([
    ['without a price', 7, null, usage(0, 7, 32_000, 1)],
    [
      'with what was read and the longest answer at their prices',
      1_000_000,
      flatPrice(3, 15),
      usage(3.48, 1_000_000, 32_000, 1),
    ],
    ['with nothing read', 0, flatPrice(3, 15), usage(0.48, 0, 32_000, 1)],
  ])('is the most that a turn can have cost, %s', (_, readTokens, price, expected) =>
    expect(boundTurn(readTokens, price)).toEqual(expected),
  );
});

describe('addUsage', () => {
  it('adds each amount', () => {
    expect(addUsage(usage(1, 2, 3, 4), usage(10, 20, 30, 40))).toEqual(usage(11, 22, 33, 44));
    expect(addUsage(noUsage, noUsage)).toEqual(noUsage);
  });
});

describe('limitsLeft', () => {
  it('is what the tightest budget has left', () => {
    const spent = {
      run: { ...noUsage, turns: 1, costUsd: 4 },
      issue: noUsage,
      day: { ...noUsage, turns: defaultBudget.day.turns - 2 },
    };
    expect(limitsLeft(defaultBudget, spent)).toEqual({ usd: 1, turns: 2 });
  });
});
