/** Concurrency groups of one repository: one runs, others wait, and what has no place in the line is cancelled. */

interface Waiting {
  readonly cancel: () => void;
  readonly start: () => void;
}
interface Group {
  running: { readonly cancel: () => void } | null;
  readonly waiting: Waiting[];
}
interface Wish {
  /** Names differ only by more than capitals. */
  readonly group: string;
  readonly queue: string;
  readonly isCancelling: boolean;
  /** Called when another one takes its place while it runs. */
  readonly cancel: () => void;
}

/** As many as may wait with `queue: max`. */
export const longestQueue = 100;

export class ConcurrencyGroups {
  readonly #groups = new Map<string, Group>();

  /** How many wait, over all groups. */
  get waiting(): number {
    return [...this.#groups.values()].reduce((sum, one) => sum + one.waiting.length, 0);
  }

  /** Resolves when its turn has come, with what ends the turn; with null when it was cancelled while it waited. */
  enter({ group: name, queue, isCancelling, cancel }: Wish): Promise<(() => void) | null> {
    const key = name.toLowerCase();
    const group = this.#groups.get(key) ?? { running: null, waiting: [] };
    this.#groups.set(key, group);
    const begin = (): (() => void) => {
      group.running = { cancel };
      return () => {
        group.running = null;
        const next = group.waiting.shift();
        if (next === undefined) this.#groups.delete(key);
        else next.start();
      };
    };
    if (group.running === null) return Promise.resolve(begin());
    if (queue === 'max' && group.waiting.length >= longestQueue) return Promise.resolve(null);
    if (queue !== 'max') for (const one of group.waiting.splice(0)) one.cancel();
    const turn = new Promise<(() => void) | null>((resolve) => {
      group.waiting.push({ cancel: () => resolve(null), start: () => resolve(begin()) });
    });
    if (isCancelling) group.running.cancel();
    return turn;
  }
}
