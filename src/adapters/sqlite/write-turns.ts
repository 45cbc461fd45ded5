/**
 * Who writes first, among threads of one process that write to one database. SQLite is not fair: a thread that handles many
 * events gets the lock again and again while the one that receives sleeps. So the receiver says that it wants to write, and
 * the others begin nothing meanwhile: it waits for one transaction of theirs at most.
 */

/** Called around every transaction of a ledger. */
export interface WriteTurn {
  before(): void;
  after(): void;
}

/** Nobody is made to wait longer: receiving without a pause must not stop everything else. */
const mostMilliseconds = 50;

const shared = new Map<string, SharedArrayBuffer>();

/** One for each database, to be handed to the other threads. */
export function turnsOf(databaseFile: string): SharedArrayBuffer {
  const known = shared.get(databaseFile) ?? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  shared.set(databaseFile, known);
  return known;
}

/** Of the thread that receives. */
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

/** Of everything else. */
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
