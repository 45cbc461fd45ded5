/** What is read of a run's pushes is its own and of one piece of work, whatever other runs and pieces are called. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import type { LedgerEntry, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import { doneKey, pushKey, readPushes } from './read-pushes.ts';

const sha = (digit: string): string => digit.repeat(40);

interface Deed {
  readonly run: string;
  readonly task: string | undefined;
  readonly kind: 'push' | 'take-back';
  readonly commit: string;
  readonly attempt: number;
  readonly end: 'cut-off' | 'failed' | 'done';
  readonly dryRun: boolean;
}

function entriesOf(deeds: readonly Deed[]): LedgerEntry[] {
  const made = deeds.flatMap(({ run, task, kind, commit, attempt, end, dryRun }): NewEntry[] => {
    const common = { subject: 'o/r#1', run, actor: 'a' };
    const key = pushKey(task, kind, commit);
    const effect = { kind: 'push-branch', repository: 'o/r', branch: 'b', commit, expected: null } as const;
    const attemptKey = `${run}/${key}#${attempt}`;
    return [
      { ...common, kind: 'effect-intended', key: attemptKey, data: { effect, dryRun } },
      ...(end === 'failed'
        ? [
            {
              ...common,
              kind: 'effect-failed' as const,
              key: attemptKey,
              data: { code: 'internal' as const, message: '' },
            },
          ]
        : []),
      ...(end === 'done'
        ? [
            {
              ...common,
              kind: 'work-pushed' as const,
              key: doneKey(run, task, key),
              data: { issue: 1, branch: 'b', commit },
            },
          ]
        : []),
    ];
  });
  return made.map((entry, index) => ({ ...entry, seq: index + 1, at: '' }) as unknown as LedgerEntry);
}

describe('pushes of a run', () => {
  it('have the keys that runs of former versions gave them, where there is one piece of work', () => {
    expect(pushKey(undefined, 'push', sha('a'))).toBe(`push/${sha('a')}`);
    expect(pushKey(undefined, 'take-back', sha('a'))).toBe(`take-back/${sha('a')}`);
    expect(doneKey('R', undefined, `push/${sha('a')}`)).toBe(`R/${sha('a')}`);
    expect(doneKey('R', undefined, `take-back/${sha('a')}`)).toBe(`R/take-back/${sha('a')}`);
    expect(pushKey('US-001', 'push', sha('a'))).toBe(`task/US-001/push/${sha('a')}`);
    expect(doneKey('R', 'US-001', `task/US-001/push/${sha('a')}`)).toBe(`R/task/US-001/${sha('a')}`);
  });

  it('tell what was pushed last, and what was begun, newest first', () => {
    const common = { run: 'R', task: undefined, kind: 'push', attempt: 1, dryRun: false } as const;
    const read = readPushes(
      entriesOf([
        { ...common, commit: sha('a'), end: 'done' },
        { ...common, commit: sha('b'), end: 'failed' },
        { ...common, kind: 'take-back', commit: sha('a'), end: 'cut-off' },
        { ...common, commit: sha('c'), end: 'cut-off', dryRun: true },
      ]),
      'R',
    );
    expect(read).toMatchObject({ last: sha('a'), count: 1 });
    expect(read.begun.map(({ key, isDone, hasFailed }) => [key, isDone, hasFailed])).toEqual([
      [`take-back/${sha('a')}`, false, false],
      [`push/${sha('b')}`, false, true],
      [`push/${sha('a')}`, true, false],
    ]);
  });

  it.each(['', '.', 'a/b', '../x', 'a b', 'a#1', '-x', 'é', 'x'.repeat(65), 'a\n'])(
    'are not given a name that could be taken for another: %j',
    (task) => {
      expect(() => pushKey(task, 'push', sha('a'))).toThrow(TypeError);
    },
  );

  it('are those of this run and this piece of work, and no others', () => {
    const names = fc.oneof(
      fc.constantFrom(undefined, 'push', 'take-back', 'task', 'R', 'a', 'US-001', sha('a')),
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,8}$/u),
    );
    const runs = fc.constantFrom('R', 'R1', 'task', 'push', 'take-back');
    const deed = fc.record<Deed>({
      run: runs,
      task: names,
      kind: fc.constantFrom('push', 'take-back'),
      commit: fc.constantFrom('0', 'a', 'b').map(sha),
      attempt: fc.integer({ min: 1, max: 12 }),
      end: fc.constantFrom('cut-off', 'failed', 'done'),
      dryRun: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 12 }), runs, names, (deeds, run, task) => {
        const read = readPushes(entriesOf(deeds), run, task);
        const own = deeds.filter((one) => one.run === run && one.task === task);
        const done = own.filter(({ end }) => end === 'done');
        expect(read.count).toBe(done.length);
        expect(read.last).toBe(done.at(-1)?.commit ?? null);
        expect(read.begun.map(({ key, effect }) => [key, effect.commit])).toEqual(
          own
            .filter(({ dryRun }) => !dryRun)
            .map(({ kind, commit }) => [pushKey(task, kind, commit), commit])
            .toReversed(),
        );
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});
