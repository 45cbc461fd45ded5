/**
 * LangGraph's checkpoints on a git ref. They wait in memory for the next commit to the ref, at the latest for the one that
 * gives the lease back, and go there together with the texts that they name: a process that is killed before has not
 * written them. Loaded only when a run runs.
 */
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import type { KeptCheckpoint, KeptThread, KeptValue, KeptWrite } from './checkpoint-files.ts';
import type { WaitingCheckpoints } from './waiting-checkpoints.ts';

/** The newest is what a run goes on from; what was written to the one before it may come after it. */
const mostKept = 2;

function encode([form, bytes]: [string, Uint8Array]): KeptValue {
  return [form, Buffer.from(bytes).toString(form === 'json' ? 'utf8' : 'base64')];
}

interface Named {
  readonly thread: string;
  readonly ns: string;
  readonly id: string | undefined;
}

function namesOf({ configurable }: RunnableConfig): Named {
  const { thread_id, checkpoint_ns = '', checkpoint_id } = configurable ?? {};
  if (typeof thread_id !== 'string') throw new TypeError('A checkpoint needs the id of its thread.');
  return { thread: thread_id, ns: String(checkpoint_ns), id: checkpoint_id as string | undefined };
}

/** The newest of each name space stay. */
function withNewest(kept: KeptThread, next: KeptCheckpoint): KeptThread {
  const others = kept.checkpoints.filter(({ ns, id }) => ns !== next.ns || id !== next.id);
  const same = [...others.filter(({ ns }) => ns === next.ns), next].slice(-mostKept);
  return { ...kept, checkpoints: [...others.filter(({ ns }) => ns !== next.ns), ...same] };
}

/** Those of LangGraph itself, such as an interrupt, have one place each and may be written anew; others may not. */
function withWrites(
  before: readonly KeptWrite[],
  added: readonly KeptWrite[],
  mayReplace: boolean,
): KeptWrite[] {
  const placeOf = ({ task, index }: KeptWrite): string => `${task}\n${index}`;
  const all = new Map(before.map((write) => [placeOf(write), write]));
  for (const write of added) if (mayReplace || !all.has(placeOf(write))) all.set(placeOf(write), write);
  return [...all.values()];
}

export class GitCheckpoints extends BaseCheckpointSaver {
  readonly #waiting: WaitingCheckpoints;

  constructor(waiting: WaitingCheckpoints) {
    super();
    this.#waiting = waiting;
  }

  async #decode([form, text]: KeptValue): Promise<unknown> {
    return this.serde.loadsTyped(form, form === 'json' ? text : Buffer.from(text, 'base64'));
  }

  async #toTuple(thread: string, kept: KeptCheckpoint): Promise<CheckpointTuple> {
    const configOf = (id: string) => ({
      configurable: { thread_id: thread, checkpoint_ns: kept.ns, checkpoint_id: id },
    });
    return {
      config: configOf(kept.id),
      checkpoint: (await this.#decode(kept.checkpoint)) as Checkpoint,
      metadata: (await this.#decode(kept.metadata)) as CheckpointMetadata,
      pendingWrites: await Promise.all(
        kept.writes.map(
          async ({ task, channel, value }): Promise<[string, string, unknown]> => [
            ...([task, channel] as const),
            await this.#decode(value),
          ],
        ),
      ),
      ...(kept.parent === null ? {} : { parentConfig: configOf(kept.parent) }),
    };
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread, ns, id } = namesOf(config);
    const found = this.#waiting
      .read(thread)
      .checkpoints.findLast((one) => one.ns === ns && (id === undefined || one.id === id));
    return found === undefined ? undefined : this.#toTuple(thread, found);
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread, ns, id } = namesOf(config);
    const end = before?.configurable?.checkpoint_id as string | undefined;
    const all = this.#waiting.read(thread).checkpoints.filter((one) => one.ns === ns);
    const last = end === undefined ? all.length : all.findIndex((one) => one.id === end);
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const one of all.slice(0, Math.max(last, 0)).reverse()) {
      if (id !== undefined && one.id !== id) continue;
      const tuple = await this.#toTuple(thread, one);
      const about = tuple.metadata as Readonly<Record<string, unknown>> | undefined;
      if (Object.entries(filter).some(([name, value]) => about?.[name] !== value)) continue;
      if (left <= 0) return;
      left -= 1;
      yield tuple;
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread, ns, id: parent } = namesOf(config);
    const { id } = checkpoint;
    const [content, about] = await Promise.all([
      this.serde.dumpsTyped(copyCheckpoint(checkpoint)),
      this.serde.dumpsTyped(metadata),
    ]);
    this.#waiting.change(thread, (kept) => {
      // Written before it: tasks and their checkpoint are not waited for in one order everywhere.
      const writes = kept.checkpoints.find((one) => one.ns === ns && one.id === id)?.writes ?? [];
      const next = { ns, id, parent: parent ?? null, writes };
      return withNewest(kept, { ...next, checkpoint: encode(content), metadata: encode(about) });
    });
    return { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread, ns, id } = namesOf(config);
    const added = await Promise.all(
      writes.map(async ([channel, value], index) => ({
        ...{ task: taskId, channel, index: WRITES_IDX_MAP[channel] ?? index },
        value: encode(await this.serde.dumpsTyped(value)),
      })),
    );
    const mayReplace = writes.every(([channel]) => channel in WRITES_IDX_MAP);
    this.#waiting.change(thread, (kept) => ({
      ...kept,
      checkpoints: kept.checkpoints.map((one) =>
        one.ns === ns && one.id === id ? { ...one, writes: withWrites(one.writes, added, mayReplace) } : one,
      ),
    }));
  }

  override async deleteThread(thread: string): Promise<void> {
    this.#waiting.change(thread, (kept) => ({ ...kept, checkpoints: [] }));
  }
}
