/** What every keeper of LangGraph's checkpoints has to do: the next process goes on where the last one was. */
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sha256 } from '../../src/domain/ledger/hash.ts';

/** A process that works on runs. */
interface CheckpointsProcess {
  readonly saver: BaseCheckpointSaver;
  putText(text: string): Promise<Sha256>;
  getText(hash: Sha256): Promise<string>;
}

export interface CheckpointsWorld {
  /** A process that may write what it knows of that run. The one before it has ended in order. */
  next(run: string): Promise<CheckpointsProcess>;
  close(): Promise<void>;
}

const thread = (run: string, checkpoint_id?: string) => ({
  configurable: {
    ...{ thread_id: run, checkpoint_ns: '' },
    ...(checkpoint_id === undefined ? {} : { checkpoint_id }),
  },
});

export async function putCheckpoint(
  saver: BaseCheckpointSaver,
  run: string,
  id: string,
  step: number,
  parent?: string,
): Promise<void> {
  const checkpoint = { v: 4, id, ts: '', channel_values: { step }, channel_versions: {}, versions_seen: {} };
  await saver.put(thread(run, parent), checkpoint, { source: 'loop', step, parents: {} }, {});
}

export async function newestOf(saver: BaseCheckpointSaver, run: string): Promise<string | undefined> {
  return (await saver.getTuple(thread(run)))?.checkpoint.id;
}

export function describeCheckpoints(name: string, open: () => Promise<CheckpointsWorld>): void {
  describe(`${name}: checkpoints`, () => {
    let world: CheckpointsWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    // As LangGraph makes them: the time comes first.
    const later = '1f0c3a5e-8f00-6000-8001-000000000000';
    const earlier = '1f0c2a5e-8f00-6000-8002-000000000000';

    it('the newest is the one that was written last, though its id is smaller', async () => {
      const { saver } = await world.next('R');
      expect(earlier < later).toBe(true);
      await putCheckpoint(saver, 'R', later, 1);
      await putCheckpoint(saver, 'R', earlier, 2, later);
      for (const one of [saver, (await world.next('R')).saver]) {
        const newest = await one.getTuple(thread('R'));
        expect(newest?.checkpoint).toMatchObject({ id: earlier, channel_values: { step: 2 } });
        expect(newest?.metadata).toMatchObject({ source: 'loop', step: 2 });
        expect(newest?.config.configurable?.checkpoint_id).toBe(earlier);
        expect(newest?.parentConfig?.configurable?.checkpoint_id).toBe(later);
        expect((await one.getTuple(thread('R', later)))?.metadata?.step).toBe(1);
        expect(await one.getTuple(thread('T'))).toBeUndefined();
      }
    });

    it('in any order of ids, over several processes, and beside other runs', async () => {
      const ids = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(ids, fc.uuid(), async (all, run) => {
          for (const [step, id] of all.entries()) {
            await putCheckpoint((await world.next(`${run}-other`)).saver, `${run}-other`, id, step);
            const { saver } = await world.next(run);
            await putCheckpoint(saver, run, id, step);
            expect(await newestOf(saver, run)).toBe(id);
          }
          expect(await newestOf((await world.next(run)).saver, run)).toBe(all.at(-1));
        }),
        { numRuns: 2 },
      );
    });

    it('what a task wrote stays with its checkpoint; LangGraph writes its own anew', async () => {
      const { saver } = await world.next('R');
      await putCheckpoint(saver, 'R', later, 1);
      const at = thread('R', later);
      await saver.putWrites(
        at,
        [
          ['run', { sum: 1 }],
          ['other', 'ü \ud800'],
        ],
        'task',
      );
      await saver.putWrites(
        at,
        [
          ['run', { sum: 2 }],
          ['other', 'no'],
        ],
        'task',
      );
      await saver.putWrites(at, [['__interrupt__', ['first']]], 'task');
      await saver.putWrites(at, [['__interrupt__', ['second']]], 'task');
      await saver.putWrites(thread('R', earlier), [['run', 'of none that is kept']], 'task');
      for (const one of [saver, (await world.next('R')).saver]) {
        const writes = (await one.getTuple(thread('R')))?.pendingWrites ?? [];
        expect(writes).toHaveLength(3);
        expect(new Map(writes.map(([, channel, value]) => [channel, value]))).toEqual(
          new Map<string, unknown>([
            ['run', { sum: 1 }],
            ['other', 'ü \ud800'],
            ['__interrupt__', ['second']],
          ]),
        );
      }
    });

    it('are listed, newest first', async () => {
      const { saver } = await world.next('R');
      await putCheckpoint(saver, 'R', earlier, 1);
      await putCheckpoint(saver, 'R', later, 2, earlier);
      const listed = async (options?: Parameters<typeof saver.list>[1]): Promise<(number | undefined)[]> => {
        const steps: (number | undefined)[] = [];
        for await (const { metadata } of saver.list(thread('R'), options)) steps.push(metadata?.step);
        return steps;
      };
      expect(await listed()).toEqual([2, 1]);
      expect(await listed({ limit: 1 })).toEqual([2]);
      expect(await listed({ before: thread('R', later) })).toEqual([1]);
      expect(await listed({ filter: { step: 1 } })).toEqual([1]);
    });

    it('those of a thread that is deleted are gone, and others stay', async () => {
      const { saver } = await world.next('R');
      await putCheckpoint(saver, 'R', later, 1);
      await saver.putWrites(thread('R', later), [['run', 1]], 'task');
      const other = await world.next('S');
      await putCheckpoint(other.saver, 'S', later, 1);
      const last = await world.next('R');
      await last.saver.deleteThread('R');
      expect(await newestOf(last.saver, 'R')).toBeUndefined();
      const { saver: next } = await world.next('R');
      expect([await newestOf(next, 'R'), await newestOf(next, 'S')]).toEqual([undefined, later]);
    });

    it('come with the texts that they name, though no entry of the ledger was written since', async () => {
      const first = await world.next('R');
      const inCheckpoint = await first.putText('A report.');
      await putCheckpoint(first.saver, 'R', inCheckpoint, 1);
      const inWrites = await first.putText('Another report.');
      await first.saver.putWrites(thread('R', inCheckpoint), [['run', { report: inWrites }]], 'task');
      const { getText } = await world.next('R');
      expect([await getText(inCheckpoint), await getText(inWrites)]).toEqual([
        'A report.',
        'Another report.',
      ]);
    });
  });
}
