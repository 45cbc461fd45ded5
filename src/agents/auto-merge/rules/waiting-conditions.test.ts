import { describe, expect, it } from 'vitest';
import { agentNames } from '../../../domain/fleet/agent-names.ts';
import { remedies, type UnmetCondition } from './merge-conditions.ts';
import { listWaiting } from './waiting-conditions.ts';

const unmet = (...codes: UnmetCondition['code'][]): UnmetCondition[] =>
  codes.map((code) => ({ code, what: `it is ${code}`, who: 'x' }));
const codesOf = (
  isOurs: boolean,
  agents: readonly (typeof agentNames)[number][],
  ...codes: UnmetCondition['code'][]
) => listWaiting(unmet(...codes), { isOurs, agents }).map(({ code }) => code);

describe('what a pull request waits for that only a person can do', () => {
  it.each<[string, boolean, readonly UnmetCondition['code'][], readonly string[]]>([
    ['nothing', false, [], []],
    ['labels and approvals', false, ['label-outdated', 'held'], ['label-outdated', 'held']],
    ['red checks, not checks that run', false, ['check-failed', 'check-pending'], ['check-failed']],
    ['nothing before its review', false, ['label-missing', 'not-reviewed'], []],
    ['findings on the work of others', false, ['issues-found'], ['issues-found']],
    ['no findings on ours, which are corrected', true, ['issues-found', 'held'], []],
    ['conflicts of others', false, ['conflict', 'held'], ['conflict', 'held']],
    ['time', false, ['mergeable-unknown', 'check-pending'], []],
  ])('%s', (_, isOurs, codes, expected) => expect(codesOf(isOurs, agentNames, ...codes)).toEqual(expected));

  it('is everything, where no agent does its part', () => {
    expect(codesOf(true, ['auto-merge'], 'not-reviewed', 'held', 'conflict')).toEqual(['held', 'conflict']);
    expect(codesOf(true, ['auto-merge'], 'issues-found')).toEqual(['issues-found']);
  });

  it('says what to do, and no more than fits a line', () => {
    const [one] = listWaiting([{ code: 'held', what: 'x'.repeat(5000), who: 'y' }], {
      isOurs: false,
      agents: [],
    });
    expect(one).toEqual({ code: 'held', what: 'x'.repeat(300), how: remedies.held });
  });
});
