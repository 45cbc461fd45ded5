/** LangGraph's checkpoints in the same database, with its errors told in our words. Loaded only when a run runs. */
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Checkpoint, CheckpointMetadata, PendingWrite } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { explainDatabaseError, type SqliteDatabase } from './database.ts';

export class SqliteCheckpoints extends SqliteSaver {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super(database);
    this.#database = database;
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
