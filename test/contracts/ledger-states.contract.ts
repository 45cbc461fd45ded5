/** What every ledger keeps beside its chains: what each of them comes to, as of its last entry. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { emptySubjectState, foldChain } from '../../src/domain/ledger/subject-state.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { historyOf, textOfHistory } from '../support/generate-history.ts';
import { expectCode } from './expect-code.ts';
import { type LedgerWorld, nodeBegun, other, subject } from './ledger.contract.ts';

export function describeLedgerStates(name: string, makeLedger: () => Promise<LedgerWorld>): void {
  describe(`${name} keeps what a chain comes to`, () => {
    let world: LedgerWorld;
    let ledger: Ledger;
    beforeEach(async () => {
      world = await makeLedger();
      ({ ledger } = world);
    });
    afterEach(() => world.close());

    it('knows nothing of a subject without entries', async () => {
      expect(await ledger.readState(subject)).toEqual(emptySubjectState);
    });

    it('is what its entries come to, whatever they are and however they are written', async () => {
      let count = 0;
      await ledger.putText(textOfHistory);
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
          fc.nat({ max: 1e6 }),
          async (sizes, seed) => {
            count += 1;
            const [here, there] = [`${subject}-${count}`, `${other}-${count}`];
            const [first = [], second = []] = fc.sample(fc.tuple(historyOf(here, 15), historyOf(there, 5)), {
              numRuns: 1,
              seed,
            })[0] ?? [[], []];
            // Both chains grow in the same transactions; in some of them what is there already is left out.
            const all = [...first, ...second].map((entry, index) => ({ entry, at: index % first.length }));
            const queue = all.sort((a, b) => a.at - b.at).map(({ entry }) => entry);
            for (let at = 0; at < queue.length; ) {
              const size = sizes.next().value;
              const part = queue.slice(at, at + size);
              if (size % 2 === 0) await ledger.append(part);
              else
                await ledger.appendNew([
                  ...queue.slice(0, at).filter(({ key }) => key !== undefined),
                  ...part,
                ]);
              at += size;
              for (const one of [here, there])
                expect(await world.another().readState(one)).toEqual(
                  foldChain(await ledger.readSubject(one)),
                );
            }
          },
        ),
        { numRuns: 12 },
      );
      expect((await ledger.verify()).problems).toEqual([]);
      expect(await ledger.rebuildProjections()).toBe(0);
    });

    it('is as before when an append is refused', async () => {
      const plan = { kind: 'plan-proposed', run: 'run-1', actor: 'alice', subject } as const;
      const data = { plan: sha256('plan'), comment: 1 };
      await ledger.append([nodeBegun(1, { key: 'k' })]);
      await expectCode(ledger.append([{ ...plan, data }, nodeBegun(2, { key: 'k' })]), 'ledger-conflict');
      expect(await ledger.readState(subject)).toEqual(emptySubjectState);
      await ledger.append([{ ...plan, data }]);
      expect((await ledger.readState(subject)).openPlan).toBe(2);
    });
  });
}
