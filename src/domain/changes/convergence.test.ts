import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../test/support/processor-time.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { type ChangedLines, describeConvergence, judgeConvergence, type Round } from './convergence.ts';
import type { ReviewFinding } from './review-finding.ts';

function finding(id: string, more: Partial<ReviewFinding> = {}): ReviewFinding {
  return {
    ...{ id, path: 'src/a.ts', line: 10, severity: 'major', category: 'bug' },
    // A title of its own, unlike the others.
    ...{ title: `${id}1 ${id}2 ${id}3`, detail: '', ...more },
  };
}

const round = (...findings: ReviewFinding[]): Round => ({ kind: 'reviewed', findings });
const named = (ids: string): Round => round(...[...ids].map((id) => finding(id)));
const unreadable: Round = { kind: 'unreadable', why: 'no JSON' };
const minor = finding('m', { severity: 'minor' });

describe('judgeConvergence', () => {
  it.each<[string, Round[], string]>([
    ['nothing yet', [], 'converging'],
    ['one review', [named('ab')], 'converging'],
    ['the same again', [named('ab'), named('ab')], 'stagnant: a b'],
    ['the same in another order', [named('ab'), named('ba')], 'stagnant: a b'],
    ['all settled', [named('ab'), round()], 'converging'],
    ['only remarks, twice', [round(minor), round(minor)], 'converging'],
    ['graver ones are remarks now', [named('a'), round(finding('a', { severity: 'minor' }))], 'converging'],
    ['one of two settled', [named('ab'), named('a')], 'converging'],
    ['one of three settled, one new', [named('abc'), named('abd')], 'stagnant: a b'],
    ['half are new', [named('ab'), named('ac')], 'converging'],
    ['fewer, though mostly the old ones', [named('abcd'), named('abc')], 'converging'],
    ['all new', [named('ab'), named('cd')], 'converging'],
    ['none settled, more on top', [named('a'), named('abcd')], 'stagnant: a'],
    ['progress, then the same again', [named('ab'), named('b'), named('b')], 'stagnant: b'],
    ['the same as before the round before', [named('a'), named('b'), named('a')], 'converging'],
    ['a review that could not be read', [named('a'), unreadable], 'converging'],
    ['two of them', [named('a'), unreadable, unreadable], 'reviewer-fault'],
    ['two of them, not in a row', [unreadable, named('a'), unreadable], 'converging'],
    ['two of them, then one that could', [unreadable, unreadable, named('a')], 'converging'],
    ['the same across an unreadable one', [named('a'), unreadable, named('a')], 'stagnant: a'],
  ])('%s', (_, rounds, expected) => {
    const judged = judgeConvergence(rounds);
    const findings = judged.kind === 'stagnant' ? judged.findings : [];
    expect(
      [`${judged.kind}${findings.length === 0 ? '' : ':'}`, ...findings.map(({ id }) => id)].join(' '),
    ).toBe(expected);
  });

  it('knows a finding whose line was touched by its words', () => {
    const before = finding('a', { title: 'The last item of the list is left out' });
    const now = finding('b', { title: 'The last item of a list is left out', line: 14 });
    expect(judgeConvergence([round(before), round(now)])).toEqual({ kind: 'stagnant', findings: [now] });
  });

  const missing = finding('a', { title: 'Missing null check' });
  const unneeded = finding('b', { title: 'Unneeded null check', line: 11 });
  const contradiction = { kind: 'contradictory', pairs: [{ earlier: missing, now: unneeded }] };

  it.each<[string, Round[], object | null]>([
    ['at once', [round(missing), round(unneeded)], contradiction],
    ['a round later', [round(missing), named('x'), round(unneeded)], contradiction],
    [
      'at the same line, in nearly the same words',
      [
        round(finding('a', { title: 'The null check of the user name is missing here' })),
        round(finding('a', { title: 'The null check of the user name is unneeded here' })),
      ],
      { kind: 'contradictory' },
    ],
    ['beside findings that stayed', [round(missing, minor), round(unneeded, minor)], contradiction],
    ['not while the first is still there', [round(missing), round(missing, unneeded)], null],
    ['not when both stood there from the beginning', [round(missing, unneeded), round(unneeded)], null],
    ['not by a remark', [round(missing), round({ ...unneeded, severity: 'minor' })], null],
    ['not of a remark', [round({ ...missing, severity: 'minor' }), round(unneeded)], null],
  ])('finds the opposite of before: %s', (_, rounds, expected) => {
    const judged = judgeConvergence(rounds);
    if (expected === null) expect(judged.kind).not.toBe('contradictory');
    else expect(judged).toMatchObject(expected);
  });

  describe('with the lines that changed', () => {
    const change = (added: string[], removed: string[], path = 'src/a.ts'): ChangedLines[] => [
      { path, added, removed },
    ];
    const corrected = (ids: string, lines: ChangedLines[]): Round =>
      ({ ...named(ids), change: lines }) as Round;
    const done = change(['  return cache.get(key);', '}'], ['  return load(key);', '}']);
    const undone = change(['return load(key);'], ['return cache.get(key);']);

    it('finds one that is back because settling another took its correction back', () => {
      const judged = judgeConvergence([named('a'), corrected('b', done), corrected('a', undone)]);
      expect(judged).toEqual({
        kind: 'contradictory',
        pairs: [{ earlier: finding('b'), now: finding('a') }],
      });
    });

    it.each<[string, Round[]]>([
      ['what is back is something else', [named('a'), corrected('b', done), corrected('c', undone)]],
      ['nothing was taken back', [named('a'), corrected('b', done), corrected('a', change(['more()'], []))]],
      [
        'only brackets came back',
        [named('a'), corrected('b', change(['}'], ['{'])), corrected('a', change(['{'], ['}']))],
      ],
      [
        'another file',
        [named('a'), corrected('b', done), corrected('a', change([], ['return cache.get(key);'], 'b'))],
      ],
      [
        'nothing was asked for in between',
        [named('a'), { ...round(), change: done } as Round, corrected('a', undone)],
      ],
      [
        'what was asked for in between is still there',
        [named('a'), corrected('b', done), corrected('ab', undone)],
      ],
      ['the lines are not known', [named('a'), named('b'), named('a')]],
    ])('and not when %s', (_, rounds) => {
      expect(judgeConvergence(rounds).kind).not.toBe('contradictory');
    });
  });

  const titles = [
    ...['Missing null check', 'Unneeded null check', 'The pattern is too strict', 'The pattern is too loose'],
    ...['readConfig should be async', 'readConfig should be synchronous', 'Off by one', 'Leaks a handle'],
  ];
  const anyFinding: fc.Arbitrary<ReviewFinding> = fc.record({
    id: fc.constantFrom(...'abcdefgh'),
    path: fc.constantFrom('src/a.ts', 'src/b.ts'),
    line: fc.constantFrom(null, 10, 11, 60),
    severity: fc.constantFrom('critical', 'major', 'minor'),
    category: fc.constantFrom('bug', 'style'),
    title: fc.constantFrom(...titles),
    detail: fc.constantFrom('', 'Why.'),
  });
  const findings = fc.uniqueArray(anyFinding, { selector: ({ id }) => id, maxLength: 6 });
  const anyRound: fc.Arbitrary<Round> = fc.oneof(
    { weight: 5, arbitrary: findings.map((list): Round => round(...list)) },
    { weight: 1, arbitrary: fc.constant(unreadable) },
  );
  const rounds = fc.array(anyRound, { maxLength: 5 });

  it('never calls the same review a contradiction of itself', () => {
    fc.assert(
      fc.property(findings, fc.integer({ min: 1, max: 4 }), (list, count) => {
        const { kind } = judgeConvergence(Array.from({ length: count }, () => round(...list)));
        const isBlocking = list.some(({ severity }) => severity !== 'minor');
        expect(kind).toBe(isBlocking && count > 1 ? 'stagnant' : 'converging');
      }),
      { numRuns: propertyRuns(5000) },
    );
  });

  it('does not depend on the order inside of a round', () => {
    const turned = (list: readonly Round[]): Round[] =>
      list.map((one) => (one.kind === 'reviewed' ? { ...one, findings: [...one.findings].reverse() } : one));
    fc.assert(
      fc.property(rounds, (list) => {
        expect(judgeConvergence(turned(list))).toEqual(judgeConvergence(list));
      }),
      { numRuns: propertyRuns(5000) },
    );
  });

  it('lets work go on whose last review blocks nothing, and blames only findings of the last review', () => {
    fc.assert(
      fc.property(rounds, (list) => {
        const last = list.at(-1);
        const judged = judgeConvergence(list);
        const blocking =
          last?.kind === 'reviewed' ? last.findings.filter(({ severity }) => severity !== 'minor') : [];
        if (judged.kind === 'stagnant')
          for (const one of judged.findings) expect(blocking).toContainEqual(one);
        if (judged.kind === 'contradictory')
          for (const { now } of judged.pairs) expect(blocking).toContainEqual(now);
        if (last?.kind === 'reviewed' && blocking.length === 0) expect(judged.kind).toBe('converging');
        expect(judged.kind === 'reviewer-fault').toBe(
          last?.kind === 'unreadable' && list.at(-2)?.kind === 'unreadable',
        );
      }),
      { numRuns: propertyRuns(5000) },
    );
  });

  it('counts remarks for nothing', () => {
    const without = (list: readonly Round[]): Round[] =>
      list.map((one) =>
        one.kind === 'reviewed' ? round(...one.findings.filter(({ severity }) => severity !== 'minor')) : one,
      );
    fc.assert(
      fc.property(rounds, (list) => {
        expect(judgeConvergence(without(list))).toEqual(judgeConvergence(list));
      }),
      { numRuns: propertyRuns(5000) },
    );
  });

  it('judges fifty findings of three rounds in no time', () => {
    const title = 'Missing null check of the name that is too strict and should be async '.repeat(2);
    const large = (letter: string): Round =>
      round(...Array.from({ length: 50 }, (_, line) => finding(`${letter}${line}`, { line, title })));
    const rounds = [...'abc'].map(large);
    expect(processorMilliseconds(() => judgeConvergence(rounds))).toBeLessThan(3000);
  });
});

describe('describeConvergence', () => {
  it('has words and a next step of its own for each', () => {
    const [a, b] = [finding('a'), finding('b')];
    const said = [
      describeConvergence({ kind: 'stagnant', findings: [a, b] }),
      describeConvergence({ kind: 'contradictory', pairs: [{ earlier: a, now: b }] }),
      describeConvergence({ kind: 'reviewer-fault', why: 'no JSON' }),
    ];
    expect(said.map(({ what }) => what)).toEqual([
      'the review finds the same as before the last correction (a, b)',
      'the review asks for the opposite of what it asked for before (b against a)',
      'the answer of the reviewer could not be read twice in a row',
    ]);
    expect(new Set(said.map(({ next }) => next)).size).toBe(3);
  });
});
