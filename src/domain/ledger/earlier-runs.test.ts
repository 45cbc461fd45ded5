import { describe, expect, it } from 'vitest';
import { findEarlierEffect, findEarlierStep } from './earlier-runs.ts';
import type { LedgerEntry } from './ledger-entry.ts';

type Part = Pick<LedgerEntry, 'kind' | 'run'> & { readonly key?: string; readonly data: unknown };

const chain = (...parts: readonly Part[]) =>
  parts.map((part, index) => ({ seq: index + 1, ...part })) as unknown as LedgerEntry[];

const started = (run: string, dryRun = false): Part => ({
  kind: 'run-started',
  run,
  data: { request: { dryRun } },
});
const step = (run: string, name: string): Part => ({
  kind: 'step-done',
  run,
  key: `${run}/${name}`,
  data: { step: name, result: `${run} ${name}` },
});
const intended = (run: string, attempt = 1, dryRun = false, kind = 'create-issue'): Part => ({
  kind: 'effect-intended',
  run,
  key: `${run}/report/x#${attempt}`,
  data: { effect: { kind }, dryRun },
});
const failed = (run: string, attempt = 1): Part => ({
  kind: 'effect-failed',
  run,
  key: `${run}/report/x#${attempt}`,
  data: {},
});
const done = (run: string, number: number, attempt = 1): Part => ({
  kind: 'effect-receipted',
  run,
  key: `${run}/report/x#${attempt}`,
  data: { result: { number, url: '' }, found: false },
});

describe('findEarlierEffect', () => {
  it.each<[string, Part[], unknown]>([
    ['nothing', [], null],
    [
      'what another run did',
      [intended('a'), done('a', 7)],
      { state: 'done', result: { number: 7, url: '' } },
    ],
    ['what another run began', [intended('a')], { state: 'begun', run: 'a' }],
    ['not its own', [intended('me'), done('me', 7)], null],
    ['not what failed', [intended('a'), failed('a')], null],
    [
      'what was done after a failure',
      [intended('a'), failed('a'), intended('a', 2), done('a', 8, 2)],
      { state: 'done', result: { number: 8, url: '' } },
    ],
    ['not what a dry run wrote down', [intended('a', 1, true)], null],
    ['no other kind', [intended('a', 1, false, 'create-comment'), done('a', 7)], null],
    [
      'the done before the begun',
      [intended('a'), done('a', 7), intended('b')],
      { state: 'done', result: { number: 7, url: '' } },
    ],
  ])('finds %s', (_, parts, found) =>
    expect(findEarlierEffect(chain(...parts), 'create-issue', 'report/x', 'me')).toEqual(found),
  );

  it('does not take a longer key for it', () =>
    expect(findEarlierEffect(chain(intended('a')), 'create-issue', 'report', 'me')).toBeNull());
});

describe('findEarlierStep', () => {
  it('finds the newest of another run that was meant', () => {
    const entries = chain(
      started('a'),
      step('a', 'plan'),
      started('b'),
      step('b', 'plan'),
      step('b', 'other'),
      started('dry', true),
      step('dry', 'plan'),
      started('me'),
      step('me', 'plan'),
    );
    expect(findEarlierStep(entries, 'plan', 'me')?.data.result).toBe('b plan');
    expect(findEarlierStep(entries.slice(0, 2), 'plan', 'a')).toBeNull();
  });
});
