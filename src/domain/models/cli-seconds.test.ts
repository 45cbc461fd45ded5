import { expect, it } from 'vitest';
import { secondsOfCli } from './cli-seconds.ts';

it.each([
  ['drafter', 600, 300],
  ['drafter', 120, 120],
  ['code reviewer', 600, 600],
  ['writer', 600, 600],
] as const)('%s with a limit of %d seconds for any model: %d', (role, limit, seconds) => {
  expect(secondsOfCli(role, limit)).toBe(seconds);
});
