/** Handling pauses for a burst, and only for a burst. */
import { beforeEach, expect, it } from 'vitest';
import { ReceivingRate } from './receiving-rate.ts';

let now: number;
let rate: ReceivingRate;
beforeEach(() => {
  now = 0;
  rate = new ReceivingRate(() => now);
});

/** So many a second, for so long. */
function receive(perSecond: number, milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    now += 10;
    rate.received(perSecond / 100);
  }
}

it('does not pause while deliveries come as they usually do', () => {
  expect(rate.pause()).toBe(0);
  receive(1_000, 3_000);
  expect(rate.pause()).toBe(0);
});

it('pauses in a burst, and no longer than it lasts', () => {
  receive(5_000, 1_000);
  expect(rate.pause()).toBe(500);
  now += 250;
  expect(rate.pause()).toBe(0);
});

it('pauses less the more waits, and in the end not at all', () => {
  receive(5_000, 4_000);
  expect(rate.pause()).toBe(500);
  receive(5_000, 4_000);
  expect(rate.pause()).toBeGreaterThan(0);
  expect(rate.pause()).toBeLessThan(500);
  receive(5_000, 7_000);
  expect(rate.pause()).toBe(0);
  rate.handled(75_000);
  expect(rate.pause()).toBe(500);
});
