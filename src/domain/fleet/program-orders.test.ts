/** Programs that order each other are stopped after a few orders; a person's order begins the count anew. */
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { foldChain } from '../ledger/subject-state.ts';
import { loopNotice, programOrderLimit, readProgramOrders } from './program-orders.ts';

const isProgram = (login: string): boolean => login.endsWith('[bot]');

/** A chain of orders and notices, in order. */
class Chain {
  readonly entries: LedgerEntry[] = [];

  #add(kind: string, run: string, key: string | null, data: object): this {
    this.entries.push({ kind, run, key, data, seq: this.entries.length + 1 } as never);
    return this;
  }

  order(delivery: string, actor: string, more: object = {}, kind = 'comment-created'): this {
    const request = { workflow: 'agent', agent: 'implementer', delivery, dryRun: false, ...more };
    return this.#add('event-received', '', delivery, { kind, actor, event: '' }).#add(
      'run-started',
      `R-${delivery}`,
      null,
      { request },
    );
  }

  /** A run of which the ledger does not have what woke it. */
  unknown(delivery: string): this {
    const request = { workflow: 'agent', agent: 'implementer', delivery, dryRun: false };
    return this.#add('run-started', `R-${delivery}`, null, { request });
  }

  /** By its key in ledgers that there are. */
  notice(run: string, key = 'loop-notice'): this {
    return this.#add('effect-receipted', run, `${run}/${key}#1`, { result: {} });
  }
}

const read = (chain: Chain, delivery = 'now', run = '') =>
  readProgramOrders(foldChain(chain.entries), delivery, isProgram, run);

describe('readProgramOrders', () => {
  it('lets three orders pass', () => expect(programOrderLimit).toBe(3));

  it.each<[string, Chain, number, string | null]>([
    ['nothing happened', new Chain(), 0, null],
    ['a person ordered', new Chain().order('d1', 'alice'), 0, 'alice'],
    ['programs ordered', new Chain().order('d1', 'a[bot]').order('d2', 'b[bot]'), 2, null],
    ['a person, then a program', new Chain().order('d1', 'alice').order('d2', 'a[bot]'), 1, 'alice'],
    [
      'a person ordered in between',
      new Chain().order('d1', 'a[bot]').order('d2', 'alice').order('d3', 'a[bot]'),
      1,
      'alice',
    ],
    ['two people ordered', new Chain().order('d1', 'alice').order('d2', 'bob'), 0, 'bob'],
    ['the order is the one asked about', new Chain().order('d1', 'a[bot]').order('now', 'a[bot]'), 1, null],
    ['the work was handed on by ourselves', new Chain().order('d1', 'a[bot]', {}, 'handed-on'), 0, null],
    ['another agent was ordered', new Chain().order('d1', 'a[bot]', { agent: 'reviewer' }), 0, null],
    ['it is not known who ordered', new Chain().order('d1', 'alice').unknown('d2'), 1, 'alice'],
    ['it was a dry run', new Chain().order('d1', 'a[bot]', { dryRun: true }), 0, null],
  ])('when %s', (_, chain, count, person) => expect(read(chain)).toMatchObject({ count, person }));

  it('knows whether this very order was begun', () => {
    const chain = new Chain().order('d1', 'a[bot]').order('d2', 'a[bot]');
    expect(read(chain, 'd1').isBegun).toBe(true);
    expect(read(chain, 'd3').isBegun).toBe(false);
  });

  it('knows whether people were told since a person last ordered, by another run', () => {
    const told = new Chain().order('d1', 'alice').notice('R9');
    expect(read(told).isTold).toBe(true);
    expect(read(told, 'now', 'R9').isTold).toBe(false);
    expect(read(new Chain().order('d1', 'alice')).isTold).toBe(false);
    expect(read(new Chain().order('d1', 'alice').notice('R9', 'other-notice')).isTold).toBe(false);
    expect(read(told.order('d2', 'alice')).isTold).toBe(false);
  });
});

describe('loopNotice', () => {
  it('calls the person who began it, and says how to go on', () => {
    expect(loopNotice('alice', 'claude')).toMatch(/^@alice Programs have given 3 orders .*`@claude`/u);
    expect(loopNotice(null, 'claude')).toMatch(/^Programs have given 3 orders/u);
  });
});
