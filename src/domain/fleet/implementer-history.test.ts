/** What the ledger says was asked, planned and counted; rounds are counted from the last order of a person. */
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { readHistory } from './implementer-history.ts';

type Part = Pick<LedgerEntry, 'kind' | 'run'> & { readonly data: object; readonly key?: string };

function chain(...parts: readonly Part[]): LedgerEntry[] {
  return parts.map(
    (part, index) => ({ seq: index + 1, actor: '', subject: 's', ...part }) as unknown as LedgerEntry,
  );
}

const begin = (run: string, kind = 'comment-created', actor = 'alice', agent = 'implementer'): Part[] => [
  { kind: 'event-received', run: '', key: `d-${run}`, data: { kind, actor } },
  {
    ...{ kind: 'run-started', run },
    data: { request: { workflow: 'agent', agent, delivery: `d-${run}`, dryRun: false } },
  },
];
const handOn = (run: string): Part => ({
  ...{ kind: 'run-ended', run },
  data: { handoffs: [{ to: 'implementer', task: 'continue', number: 1 }] },
});
const ask = (run: string, role: string): Part => ({ kind: 'prompt-sent', run, data: { role } });
const proposed = (plan: string): Part => ({ kind: 'plan-proposed', run: 'a', data: { plan, comment: 1 } });
const approved = (plan: string): Part => ({ kind: 'plan-approved', run: 'a', data: { plan } });
const limit: Part = { kind: 'limit-reached', run: 'b', data: { what: 'continue', limit: 2 } };

describe('readHistory', () => {
  it('knows nothing of an empty chain', () => {
    expect(readHistory([], 'r')).toMatchObject({
      ...{
        openPlan: null,
        approvedPlan: null,
        work: null,
        orderedBy: null,
        order: 0,
        continues: 0,
        fixes: 0,
      },
      ...{ updates: 0, toldLimits: [], stops: 0, pulls: [] },
    });
  });

  it('takes the newest plan for open until it is approved', () => {
    expect(readHistory(chain(proposed('p'), proposed('q')), 'r').openPlan?.plan).toBe('q');
    const after = readHistory(chain(proposed('p'), approved('p')), 'r');
    expect([after.openPlan, after.approvedPlan]).toEqual([null, 'p']);
    const again = readHistory(chain(proposed('p'), approved('p'), proposed('q')), 'r');
    expect([again.openPlan?.plan, again.approvedPlan]).toEqual(['q', 'p']);
  });

  it('counts rounds since the last order, and an order is not what was handed on or another agent was woken by', () => {
    const rounds = [
      ...begin('a'),
      handOn('a'),
      ...begin('b', 'handed-on', 'us'),
      handOn('b'),
      limit,
      ...begin('x', 'comment-created', 'mallory', 'reviewer'),
    ];
    const before = readHistory(chain(...rounds), 'r');
    expect([before.continues, before.orderedBy, before.toldLimits]).toEqual([2, 'alice', ['continue']]);
    const after = readHistory(chain(...rounds, ...begin('c', 'comment-created', 'bob')), 'c');
    expect([after.continues, after.orderedBy, after.toldLimits]).toEqual([0, 'bob', []]);
  });

  it('counts corrections that were really made, without this one and without those that a person asked for', () => {
    const entries = chain(
      ...begin('a', 'handed-on'),
      ask('a', 'fixer'),
      ...begin('b', 'handed-on'),
      ...begin('c', 'handed-on'),
      ask('c', 'fixer'),
    );
    expect(readHistory(entries, 'c').fixes).toBe(1);
    expect(readHistory(entries, 'c').callOf('fixer')).toBe(2);
    const order = [...begin('d', 'comment-created', 'bob'), ask('d', 'fixer')];
    const later = chain(...begin('a', 'handed-on'), ask('a', 'fixer'), ...order);
    expect(readHistory(later, 'e').fixes).toBe(0);
    expect(readHistory(later, 'e').callOf('fixer')).toBe(3);
  });

  it('counts no dry run', () => {
    const [received, started] = begin('a');
    const request = { workflow: 'agent', agent: 'implementer', delivery: 'd-a', dryRun: true };
    const dry = { ...started, data: { request } } as Part;
    expect(readHistory(chain(received as Part, dry), 'r').orderedBy).toBeNull();
  });

  it('knows what it said by receipts of other runs, since the newest plan if asked so', () => {
    const said: Part = { kind: 'effect-receipted', run: 'a', key: 'a/answer/unclear#1', data: {} };
    const entries = chain(said, proposed('p'));
    expect(readHistory(entries, 'r').wasSaid('answer/unclear')).toBe(true);
    expect(readHistory(entries, 'a').wasSaid('answer/unclear')).toBe(false);
    expect(readHistory(entries, 'r').wasSaid('answer/unclear', true)).toBe(false);
    expect(readHistory(entries, 'r').wasSaid('unclear')).toBe(false);
  });
});
