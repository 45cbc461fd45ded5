/** What is folded entry by entry is what somebody finds who looks through the whole history. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as history from '../../../test/support/ask-history.ts';
import { historyOf } from '../../../test/support/generate-history.ts';
import { isLong } from '../../../test/support/property-runs.ts';
import { isOvertaken } from '../../fleet/rules/overtaken-run.ts';
import { findHeldRun } from '../fleet/held-run.ts';
import { readProgramOrders } from '../fleet/program-orders.ts';
import type { LedgerEntry, NewEntry } from './ledger-entry.ts';
import { readSubjectHistory } from './subject-history.ts';
import { emptySubjectState, foldChain, mostOrders, subjectStateVersion } from './subject-state.ts';

const subject = 'owner/name#7';
const isProgram = (login: string): boolean => login.endsWith('[bot]');

function numbered(entries: readonly NewEntry[]): LedgerEntry[] {
  return entries.map(
    (entry, index) => ({ ...entry, seq: index + 1, at: '', hash: String(index + 1) }) as LedgerEntry,
  );
}

function begunIn(entries: readonly LedgerEntry[]) {
  return entries.flatMap((entry) =>
    entry.kind === 'run-started' && entry.data.request.workflow === 'agent' && !entry.data.request.dryRun
      ? [{ run: entry.run, agent: entry.data.request.agent, delivery: entry.data.request.delivery }]
      : [],
  );
}

describe('a subject state', () => {
  it('answers what the history answers', () => {
    fc.assert(
      fc.property(historyOf(subject), (made) => {
        const entries = numbered(made);
        const state = foldChain(entries);
        const begun = begunIn(entries);
        for (const number of [7, 8]) {
          const asked = history.readSubjectHistory(entries, number);
          const handedHeads = [...new Set(asked.handedHeads)];
          expect(readSubjectHistory(state, number)).toEqual({ ...asked, handedHeads });
        }
        expect(findHeldRun(state)).toBe(history.findHeldRun(entries));
        for (const delivery of ['unknown', ...begun.map((one) => one.delivery)]) {
          for (const run of ['', ...begun.map((one) => one.run)])
            expect(readProgramOrders(state, delivery, isProgram, run)).toEqual(
              history.readProgramOrders(entries, delivery, isProgram, run),
            );
        }
        const ended = new Set(entries.flatMap(({ kind, run }) => (kind === 'run-ended' ? [run] : [])));
        for (const { run, agent } of begun)
          if (!ended.has(run))
            expect(isOvertaken(state, { id: run }), run).toBe(history.isOvertaken(entries, run, agent));
      }),
      { numRuns: isLong ? 10_000 : 300 },
    );
  });

  it('forgets no more than old orders, and keeps nothing of what is quiet', () => {
    const order = (count: number): NewEntry[] => {
      const request = { workflow: 'agent', agent: 'implementer', delivery: `d${count}`, dryRun: false };
      return [
        { kind: 'run-started', run: `R${count}`, subject, actor: 'a', data: { request } as never },
        {
          kind: 'run-ended',
          run: `R${count}`,
          subject,
          actor: 'a',
          data: { reason: {}, result: null } as never,
        },
      ];
    };
    const orders = Array.from({ length: mostOrders + 5 }, (_, count) => order(count)).flat();
    expect(foldChain(numbered(orders)).orders.map(({ delivery }) => delivery)).toEqual(
      Array.from({ length: mostOrders }, (_, count) => `d${count + 5}`),
    );
    const quiet = Array.from({ length: 1_000 }, (_, count): NewEntry => {
      const data = { kind: 'comment-created', actor: 'carol', event: 'a'.repeat(64) } as const;
      return { kind: 'event-received', key: `q${count}`, subject, run: '', actor: 'a', data };
    });
    expect(foldChain(numbered(quiet))).toBe(emptySubjectState);
  });

  // A stored state of another version is made anew. Whoever changes what comes out here raises the version.
  it('is of this version', () => {
    const request = { workflow: 'agent', agent: 'implementer', delivery: 'd1', dryRun: false };
    const event = { kind: 'issue-opened', actor: 'alice', event: 'a'.repeat(64) };
    const held = { status: 'blocked', reason: { code: 'held', message: '', owner: 'person', resume: '' } };
    const enqueue = { kind: 'enqueue-pull-request', repository: 'o/r', number: 7, head: 'abc' };
    const learning = { learning: 'L1', agent: 'writer', type: 'pattern_discovered' };
    const session = { session: 'S1', outcome: 'success' };
    const entries = numbered([
      { kind: 'event-received', key: 'd1', run: '', data: event },
      { kind: 'run-started', run: 'R1', data: { request } },
      { kind: 'plan-proposed', run: 'R1', data: {} },
      { kind: 'run-stopped', run: 'R1', data: held },
      { kind: 'effect-receipted', run: 'R2', key: 'R2/loop-notice#1', data: {} },
      { kind: 'effect-intended', run: 'R3', key: 'R3/q#1', data: { effect: enqueue, dryRun: false } },
      { kind: 'effect-receipted', run: 'R3', key: 'R3/q#1', data: {} },
      { kind: 'learning-observed', run: 'R4', data: { ...learning, content: 'x', file: null, ...session } },
      { kind: 'learning-removed', run: '', data: { learning: 'L2', by: 'alice', why: '' } },
    ] as never);
    expect([subjectStateVersion, JSON.stringify(foldChain(entries))]).toEqual([
      4,
      '{"openPlan":3,"wokenBy":{"implementer":["issue-opened"]},"orders":[{"delivery":"d1","actor":"alice","seq":2}],' +
        '"loopNotices":[{"run":"R2","seq":5}],"newest":{"implementer":{"run":"R1","isStopped":true}},' +
        '"runs":[{"run":"R1","agent":"implementer","isOvertaken":false,"held":{"seq":4,"isWorkedSince":false}}],' +
        '"enqueuing":{},"enqueued":[{"number":7,"head":"abc"}],"learnings":{"held":[{' +
        '"id":"L1","agent":"writer","type":"pattern_discovered","content":"x","file":null,"confidence":0.55,"seen":1,' +
        '"lastSeen":"","session":"S1","editedBy":null,"outcomes":[["S1","success"]]}],"leads":[],"removed":["L2"]}}',
    ]);
  });
});
