/** Kills a loop at one point, as a process is killed: it does nothing more, and writes nothing more. */
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { GatewrightError } from '../../src/errors.ts';
import type { House } from '../../src/runs/house.ts';
import { withHousePoints } from './house-points.ts';
import type { Answer, LoopWorld } from './loop-world.ts';

export type When = (name: string, args: readonly unknown[]) => boolean;

/** After the entry of this kind, if its key holds these words. */
export const afterEntry =
  (kind: NewEntry['kind'], words = ''): When =>
  (name, args) => {
    if (!/^after ledger\.append/u.test(name)) return false;
    return (args[0] as readonly NewEntry[]).some(
      (entry) => entry.kind === kind && (entry.key ?? '').includes(words),
    );
  };

/** Right after the push that was intended under a key with these words, before its receipt. */
export function afterPush(words: string): When {
  const isIntended = afterEntry('effect-intended', words);
  let isNext = false;
  return (name, args) => {
    isNext ||= isIntended(name, args);
    return isNext && name === 'after transport.pushBranch';
  };
}

/** Throws if the loop did not come by that point. */
export async function killLoop(
  world: LoopWorld,
  answer: Answer,
  when: When,
  house: House = world.house,
): Promise<void> {
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new GatewrightError('lease-lost', 'killed');
  };
  const watch = {
    enter: () => void (isDead && die()),
    point: (name: string, args: readonly unknown[]) => void ((isDead || when(name, args)) && die()),
  };
  try {
    await world.go(answer, withHousePoints(house, watch));
  } catch (error) {
    if (isDead) return;
    throw error;
  }
  throw new Error('The loop did not come by the point where it was to be killed.');
}
