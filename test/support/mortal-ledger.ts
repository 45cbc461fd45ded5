/** A ledger that dies in the middle of things, as a process does: it says nothing more, and nothing more is written. */
import type { Ledger } from '../../src/ports/ledger.ts';

export interface Death {
  /** The how-manieth write it is; 0 never comes. */
  readonly write: number;
  /** Whether that write is still on the disk. */
  readonly isWritten: boolean;
}

export interface MortalLedger {
  readonly ledger: Ledger;
  /** How many writes there were. */
  readonly count: () => number;
}

export function makeMortalLedger(ledger: Ledger, death: Death): MortalLedger {
  let writes = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Error('the power is out');
  };
  const mortally = async <T>(write: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes === death.write && !death.isWritten) die();
    const written = await write();
    return writes === death.write ? die() : written;
  };
  const append: Ledger['append'] = (...args) => mortally(() => ledger.append(...args));
  const appendNew: Ledger['appendNew'] = (...args) => mortally(() => ledger.appendNew(...args));
  const mortal = new Proxy(ledger, {
    get(target, name) {
      if (isDead) return die();
      if (name === 'append') return append;
      if (name === 'appendNew') return appendNew;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ledger: mortal, count: () => writes };
}
