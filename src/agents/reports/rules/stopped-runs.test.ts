import { describe, expect, it } from 'vitest';
import type { RunStatus, RunSummary, StopReason } from '../../../domain/ledger/run.ts';
import { agentRunsIn, explainStuck, listStuck } from './stopped-runs.ts';

const reason: StopReason = {
  code: 'internal',
  message: '/home/secret @all',
  owner: 'person',
  resume: 'x --database /y',
};

function run(id: string, status: RunStatus, more: object = {}, subject = 'o/r#1'): RunSummary {
  const request = {
    workflow: 'agent',
    agent: 'implementer',
    repository: 'o/r',
    number: 1,
    dryRun: false,
    ...more,
  };
  return {
    id,
    subject,
    request,
    status,
    reason: status === 'running' ? null : reason,
  } as unknown as RunSummary;
}

const stuckOf = (...runs: RunSummary[]) => listStuck(agentRunsIn(runs, 'o/r')).map(({ id }) => id);

describe('listStuck', () => {
  it.each<[string, RunSummary[], string[]]>([
    ['one that failed', [run('a', 'failed')], ['a']],
    ['one that is blocked', [run('a', 'blocked')], ['a']],
    ['not one that works or is done', [run('a', 'running'), run('b', 'done', { agent: 'reviewer' })], []],
    ['not one after which another came through', [run('b', 'done'), run('a', 'failed')], []],
    ['one that failed again', [run('b', 'failed'), run('a', 'done')], ['b']],
    [
      'each agent and subject by itself',
      [run('b', 'done', { agent: 'reviewer' }), run('a', 'failed')],
      ['a'],
    ],
    ['none of another repository', [run('a', 'failed', { repository: 'o/x' })], []],
    ['no dry run', [run('a', 'failed', { dryRun: true })], []],
    ['no run of a person', [run('a', 'failed', { workflow: 'issue' })], []],
    ['not what only waits for time', [{ ...run('a', 'paused'), reason: { ...reason, owner: 'time' } }], []],
  ])('has %s', (_, runs, stuck) => expect(stuckOf(...runs)).toEqual(stuck));
});

it('explains without anything that is nobody’s business', () => {
  const [one] = agentRunsIn([run('agent-1', 'failed')], 'o/r');
  expect(one && explainStuck(one)).toBe(
    'implementer stopped (`internal`); `gatewright dispatch --resume agent-1` continues it',
  );
});
