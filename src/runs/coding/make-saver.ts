/** Saves unfinished work from time to time while a coding agent works, one attempt at a time. */
import type { Clock } from '../../ports/clock.ts';

/** In milliseconds: the most work that is lost with a machine. */
const saveEvery = 300_000;

export function makeSaver(clock: Pick<Clock, 'now'>, save: (() => Promise<void>) | undefined) {
  let last = clock.now().getTime();
  let running: Promise<void> | null = null;
  let isOver = false;
  return {
    /** Called whenever the agent reports something; saves if it is time. */
    look(): void {
      if (save === undefined || isOver || running !== null) return;
      const now = clock.now().getTime();
      if (now - last < saveEvery) return;
      last = now;
      running = Promise.resolve()
        .then(save)
        // The work goes on all the same; what could not be saved is pushed at the end.
        .catch(() => undefined)
        .finally(() => {
          running = null;
        });
    },
    /** After this no saving begins, and one that was begun has ended. */
    async end(): Promise<void> {
      isOver = true;
      await running;
    },
  };
}
