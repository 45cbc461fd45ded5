/** A clock that moves only when a test moves it. It starts at the real time, so that it agrees with other processes. */
import type { Clock } from '../../src/ports/clock.ts';

export interface StillClock extends Pick<Clock, 'now'> {
  advance(milliseconds: number): void;
}

export function makeStillClock(start = Date.now()): StillClock {
  let time = start;
  return {
    now: () => new Date(time),
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}
