/** Brings unfinished work to safety now and then while a coding agent is at it, one attempt at a time. */
import type { Clock } from '../../ports/clock.ts';

/** In milliseconds: what a machine that is lost takes with it. */
const saveEvery = 300_000;

export function makeSaver(clock: Pick<Clock, 'now'>, save: (() => Promise<void>) | undefined) {
  let last = clock.now().getTime();
  let running: Promise<void> | null = null;
  let isOver = false;
  return {
    /** Whether it is time is looked at whenever the agent says something. */
    look(): void {
      if (save === undefined || isOver || running !== null) return;
      const now = clock.now().getTime();
      if (now - last < saveEvery) return;
      last = now;
      running = Promise.resolve()
        .then(save)
        // The work goes on all the same; what could not be saved is brought there at the end.
        .catch(() => undefined)
        .finally(() => {
          running = null;
        });
    },
    /** Nothing is begun after this; what was begun has come to its end. */
    async end(): Promise<void> {
      isOver = true;
      await running;
    },
  };
}
