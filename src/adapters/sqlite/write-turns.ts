/**
 * Decides which thread of one process writes first to a database. SQLite is not fair: a thread that handles many events
 * gets the lock again and again while the thread that receives deliveries waits. So the receiving thread announces that
 * it wants to write, and the other threads begin no transaction meanwhile: it waits for one of their transactions at
 * most.
 */

/** Called around every transaction of a ledger. */
export interface WriteTurn {
  before(): void;
  after(): void;
}

/** The other threads wait at most this long: receiving without a pause must not stop all other work. */
const mostMilliseconds = 50;

const shared = new Map<string, SharedArrayBuffer>();

/** One for each database, to be handed to the other threads. */
export function turnsOf(databaseFile: string): SharedArrayBuffer {
  const known = shared.get(databaseFile) ?? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  shared.set(databaseFile, known);
  return known;
}

/** For the thread that receives deliveries. */
export function takeFirstTurn(turns: SharedArrayBuffer): WriteTurn {
  const wanting = new Int32Array(turns);
  return {
    before: () => void Atomics.add(wanting, 0, 1),
    after: () => {
      Atomics.sub(wanting, 0, 1);
      Atomics.notify(wanting, 0);
    },
  };
}

/** For all other threads. */
export function takeLaterTurn(turns: SharedArrayBuffer): WriteTurn {
  const wanting = new Int32Array(turns);
  return {
    before: () => {
      const count = Atomics.load(wanting, 0);
      if (count > 0) Atomics.wait(wanting, 0, count, mostMilliseconds);
    },
    after: () => undefined,
  };
}
