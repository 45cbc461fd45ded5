/** LangGraph's checkpoints in the same database, with its errors told in our words. Loaded only when a run runs. */
import type { RunnableConfig } from '@langchain/core/runnables';
import type {
  Checkpoint,
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
} from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';

export class SqliteCheckpoints extends SqliteSaver {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super(database);
    this.#database = database;
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
    try {
      return await super.put(config, checkpoint, metadata);
    } catch (error) {
      return explainDatabaseError(error, this.#database.name);
    }
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    try {
      await super.putWrites(config, writes, taskId);
    } catch (error) {
      explainDatabaseError(error, this.#database.name);
    }
  }
}
