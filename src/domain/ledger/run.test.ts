import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import {
  type AgentRequest,
  isAgentRun,
  isAuthoringRun,
  matchRequest,
  nameOfRun,
  type RunRequest,
  type RunSummary,
  withoutOvertaken,
} from './run.ts';
import { issueSubject } from './subject.ts';

function makeRun(id: string, agent: AgentRequest['agent'], number: number): RunSummary<AgentRequest> {
  return {
    id,
    subject: issueSubject('local/project', number),
    request: {
      workflow: 'agent',
      agent,
      title: `a comment on #${number}`,
      repository: 'local/project',
      root: '/project',
      delivery: id,
      number,
      dryRun: false,
    },
    status: 'blocked',
    reason: null,
    result: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    changedAt: '2026-01-01T00:00:00.000Z',
    costUsd: 0,
    costAtMostUsd: 0,
    node: null,
    isDismissed: false,
  };
}

describe('runs of agents in lists', () => {
  it('say whose they are', () => {
    expect(nameOfRun(makeRun('a', 'reviewer', 2))).toBe('reviewer: a comment on #2');
  });

  it('count only while no later run of the same agent is about the same thing', () => {
    const runs = [
      makeRun('newest', 'implementer', 1),
      makeRun('another agent', 'reviewer', 1),
      makeRun('another issue', 'implementer', 2),
      makeRun('overtaken', 'implementer', 1),
    ];
    expect(withoutOvertaken(runs).map(({ id }) => id)).toEqual(['newest', 'another agent', 'another issue']);
  });
});

describe('a run of a kind that this version does not know', () => {
  const run = makeRun('a', 'reviewer', 2);
  const request = { ...run.request, workflow: 'unheard-of' } as unknown as RunRequest;

  it('is taken for none of those that it knows', () => {
    expect([isAgentRun({ ...run, request }), isAuthoringRun({ ...run, request })]).toEqual([false, false]);
    const name = () =>
      matchRequest(request, {
        authoring: () => 'authoring',
        agent: () => 'agent',
        loop: () => 'loop',
        pipeline: () => 'pipeline',
      });
    expect(thrownCode(name)).toBe('internal');
  });
});
