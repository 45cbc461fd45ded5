import { describe, expect, it } from 'vitest';
import type { WorkerName } from '../fleet/agent-names.ts';
import type { EventKind } from '../fleet/event.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { emptyHistory, readSubjectHistory } from './subject-history.ts';
import { foldChain } from './subject-state.ts';

let seq = 0;
function entry(kind: LedgerEntry['kind'], run: string, data: object, key?: string): LedgerEntry {
  seq += 1;
  const at = new Date(Date.UTC(2027, 0, 1, 0, 0, seq)).toISOString();
  return { subject: 'o/r#1', kind, run, actor: 'a', data, key, seq, at } as unknown as LedgerEntry;
}

const received = (delivery: string, kind: EventKind) => entry('event-received', '', { kind }, delivery);
const begun = (run: string, agent: WorkerName, delivery: string, dryRun = false) =>
  entry('run-started', run, { request: { workflow: 'agent', agent, delivery, dryRun } });
const stopped = (run: string) => entry('run-stopped', run, { status: 'blocked', reason: { code: 'x' } });
const resumed = (run: string) => entry('run-resumed', run, { from: 'blocked' });
const ended = (run: string) => entry('run-ended', run, { reason: {}, result: null });

const read = (...entries: LedgerEntry[]) => readSubjectHistory(foldChain(entries), 1);

describe('readSubjectHistory', () => {
  it('of nothing is empty', () => expect(read()).toEqual(emptyHistory));

  it.each<[string, LedgerEntry[], WorkerName[]]>([
    ['stopped', [begun('r1', 'reviewer', 'd'), stopped('r1')], ['reviewer']],
    ['resumed since', [begun('r1', 'reviewer', 'd'), stopped('r1'), resumed('r1')], []],
    [
      'stopped again',
      [begun('r1', 'reviewer', 'd'), stopped('r1'), resumed('r1'), stopped('r1')],
      ['reviewer'],
    ],
    ['ended', [begun('r1', 'reviewer', 'd'), ended('r1')], []],
    ['begun anew since', [begun('r1', 'reviewer', 'd'), stopped('r1'), begun('r2', 'reviewer', 'e')], []],
    ['a dry run', [begun('r1', 'reviewer', 'd', true), stopped('r1')], []],
    [
      'one of two',
      [begun('r1', 'implementer', 'd'), stopped('r1'), begun('r2', 'reviewer', 'e'), ended('r2')],
      ['implementer'],
    ],
  ])('the last run of an agent: %s', (_, entries, agents) =>
    expect(read(...entries).stopped).toEqual(agents),
  );

  it('knows what woke each agent, once for each kind', () => {
    const entries = [
      received('d', 'issue-opened'),
      received('e', 'comment-created'),
      received('f', 'comment-created'),
      begun('r1', 'implementer', 'd'),
      begun('r2', 'implementer', 'e'),
      begun('r3', 'implementer', 'f'),
      begun('r4', 'reviewer', 'unknown'),
      begun('r5', 'reviewer', 'd', true),
    ];
    expect(read(...entries).wokenBy).toEqual({ implementer: ['issue-opened', 'comment-created'] });
  });

  it('knows an open plan and what was handed to the merge queue', () => {
    const plan = entry('plan-proposed', 'r', { plan: 'p', comment: 1 });
    const approved = entry('plan-approved', 'r', { plan: 'p', by: 'a', comment: 2 });
    expect(
      [read(plan), read(plan, approved), read(plan, approved, plan)].map((one) => one.hasOpenPlan),
    ).toEqual([true, false, true]);
    const effect = { kind: 'enqueue-pull-request', number: 1, head: 'abc' };
    const intended = entry('effect-intended', 'r', { effect, dryRun: false }, 'k');
    const receipted = entry('effect-receipted', 'r', { result: {}, found: false }, 'k');
    expect(read(intended).handedHeads).toEqual([]);
    expect(read(intended, receipted).handedHeads).toEqual(['abc']);
  });
});
