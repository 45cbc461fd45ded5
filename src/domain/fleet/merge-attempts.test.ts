import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import type { FleetEvent } from './event.ts';
import { countMergeAttempts, findMergeLimit } from './merge-attempts.ts';

let seq = 0;
const entry = (run: string, kind: string, data: unknown) =>
  ({ seq: ++seq, run, kind, key: null, data }) as unknown as LedgerEntry;
const started = (run: string, delivery: string, agent = 'auto-merge', dryRun = false) =>
  entry(run, 'run-started', { request: { workflow: 'agent', agent, delivery, dryRun } });
const limit = (what = 'merge') => entry('R', 'limit-reached', { what, limit: 4 });
const event = (delivery: string) => ({ kind: 'handed-on', delivery }) as FleetEvent;

describe('countMergeAttempts', () => {
  it.each<[string, LedgerEntry[], string, number]>([
    ['somebody else’s event', [started('A', 'd-1')], 'd-2', 1],
    ['handed on once', [started('A', 'd-1')], 'handoff/A/0', 2],
    ['handed on twice', [started('A', 'd-1'), started('B', 'handoff/A/0')], 'handoff/B/0', 3],
    [
      'an event in between',
      [started('A', 'd-1'), started('B', 'handoff/A/0'), started('C', 'd-2')],
      'handoff/C/0',
      2,
    ],
    ['handed on by the reviewer', [started('A', 'd-1', 'reviewer')], 'handoff/A/0', 1],
    ['handed on by a merge of another pull request', [], 'handoff/Z/1', 1],
    ['handed on by itself', [started('A', 'handoff/A/x')], 'handoff/A/x', 4],
    ['handed on in a circle', [started('A', 'handoff/B/0'), started('B', 'handoff/A/0')], 'handoff/B/0', 4],
    ['handed on by a dry run', [started('A', 'd-1', 'auto-merge', true)], 'handoff/A/0', 1],
  ])('%s', (_, entries, delivery, count) => expect(countMergeAttempts(entries, event(delivery))).toBe(count));
});

describe('findMergeLimit', () => {
  it.each<[string, LedgerEntry[], number | null]>([
    ['none was reached', [started('A', 'd-1')], null],
    ['one was reached', [started('A', 'd-1'), limit()], 4],
    ['another limit was reached', [limit('fix')], null],
    ['it was tried since', [limit(), started('B', 'd-2')], null],
    ['somebody else was at it since', [limit(), started('B', 'd-2', 'reviewer')], 4],
  ])('%s', (_, entries, found) => expect(findMergeLimit(entries)).toBe(found));
});
