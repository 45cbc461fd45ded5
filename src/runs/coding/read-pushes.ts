/** What a run has pushed of one piece of work, and what it wanted to push, read from its entries on the ledger. Pure. */
import type { EffectOf } from '../../domain/ledger/effect.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';

/** The effect that moves a branch forward, and the one that takes back what was pushed on the way. */
type PushKind = 'push' | 'take-back';

/** A push that was begun, under the key that was given to `perform`. */
interface BegunPush {
  readonly key: string;
  readonly effect: EffectOf<'push-branch'>;
  /** Whether it is written down as work of the run. */
  readonly isDone: boolean;
  readonly hasFailed: boolean;
}

export interface Pushes {
  /** Where this piece of work was left; null when nothing of it was pushed. */
  readonly last: string | null;
  /** How often the branch was moved. */
  readonly count: number;
  /** Newest first. */
  readonly begun: readonly BegunPush[];
}

const taskForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

function prefixOf(task: string | undefined): string {
  if (task === undefined) return '';
  if (!taskForm.test(task)) throw new TypeError(`"${task}" is no name for a piece of work`);
  return `task/${task}/`;
}

/** The key of an effect that moves the branch to or away from a commit. */
export function pushKey(task: string | undefined, kind: PushKind, commit: string): string {
  return `${prefixOf(task)}${kind}/${commit}`;
}

/** The key of the entry that says that a push is done. */
export function doneKey(runId: string, task: string | undefined, effectKey: string): string {
  const prefix = prefixOf(task);
  return `${runId}/${prefix}${effectKey.slice(prefix.length).replace(/^push\//u, '')}`;
}

/** What stands behind the run and the task in a key; null when it belongs to another piece of work. */
function keyWithin(prefix: string, key: string | undefined): string | null {
  return key?.startsWith(prefix) === true ? key.slice(prefix.length) : null;
}

export function readPushes(entries: readonly LedgerEntry[], runId: string, task?: string): Pushes {
  const own = entries.filter((entry) => entry.run === runId);
  const prefix = `${runId}/${prefixOf(task)}`;
  const failed = new Set(own.flatMap((entry) => (entry.kind === 'effect-failed' ? [entry.key] : [])));
  const done = own.flatMap((entry) =>
    entry.kind === 'work-pushed' && /^(?:take-back\/)?[0-9a-f]+$/u.test(keyWithin(prefix, entry.key) ?? '')
      ? [entry]
      : [],
  );
  const doneKeys = new Set(done.map(({ key }) => key));
  const begun = own.toReversed().flatMap((entry): BegunPush[] => {
    if (entry.kind !== 'effect-intended' || entry.data.dryRun) return [];
    const { effect } = entry.data;
    if (effect.kind !== 'push-branch') return [];
    // `perform` counts attempts behind a hash sign.
    const within = /^((?:push|take-back)\/[0-9a-f]+)#\d+$/u.exec(keyWithin(prefix, entry.key) ?? '')?.[1];
    if (within === undefined) return [];
    const key = `${prefixOf(task)}${within}`;
    return [
      { key, effect, isDone: doneKeys.has(doneKey(runId, task, key)), hasFailed: failed.has(entry.key) },
    ];
  });
  return { last: done.at(-1)?.data.commit ?? null, count: done.length, begun };
}
