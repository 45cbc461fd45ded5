/** The lists that are kept beside the ledger, and how each takes one more entry into account. */
import { begunAgentRun } from '../../domain/ledger/begun-agent-run.ts';
import type { EntryKind, EntryOf, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';
import { openEventsOfLedger } from './open-events-schema.ts';
import { costAtMostOfRun, costOfRun, runColumns, runsOfLedger, waitingColumns } from './runs-schema.ts';
import type { TableProjection } from './table-projection.ts';
import { agentOfCancelled, isAwaitedRun, waitingOfLedger } from './waiting-query.ts';

export const listProjections: readonly TableProjection[] = [
  {
    table: 'open_events',
    columns: 'delivery, id, subject, event, received_at',
    fromLedger: openEventsOfLedger,
    ofWhat: 'open events',
    extra: 'it is not open',
  },
  {
    table: 'runs',
    columns: runColumns,
    fromLedger: runsOfLedger,
    ofWhat: 'runs',
    extra: 'it stands otherwise',
  },
  {
    table: 'waiting',
    columns: waitingColumns,
    fromLedger: waitingOfLedger,
    ofWhat: 'what waits for a person',
    extra: 'it does not wait for that',
  },
];

type Values = readonly (string | number | bigint | null | undefined)[];

class Lists {
  readonly #database: SqliteDatabase;
  readonly #id: number | bigint;

  constructor(database: SqliteDatabase, id: number | bigint) {
    this.#database = database;
    this.#id = id;
  }

  #run(sql: string, ...values: Values): void {
    prepareOnce(this.#database, sql).run(...values);
  }

  openEvent({ key, subject, data, at }: EntryOf<'event-received'>): void {
    const sql = 'INSERT INTO open_events (delivery, id, subject, event, received_at) VALUES (?, ?, ?, ?, ?)';
    this.#run(sql, key, this.#id, subject, data.event, at);
  }

  closeEvent(delivery: string | undefined): void {
    this.#run('DELETE FROM open_events WHERE delivery = ?', delivery);
  }

  beginRun({ run, subject, at, data: { request } }: EntryOf<'run-started'>): void {
    const { repository, root, workflow, dryRun } = request;
    this.#run(
      `INSERT OR IGNORE INTO runs (run, id, subject, repository, root, workflow, dry_run, last_id, changed_at, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')`,
      ...[run, this.#id, subject, repository, root, workflow, Number(dryRun), this.#id, at],
    );
  }

  changeRun({ run, at }: LedgerEntry, state: 'open' | 'done' | 'dropped'): void {
    const sql = 'UPDATE runs SET last_id = ?, changed_at = ?, state = ? WHERE run = ?';
    this.#run(sql, this.#id, at, state, run);
  }

  moveRun({ run }: LedgerEntry, root: string): void {
    this.#run('UPDATE runs SET root = ? WHERE run = ?', root, run);
  }

  enterNode({ run, data }: EntryOf<'node-begun'>): void {
    this.#run('UPDATE runs SET node = ? WHERE run = ?', data.node, run);
  }

  /** Computed again from the ledger: the upper bound of a grant's cost ends with the entry that names the real cost. */
  addUp({ run }: LedgerEntry): void {
    this.#run(
      `UPDATE runs SET cost = ${costOfRun('runs.run')}, cost_at_most = ${costAtMostOfRun('runs.run')} WHERE run = ?`,
      run,
    );
  }

  wait({ subject, at }: LedgerEntry, what: string, handle: string | undefined): void {
    const sql = 'INSERT INTO waiting (id, subject, at, what, handle) VALUES (?, ?, ?, ?, ?)';
    this.#run(sql, this.#id, subject, at, what, handle ?? null);
  }

  endPlan({ subject }: LedgerEntry): void {
    this.#run(`DELETE FROM waiting WHERE subject = ? AND what = 'plan'`, subject);
  }

  endLoop({ subject }: LedgerEntry): void {
    this.#run(`DELETE FROM waiting WHERE subject = ? AND what IN ('continue', 'fix', 'conflict')`, subject);
  }

  endMerge({ subject }: LedgerEntry): void {
    this.#run(`DELETE FROM waiting WHERE subject = ? AND what = 'merge'`, subject);
  }

  /** Work was cancelled that an issue or pull request does not move without. */
  cancel(entry: EntryOf<'run-ended'>): void {
    const isAwaited = prepareOnce(this.#database, isAwaitedRun).get(entry.run) !== undefined;
    if (isAwaited) this.wait(entry, 'cancelled', entry.data.handle);
  }

  /** @param agent null means all of them */
  endCancelled({ subject }: LedgerEntry, agent: string | null): void {
    this.#run(
      `DELETE FROM waiting WHERE subject = ? AND what = 'cancelled'
         AND (? IS NULL OR ${agentOfCancelled('waiting.id')} = ?)`,
      ...[subject, agent, agent],
    );
  }

  dismissRun({ run }: LedgerEntry): void {
    this.#run(`UPDATE runs SET state = 'dismissed' WHERE run = ? AND state = 'open'`, run);
    this.#run(
      `DELETE FROM waiting WHERE what = 'cancelled'
         AND id IN (SELECT id FROM ledger WHERE run = ? AND kind = 'run-ended')`,
      run,
    );
  }

  /** A task that a run hands on to the next one is no order. */
  isOrder(entry: EntryOf<'run-started'>): boolean {
    const begun = begunAgentRun(entry);
    if (begun?.agent !== 'implementer') return false;
    const sql = `SELECT json_extract(data, '$.kind') FROM ledger WHERE kind = 'event-received' AND key = ?`;
    const kind = prepareOnce(this.#database, sql).pluck().get(begun.delivery);
    return typeof kind === 'string' && kind !== 'handed-on';
  }
}

const folds: { readonly [K in EntryKind]?: (lists: Lists, entry: EntryOf<K>) => void } = {
  'event-received': (lists, entry) => {
    lists.openEvent(entry);
    if (entry.data.kind !== 'pull-request-closed') return;
    lists.endLoop(entry);
    lists.endMerge(entry);
    lists.endCancelled(entry, null);
  },
  'event-settled': (lists, entry) => lists.closeEvent(entry.key),
  'run-started': (lists, entry) => {
    lists.beginRun(entry);
    if (lists.isOrder(entry)) lists.endLoop(entry);
    // It looks anew at what keeps the pull request from being merged.
    const begun = begunAgentRun(entry);
    if (begun?.agent === 'auto-merge') lists.endMerge(entry);
    if (begun !== null) lists.endCancelled(entry, begun.agent);
  },
  'run-resumed': (lists, entry) => {
    lists.changeRun(entry, 'open');
    if (entry.data.root !== undefined) lists.moveRun(entry, entry.data.root);
  },
  'run-stopped': (lists, entry) => lists.changeRun(entry, 'open'),
  'run-ended': (lists, entry) => {
    lists.changeRun(entry, 'done');
    if (entry.data.reason.code === 'cancelled') lists.cancel(entry);
  },
  'run-dropped': (lists, entry) => lists.changeRun(entry, 'dropped'),
  'run-dismissed': (lists, entry) => lists.dismissRun(entry),
  'node-begun': (lists, entry) => lists.enterNode(entry),
  'prompt-sent': (lists, entry) => {
    if (entry.data.grant !== undefined) lists.addUp(entry);
  },
  'work-metered': (lists, entry) => lists.addUp(entry),
  'model-answered': (lists, entry) => lists.addUp(entry),
  'model-failed': (lists, entry) => lists.addUp(entry),
  'plan-proposed': (lists, entry) => {
    lists.endPlan(entry);
    lists.wait(entry, 'plan', entry.data.handle);
  },
  'plan-approved': (lists, entry) => lists.endPlan(entry),
  'pull-request-made': (lists, entry) => lists.endPlan(entry),
  'limit-reached': (lists, entry) => {
    lists.endLoop(entry);
    const { what, handle } = entry.data;
    if (what === 'continue' || what === 'fix' || what === 'conflict') lists.wait(entry, what, handle);
  },
  'merge-waits': (lists, entry) => {
    lists.endMerge(entry);
    lists.wait(entry, 'merge', undefined);
  },
  'code-reviewed': (lists, entry) => {
    if (!entry.data.isClean) return;
    lists.endLoop(entry);
    lists.endCancelled(entry, null);
  },
};

/** Called in the transaction that appends the entry. */
export function foldLists(database: SqliteDatabase, entry: LedgerEntry, id: number | bigint): void {
  const fold = folds[entry.kind] as ((lists: Lists, entry: LedgerEntry) => void) | undefined;
  fold?.(new Lists(database, id), entry);
}
