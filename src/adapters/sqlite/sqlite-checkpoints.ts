/**
 * LangGraph's checkpoints in the same database, with its errors told in our words. Loaded only when a run runs.
 *
 * A checkpoint saves repeating a node and decides nothing: a node that is executed again finds its model calls, effects
 * and answers on the ledger. So checkpoints do not wait for the disk, as the saver of LangGraph has them do.
 */
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';
import { withoutSync } from './without-sync.ts';

export class SqliteCheckpoints extends SqliteSaver {
  readonly #database: SqliteDatabase;
  readonly #keepTexts: () => void;

  /** @param keepTexts writes the texts that a checkpoint may name by their hash and that are not in the database yet */
  constructor(database: SqliteDatabase, keepTexts: () => void) {
    super(database);
    this.#database = database;
    this.#keepTexts = keepTexts;
  }

  /**
   * The newest checkpoint is the one that was written last. LangGraph's saver takes the one with the greatest id, which is
   * made of the time: after a clock has gone back it is an old one, and the run does the same again, for ever.
   */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = config.configurable ?? {};
    if (checkpoint_id) return super.getTuple(config);
    this.setup();
    const newest = prepareOnce(
      this.#database,
      // Rows are numbered as they are written: each new one gets the greatest number.
      'SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY rowid DESC LIMIT 1',
    )
      .pluck()
      .get(thread_id, checkpoint_ns);
    if (newest === undefined) return undefined;
    return super.getTuple({ configurable: { thread_id, checkpoint_ns, checkpoint_id: newest } });
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns = '', checkpoint_id: parent } = config.configurable ?? {};
    const checkpoint_id = checkpoint.id;
    const [[type, content], [, about]] = await Promise.all([
      this.serde.dumpsTyped(copyCheckpoint(checkpoint)),
      this.serde.dumpsTyped(metadata),
    ]);
    this.#commit(() =>
      prepareOnce(
        this.#database,
        `INSERT OR REPLACE INTO checkpoints
           (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ).run(thread_id, checkpoint_ns, checkpoint_id, parent, type, content, about),
    );
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = config.configurable ?? {};
    const rows = await Promise.all(
      writes.map(async ([channel, value], index) => [
        ...[thread_id, checkpoint_ns, checkpoint_id, taskId],
        ...[WRITES_IDX_MAP[channel] ?? index, channel, ...(await this.serde.dumpsTyped(value))],
      ]),
    );
    // Those of LangGraph itself, such as an interrupt, have one place each and may be written anew.
    const isOwn = writes.every(([channel]) => channel in WRITES_IDX_MAP);
    this.#commit(() => {
      const insert = prepareOnce(
        this.#database,
        `INSERT OR ${isOwn ? 'REPLACE' : 'IGNORE'} INTO writes
           (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      this.#database.transaction(() => {
        for (const row of rows) insert.run(...row);
      })();
    });
  }

  /** Finished within one turn: what other parts commit in between waits for the disk as they say. */
  #commit(write: () => unknown): void {
    this.setup();
    try {
      const both = this.#database.transaction(() => {
        this.#keepTexts();
        write();
      });
      withoutSync(this.#database, () => both.immediate());
    } catch (error) {
      explainDatabaseError(error, this.#database.name);
    }
  }
}
