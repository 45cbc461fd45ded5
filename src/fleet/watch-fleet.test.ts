/** Which stopped runs a watch takes up by itself: those that only time, or whoever stopped the last watch, held up. */
import { describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { RunStatus, RunSummary, StopReason } from '../domain/ledger/run.ts';
import { isDueToResume, watchFleet } from './watch-fleet.ts';

const now = new Date('2026-11-15T12:00:00.000Z');

function run(
  status: RunStatus,
  reason: Partial<StopReason>,
  changedAt = '2026-11-15T11:00:00.000Z',
): RunSummary {
  return {
    id: 'R',
    subject: 'o/r#1',
    request: {
      ...{ workflow: 'agent', agent: 'implementer', title: 'T', repository: 'o/r', root: '/r' },
      ...{ delivery: 'd', number: 1, dryRun: false },
    },
    status,
    reason: { code: 'internal', message: '', owner: 'person', resume: '', ...reason },
    ...{
      result: null,
      startedAt: changedAt,
      changedAt,
      costUsd: 0,
      costAtMostUsd: 0,
      node: null,
      isDismissed: false,
    },
  };
}

describe('isDueToResume', () => {
  it.each<[string, RunSummary, boolean]>([
    ['done', run('done', { code: 'finished' }), false],
    ['running', run('running', {}), false],
    ['stopped with the last watch', run('waiting', { code: 'cancelled' }), true],
    ['out of quota until later', run('paused', { owner: 'time', until: '2026-11-15T12:00:01.000Z' }), false],
    ['out of quota until now', run('paused', { owner: 'time', until: '2026-11-15T12:00:00.000Z' }), true],
    ['a model that was away an hour ago', run('blocked', { code: 'model-unavailable', owner: 'time' }), true],
    [
      'a model that was away a minute ago',
      run('blocked', { code: 'model-unavailable', owner: 'time' }, '2026-11-15T11:59:00.000Z'),
      false,
    ],
    ['waiting for a person', run('blocked', { code: 'budget-exceeded' }), false],
  ])('%s', (_, summary, isDue) => {
    expect(isDueToResume(summary, now)).toBe(isDue);
  });
});

describe('watchFleet', () => {
  it('takes deliveries and handles them while schedules cannot be written', async () => {
    const world = await FleetWorld.open();
    const event = world.event('comment-created', {
      ...{ number: 1, isPullRequest: false, comment: 7, text: 'Nice.', delivery: 'd-1', actor: 'alice' },
    });
    const waiting: FleetEvent[] = [event];
    const end = new AbortController();
    const [settled, troubles]: [string[], unknown[]] = [[], []];
    await watchFleet(world.house, null, {
      ...{ own: 'gatewright[bot]', signal: end.signal, workers: 1, pollMilliseconds: 10 },
      inbox: {
        next: async () => [...waiting],
        taken: async () => void waiting.splice(0),
        yieldToReceiver: async () => false,
      },
      dueEvents: async () => {
        throw new Error('The chain of a schedule was tampered with.');
      },
      onEvent: () => undefined,
      onSettled: (outcome) => {
        settled.push(outcome.event.delivery);
        end.abort();
      },
      onTrouble: (error) => troubles.push(error),
    });
    expect(settled).toEqual(['d-1']);
    expect(troubles.length).toBeGreaterThan(0);
    await world.remove();
  });
});
