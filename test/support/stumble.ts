/**
 * A world in which the process dies at every entry that an agent's run writes down, once at each: right before it is
 * written or right after. Whoever dies so writes nothing more, as after losing the lease; then the event is taken up again.
 */
import type { House } from '../../src/dispatch/house.ts';
import type { LedgerEntry, NewEntry } from '../../src/domain/ledger-entry.ts';
import { GatewrightError } from '../../src/errors.ts';
import type { Fence, Ledger } from '../../src/ports/ledger.ts';
import type { FleetWorld } from './fleet-world.ts';

function makeStumble(ledger: Ledger, when: 'before' | 'after', fallen: Set<string>): Ledger {
  const append = async (entries: readonly NewEntry[], fence?: Fence): Promise<LedgerEntry[]> => {
    const names = entries
      .filter(({ run, key }) => run !== '' && key !== undefined)
      .map(({ kind, key }) => `${kind} ${key ?? ''}`);
    const isNew = names.some((name) => !fallen.has(name));
    for (const name of names) fallen.add(name);
    const fall = (): never => {
      throw new GatewrightError('lease-lost', 'The process died here.');
    };
    if (isNew && when === 'before') fall();
    const written = await ledger.append(entries, fence);
    if (isNew) fall();
    return written;
  };
  return new Proxy(ledger, {
    get(target, name) {
      if (name === 'append') return append;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Settles what is open, dying and beginning anew until nothing is left. Returns how often it died. */
export async function settleStumbling(world: FleetWorld, when: 'before' | 'after'): Promise<number> {
  const house: House = world.house;
  const { ledger } = house;
  const fallen = new Set<string>();
  Object.assign(house, { ledger: makeStumble(ledger, when, fallen) });
  try {
    for (let life = 1; life <= 200; life += 1) {
      const outcomes = await world.settle();
      if (outcomes.every(({ isSettled }) => isSettled)) return life - 1;
    }
    throw new Error('It never came to an end.');
  } finally {
    Object.assign(house, { ledger });
  }
}
