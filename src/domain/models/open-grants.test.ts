/** What was granted and has no end on the ledger counts as spent: a grant that is overlooked is money that no budget sees. */
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { readGrants } from './open-grants.ts';

const atMost = (costUsd: number) => ({ inputTokens: 10, outputTokens: 5, costUsd, turns: 1 });
const entry = (kind: string, grant: object | undefined, more: object = {}): LedgerEntry =>
  ({ kind, data: { role: 'coder', model: 'test:m', grant, ...more } }) as never;
const sent = (id: string, costUsd = 1): LedgerEntry => entry('prompt-sent', { id, atMost: atMost(costUsd) });
const metered = (id: string, costUsd: number): LedgerEntry =>
  entry('work-metered', { id, atMost: atMost(costUsd) });
const answered = (id: string): LedgerEntry => entry('model-answered', { id });
const failed = (id: string): LedgerEntry => entry('model-failed', { id });

const open = (id: string, costUsd = 1) => ({ id, atMost: atMost(costUsd), role: 'coder', model: 'test:m' });

describe('readGrants', () => {
  it.each<[string, readonly LedgerEntry[], string, readonly object[]]>([
    ['nothing was granted', [], 'coder#2/1', []],
    ['it was granted and nothing else is known', [sent('coder#2/1')], 'coder#2/2', [open('coder#2/1')]],
    ['it was answered', [sent('coder#2/1'), answered('coder#2/1')], 'coder#2/2', []],
    ['it failed', [sent('coder#2/1'), failed('coder#2/1')], 'coder#2/2', []],
    [
      'it was metered: the newest amount counts',
      [sent('coder#2/1'), metered('coder#2/1', 3), metered('coder#2/1', 4)],
      'coder#2/2',
      [open('coder#2/1', 4)],
    ],
    ['it was metered, then answered', [metered('coder#2/1', 3), answered('coder#2/1')], 'coder#2/2', []],
    [
      'the first attempt was lost and the second failed',
      [sent('coder#2/1'), sent('coder#2/2'), failed('coder#2/2')],
      'coder#2/3',
      [open('coder#2/1')],
    ],
    [
      'two attempts were lost',
      [sent('coder#2/1'), sent('coder#2/2', 7)],
      'coder#2/3',
      [open('coder#2/1'), open('coder#2/2', 7)],
    ],
    [
      'others are of another role, another call or a call with a longer number',
      [sent('fixer#2/1'), sent('coder#1/1'), sent('coder#22/1')],
      'coder#2/1',
      [],
    ],
    ['nothing was to be paid', [entry('prompt-sent', undefined)], 'coder#2/1', []],
    [
      'an entry of another kind carries the same id',
      [entry('verdict', { id: 'coder#2/1', atMost: atMost(1) })],
      'coder#2/1',
      [],
    ],
  ])('when %s', (_, entries, next, expected) =>
    expect(readGrants(entries, 'coder', 2)).toEqual({ next, open: expected }),
  );

  it('keeps the limit that a coding agent was given', () => {
    const limit = { usd: 2, turns: 9 };
    const entries = [entry('prompt-sent', { id: 'coder#1/1', atMost: atMost(1), limit })];
    expect(readGrants(entries, 'coder', 1).open).toEqual([{ ...open('coder#1/1'), limit }]);
  });
});
