/** What every ledger says about the cost of runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { type LedgerWorld, nodeBegun, other, subject } from './ledger.contract.ts';

function modelFailed(where: { subject: string; run: string }, costUsd: number): NewEntry {
  return {
    ...where,
    kind: 'model-failed',
    actor: 'alice',
    data: {
      role: 'drafter',
      model: 'test:model',
      reportedModel: 'model',
      credential: 'work',
      why: 'model-unusable-answer',
      usage: { inputTokens: 100, outputTokens: 10, costUsd, turns: 1 },
    },
  };
}

function modelAnswered(where: { subject: string; run: string }, costUsd: number): NewEntry {
  return {
    ...where,
    kind: 'model-answered',
    actor: 'alice',
    data: {
      role: 'drafter',
      model: 'test:model',
      reportedModel: 'model',
      answer: sha256('answer'),
      usage: { inputTokens: 100, outputTokens: 10, costUsd, turns: 1 },
      milliseconds: 5,
    },
  };
}

export function describeLedgerUsage(name: string, makeLedger: () => Promise<LedgerWorld>): void {
  describe(`${name} counts usage`, () => {
    let world: LedgerWorld;
    let ledger: Ledger;
    beforeEach(async () => {
      world = await makeLedger();
      ledger = world.ledger;
    });
    afterEach(() => world.close());

    const usage = (calls: number, costUsd: number) => ({
      inputTokens: 100 * calls,
      outputTokens: 10 * calls,
      costUsd,
      turns: calls,
    });

    it('adds up what models used in a run, for a subject and since a moment', async () => {
      const none = usage(0, 0);
      const start = world.now().toISOString();
      expect(await ledger.readUsage('run-1', subject, start)).toEqual({
        run: none,
        issue: none,
        day: none,
      });
      await ledger.append([modelAnswered({ subject, run: 'run-1' }, 1), nodeBegun(1)]);
      world.advance(1000);
      const since = world.now().toISOString();
      await ledger.append([
        modelFailed({ subject, run: 'run-1' }, 2),
        modelAnswered({ subject, run: 'run-2' }, 4),
        modelAnswered({ subject: other, run: 'run-3' }, 8),
      ]);
      expect(await ledger.readUsage('run-1', subject, since)).toEqual({
        run: usage(2, 3),
        issue: usage(3, 7),
        day: usage(3, 14),
      });
      expect((await ledger.readUsage('run-1', subject, start)).day).toEqual(usage(4, 15));
      // An issue bears what its brief cost, and no other's.
      const result = { number: 7, url: '' };
      const reason = { code: 'finished', message: '', owner: 'nobody', resume: '' } as const;
      const ended = { kind: 'run-ended', actor: 'alice', run: 'run-2', data: { reason, result } } as const;
      await ledger.append([{ ...ended, subject }]);
      await ledger.append([modelAnswered({ subject: 'local/project#7', run: 'run-4' }, 16)]);
      expect((await ledger.readUsage('run-4', 'local/project#7', since)).issue).toEqual(usage(4, 23));
      expect((await ledger.readUsage('run-4', 'local/project#8', since)).issue).toEqual(none);
      expect((await ledger.readUsage('run-4', 'local/proj#7', since)).issue).toEqual(none);
      world.advance(1000);
      expect((await ledger.readUsage('run-3', other, world.now().toISOString())).day).toEqual(none);
    });

    it('adds up what an issue and its pull requests cost, whichever of them is asked for', async () => {
      const [issue, pull, second] = ['local/project#7', 'local/project#9', 'local/project#12'] as const;
      const foreign = 'local/project#13';
      const made = (key: string, number: number, of: number | null) =>
        ({
          kind: 'pull-request-made',
          ...{ subject: issue, actor: 'alice', run: 'run-1', key },
          data: { number, issue: of, branch: 'b', base: 'main' },
        }) as const;
      await ledger.append([
        modelAnswered({ subject: issue, run: 'run-1' }, 1),
        ...[made(pull, 9, 7), made(second, 12, 7), made(foreign, 13, null)],
        ...[made('local/other#14', 14, 7)],
        modelAnswered({ subject: pull, run: 'run-2' }, 2),
        modelFailed({ subject: second, run: 'run-3' }, 4),
        modelAnswered({ subject: foreign, run: 'run-4' }, 8),
        modelAnswered({ subject: 'local/other#14', run: 'run-5' }, 16),
      ]);
      const costOf = async (one: string) => (await ledger.readUsage('', one, '')).issue.costUsd;
      for (const one of [issue, pull, second]) expect(await costOf(one), one).toBe(7);
      expect(await costOf(foreign)).toBe(8);
      expect(await costOf('local/other#14')).toBe(16);
      expect(await costOf('local/project#8')).toBe(0);
    });
  });
}
