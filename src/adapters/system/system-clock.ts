/** The real clock and the real source of randomness. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  randomBytes: (length) => randomBytes(length),
  sleep: (milliseconds) => wait(milliseconds),
};
