import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import {
  findOwnBase,
  findToldPlace,
  findWay,
  listOwnMoves,
  type OwnMove,
  type ToldLabel,
} from './merge-grant.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((one) => one.repeat(40)) as [string, string, string, string];
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const told = (second: number, head: string | null, more: object = {}) => ({
  ...{ label: 'auto-merge', actor: 'alice', at: at(second), head, base: 'main' },
  ...more,
});
const set = { label: 'auto-merge', actor: 'alice', at: at(100) };

type Told = Parameters<typeof findToldPlace>;
const findToldHead = (...args: Told): string | null => findToldPlace(...args)?.head ?? null;

describe('findToldPlace', () => {
  it.each([
    ['nothing was told', [], null],
    ['it was told', [told(100, a)], a],
    ['it was told in other letters', [told(101, a, { label: 'Auto-Merge', actor: 'Alice' })], a],
    ['another account set it', [told(100, a, { actor: 'eve' })], null],
    ['another label was set', [told(100, a, { label: 'bug' })], null],
    ['the head was not told', [told(100, null)], null],
    ['it was a minute before', [told(40, a)], a],
    ['it was longer before', [told(39, a)], null],
    ['it was longer after', [told(161, a)], null],
    ['it was set twice, and the nearer one counts', [told(70, a), told(99, b), told(130, c)], b],
    ['two are as near and say the same', [told(99, a), told(101, a)], a],
    ['two are as near and differ', [told(99, a), told(101, b)], null],
    ['two are as near and one does not know', [told(100, a), told(100, null)], null],
  ])('when %s', (_, deliveries, expected) => expect(findToldHead(set, [set], deliveries)).toBe(expected));

  it('tells the base with the head, and nothing when two that are as near name two bases', () => {
    const other: ToldLabel = told(101, a, { base: 'release' });
    expect(findToldPlace(set, [set], [other])).toEqual({ head: a, base: 'release' });
    expect(findToldPlace(set, [set], [told(99, a), other])).toBeNull();
    expect(findToldPlace(set, [set], [told(99, a, { base: null })])).toEqual({ head: a, base: null });
  });

  it('does not take what was told of an earlier setting for word of a later one', () => {
    const later = { ...set, at: at(120) };
    expect(findToldHead(later, [set, later], [told(100, a)])).toBeNull();
    expect(findToldHead(set, [set, later], [told(100, a)])).toBe(a);
    expect(findToldHead(later, [set, later], [told(101, a), told(121, b)])).toBe(b);
    // The one between them came late, and belongs to the nearer.
    expect(findToldHead(later, [set, later], [told(111, b)])).toBe(b);
    expect(findToldHead(set, [set, later], [told(111, b)])).toBeNull();
  });
});

const push = (from: string, to: string, isFix = true): OwnMove => ({ kind: 'push', from, to, isFix });
const update = (from: string, to: string): OwnMove => ({ kind: 'update', from, to, isFix: false });

describe('findWay', () => {
  it.each<[string, 'us' | 'person' | 'program', string | null, OwnMove[], number | null]>([
    ['it is the very head', 'person', d, [], 0],
    ['its head is not known', 'person', null, [push(a, d)], null],
    ['others pushed', 'person', a, [], null],
    ['others pushed to what we labelled', 'us', a, [], null],
    ['the fixer pushed', 'person', a, [push(a, d)], 1],
    ['the fixer pushed twice', 'program', a, [push(a, b), push(b, d)], 2],
    ['others pushed, then the fixer', 'person', a, [push(b, d)], null],
    ['the fixer pushed, then others', 'person', a, [push(a, b)], null],
    ['we pushed because we were ordered to', 'person', a, [push(a, d, false)], null],
    ['the same on what we labelled ourselves', 'us', a, [push(a, d, false)], 1],
    ['it was brought up to date', 'person', a, [update(a, d)], 1],
    ['and corrected', 'person', a, [update(a, b), push(b, c), update(c, d)], 3],
    ['it goes round in a circle', 'person', a, [push(c, d), push(d, c)], null],
    ['a move that moves nothing', 'person', a, [push(d, d)], null],
  ])('when %s', (_, by, head, moves, expected) =>
    expect(findWay({ by, head }, d, moves)?.length ?? null).toBe(expected),
  );

  it('ends, whatever moves there are, and each leads to the next', () => {
    const one = fc.constantFrom(a, b, c, d);
    const move = fc.record({
      kind: fc.constantFrom('push', 'update'),
      from: one,
      to: one,
      isFix: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(move as fc.Arbitrary<OwnMove>), one, (moves, head) => {
        const way = findWay({ by: 'person', head }, d, moves);
        if (way === null) return;
        let now = head;
        for (const step of way) {
          expect(step.from).toBe(now);
          expect(step.kind === 'update' || step.isFix).toBe(true);
          now = step.to;
        }
        expect(now).toBe(d);
      }),
    );
  });
});

describe('listOwnMoves', () => {
  const entry = (kind: string, run: string, key: string | null, data: object): LedgerEntry =>
    ({ kind, run, key, data, subject: 'x#1', seq: 1, at: at(0), actor: '', previous: '', hash: '' }) as never;
  const started = (run: string, kind: string, agent = 'implementer') => [
    entry('event-received', '', `d-${run}`, { kind, actor: 'alice', event: '' }),
    entry('run-started', run, null, {
      request: { workflow: 'agent', agent, delivery: `d-${run}`, number: 1, dryRun: false },
    }),
  ];
  const effect = (run: string, key: string, what: object, result: object | null, dryRun = false) => [
    entry('effect-intended', run, key, { effect: what, dryRun }),
    ...(result === null ? [] : [entry('effect-receipted', run, key, { result, found: false })]),
  ];
  const pushed = { kind: 'push-branch', branch: 'work', commit: b, expected: a };

  it('tells corrections from work on an order, and counts only what was done here', () => {
    const entries = [
      ...started('R1', 'handed-on'),
      ...effect('R1', 'R1/push#1', pushed, { commit: b }),
      ...started('R2', 'comment-created'),
      ...effect('R2', 'R2/push#1', { ...pushed, commit: c, expected: b }, { commit: c }),
      ...effect('R3', 'R3/update#1', { kind: 'update-branch', number: 1, head: c }, { head: d }),
      // Not done, of another branch or pull request, the first push of a branch, a dry run.
      ...effect('R4', 'R4/push#1', { ...pushed, commit: 'x' }, null),
      ...effect('R5', 'R5/push#1', { ...pushed, branch: 'other' }, { commit: b }),
      ...effect('R6', 'R6/update#1', { kind: 'update-branch', number: 2, head: a }, { head: c }),
      ...effect('R7', 'R7/push#1', { ...pushed, expected: null }, { commit: b }),
      ...effect('R8', 'R8/push#1', pushed, { commit: b }, true),
      // Effects of other kinds that carry the same fields.
      ...effect('R9', 'R9/branch#1', { ...pushed, kind: 'create-branch' }, { commit: b }),
      ...effect('R10', 'R10/merge#1', { kind: 'merge-pull-request', number: 1, head: a }, { head: d }),
    ];
    expect(listOwnMoves(entries, 1, 'work')).toEqual([push(a, b), push(b, c, false), update(c, d)]);
  });

  it('takes a run of another agent that was handed on for no correction', () => {
    const entries = [
      ...started('R1', 'handed-on', 'reviewer'),
      ...effect('R1', 'R1/push#1', pushed, { commit: b }),
    ];
    expect(listOwnMoves(entries, 1, 'work')).toEqual([push(a, b, false)]);
  });

  it('knows the base of what we opened, and of nothing else', () => {
    const opened = { kind: 'create-pull-request', head: 'work', base: 'release' };
    const entries = [
      ...effect('R1', 'R1/issue#1', { kind: 'create-issue', base: 'no' }, { number: 1 }),
      ...effect('R2', 'R2/open#1', { ...opened, base: 'dry' }, { number: 1 }, true),
      ...effect('R3', 'R3/open#1', { ...opened, base: 'undone' }, null),
      ...effect('R4', 'R4/open#1', { ...opened, base: 'another' }, { number: 2 }),
      ...effect('R5', 'R5/open#1', opened, { number: 1 }),
    ];
    expect(findOwnBase(entries, 1)).toBe('release');
    expect(findOwnBase(entries, 2)).toBe('another');
    expect(findOwnBase(entries.slice(0, 6), 1)).toBeNull();
  });
});
