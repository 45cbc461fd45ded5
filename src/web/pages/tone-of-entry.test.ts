/** A run that only waits has not failed. */
import { expect, it } from 'vitest';
import { statusWithReason } from '../../domain/ledger/describe-entry.ts';
import { toneOfEntry } from './tone-of-entry.ts';

it.each([
  ['waiting', 'waiting at the draft gate', 'is-waiting'],
  ['waiting', 'The draft gate is open', 'is-waiting'],
  ['paused', 'The budget of the day is spent', ''],
  ['blocked', 'waiting would not help', 'is-blocked'],
  ['failed', 'The model failed', 'is-blocked'],
])('a run that stopped as %s (%s) is shown as %j', (status, reason, tone) => {
  expect(toneOfEntry('run-stopped', statusWithReason(status, reason))).toBe(tone);
});

it.each([
  ['run-ended', 'is-done'],
  ['gate-asked', 'is-waiting'],
  ['node-begun', ''],
])('%s is shown as %j', (kind, tone) => {
  expect(toneOfEntry(kind, 'waiting')).toBe(tone);
});
