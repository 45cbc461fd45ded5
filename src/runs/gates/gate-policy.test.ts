/** When no person is asked: every combination of mode and decision that matters, so that none approves by accident. */
import { describe, expect, it } from 'vitest';
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import type { Decision } from '../../domain/drafts/verdict.ts';
import { GatewrightError } from '../../errors.ts';
import { answerByPolicy, type RunMode } from './gate-policy.ts';

function question(kind: GateQuestion['kind'], more: Partial<GateQuestion> = {}): GateQuestion {
  return {
    id: 'G1',
    kind,
    title: 't',
    iteration: 1,
    drafts: 1,
    verdicts: 1,
    artefacts: [],
    choices: [],
    ...more,
  };
}

function mode(...on: (keyof RunMode)[]): RunMode {
  return { auto: on.includes('auto'), testMode: on.includes('testMode'), strict: on.includes('strict') };
}

/** `choice by`, `ask` when a person has to decide, or the code of what was thrown. */
function decide(asked: GateQuestion, how: RunMode, decision: Decision | null): string {
  try {
    const answer = answerByPolicy(asked, how, decision);
    return answer === null ? 'ask' : `${answer.choice} ${answer.by}`;
  } catch (error) {
    if (error instanceof GatewrightError) return error.code;
    throw error;
  }
}

describe('the draft gate', () => {
  it.each<[string, RunMode, boolean, string]>([
    ['as usual', mode(), false, 'ask'],
    ['strict', mode('strict'), false, 'ask'],
    ['auto', mode('auto'), false, 'send auto'],
    ['auto and strict', mode('auto', 'strict'), false, 'send auto'],
    ['test mode', mode('testMode'), false, 'send test-mode'],
    ['test mode and auto', mode('testMode', 'auto'), false, 'send test-mode'],
    ['as usual, unchanged', mode(), true, 'ask'],
    ['auto, unchanged', mode('auto'), true, 'no-progress'],
    ['test mode, unchanged', mode('testMode', 'auto'), true, 'send test-mode'],
  ])('%s', (_, how, isUnchanged, expected) => {
    for (const decision of ['APPROVED', 'REVISE', 'DISCUSS', null] as const)
      expect(decide(question('draft', { isUnchanged }), how, decision)).toBe(expected);
  });

  it.each<[string, RunMode, string]>([
    ['as usual', mode(), 'ask'],
    ['auto', mode('auto'), 'ask'],
    ['test mode', mode('testMode'), 'send test-mode'],
  ])('with an open question: %s', (_, how, expected) => {
    expect(decide(question('draft', { questions: ['Which file?'] }), how, null)).toBe(expected);
    expect(decide(question('draft', { questions: ['x'], isUnchanged: true }), how, null)).toBe(expected);
  });

  it('says why there is no progress', () => {
    const asked = question('draft', { isUnchanged: true, because: 'Claude returned the draft unchanged' });
    expect(() => answerByPolicy(asked, mode('auto'), null)).toThrow('Claude returned the draft unchanged');
  });
});

describe('the verdict gate', () => {
  it.each<[string, RunMode, Decision | null, string]>([
    ['as usual', mode(), 'APPROVED', 'approve verdict'],
    ['as usual', mode(), 'REVISE', 'revise verdict'],
    ['as usual', mode(), 'DISCUSS', 'ask'],
    ['as usual', mode(), null, 'ask'],
    ['auto', mode('auto'), 'APPROVED', 'approve verdict'],
    ['auto', mode('auto'), 'REVISE', 'revise verdict'],
    ['auto', mode('auto'), 'DISCUSS', 'verdict-undecided'],
    ['auto', mode('auto'), null, 'verdict-undecided'],
    ['strict', mode('strict'), 'APPROVED', 'ask'],
    ['strict', mode('strict'), 'REVISE', 'ask'],
    ['strict', mode('strict'), 'DISCUSS', 'ask'],
    ['strict', mode('strict'), null, 'ask'],
    ['strict and auto', mode('strict', 'auto'), 'APPROVED', 'ask'],
    ['strict and auto', mode('strict', 'auto'), null, 'ask'],
    ['test mode', mode('testMode'), 'APPROVED', 'approve test-mode'],
    ['test mode', mode('testMode'), 'REVISE', 'approve test-mode'],
    ['test mode', mode('testMode'), 'DISCUSS', 'approve test-mode'],
    ['test mode', mode('testMode'), null, 'approve test-mode'],
    ['test mode and strict', mode('testMode', 'strict'), 'REVISE', 'approve test-mode'],
  ])('%s, mode %j, verdict %s: %s', (_, how, decision, expected) => {
    expect(decide(question('verdict'), how, decision)).toBe(expected);
  });

  it('tells a reviewer who wants to discuss from a verdict that cannot be read', () => {
    expect(() => answerByPolicy(question('verdict'), mode('auto'), 'DISCUSS')).toThrow('asks for a person');
    expect(() => answerByPolicy(question('verdict'), mode('auto'), null)).toThrow('exactly one box');
  });
});

describe('what only a person may answer', () => {
  const modes = [mode(), mode('auto'), mode('strict'), mode('testMode'), mode('auto', 'testMode', 'strict')];
  const decisions = ['APPROVED', 'REVISE', 'DISCUSS', null] as const;

  it.each<[string, GateQuestion]>([
    ['a draft that has to be asked about', question('draft', { mustAsk: true })],
    [
      'an unchanged draft that has to be asked about',
      question('draft', { mustAsk: true, isUnchanged: true }),
    ],
    ['a verdict that has to be asked about', question('verdict', { mustAsk: true })],
    ['filing', question('filing')],
    ['filing that has to be asked about', question('filing', { mustAsk: true })],
  ])('%s', (_, asked) => {
    for (const how of modes)
      for (const decision of decisions) expect(decide(asked, how, decision)).toBe('ask');
  });
});
