/** Checkpoints on a git ref pass the contract of checkpoints; they are those of the last holder of a lease, signed, and few. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitCheckpoints } from '../../src/adapters/git-ledger/git-checkpoints.ts';
import { checkpointFile } from '../../src/adapters/git-ledger/ledger-files.ts';
import { ledgerRef } from '../../src/adapters/git-ledger/ledger-place.ts';
import { WaitingCheckpoints } from '../../src/adapters/git-ledger/waiting-checkpoints.ts';
import { writeCommit } from '../../src/adapters/git-ledger/write-commit.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { Lease } from '../../src/ports/leases.ts';
import { describeCheckpoints, newestOf, putCheckpoint } from './checkpoints.contract.ts';
import { expectCode } from './expect-code.ts';
import { GitLedgerWorld, LedgerMachine } from './git-ledger-world.ts';

const subjectOf = (run: string): string => `local/project:${run}`;

const started = (run: string): NewEntry => ({
  ...{ subject: subjectOf(run), run, actor: 'alice', key: run },
  kind: 'run-started',
  data: {
    request: {
      ...{
        workflow: 'loop',
        isQuick: false,
        repository: 'local/project',
        root: '/project',
        title: 'T',
        number: 1,
      },
      dryRun: false,
    },
  },
});

/** A machine that has the lease of a run, whoever had it before. */
async function take(machine: LedgerMachine, run: string): Promise<{ saver: GitCheckpoints; lease: Lease }> {
  await machine.ledger.appendNew([started(run)]);
  const lease = await machine.leasesOf('alice').seize(subjectOf(run));
  return { saver: new GitCheckpoints(machine.shared.checkpoints), lease };
}

describeCheckpoints('GitCheckpoints', async () => {
  const world = new GitLedgerWorld('remote');
  let lease: Lease | null = null;
  return {
    async next(run) {
      await lease?.release();
      const machine = world.addMachine();
      const taken = await take(machine, run);
      lease = taken.lease;
      return {
        saver: taken.saver,
        putText: (text) => machine.ledger.putText(text),
        getText: (hash) => machine.ledger.getText(hash),
      };
    },
    close: async () => world.remove(),
  };
});

describe('checkpoints on a git ref', () => {
  let world: GitLedgerWorld;
  beforeEach(() => {
    world = new GitLedgerWorld('remote');
  });
  afterEach(() => world.remove());

  const git = (...words: string[]): string => world.git('-C', world.repository, ...words).trim();
  const filesOf = (): string[] =>
    git('ls-tree', '-r', '--name-only', ledgerRef, 'checkpoints/')
      .split('\n')
      .filter((line) => line !== '');
  const ended = (run: string): NewEntry => ({
    ...{ subject: subjectOf(run), run, actor: 'alice', kind: 'run-ended' },
    data: { reason: { code: 'finished', message: '', owner: 'nobody', resume: '' }, result: null },
  });

  it('go with the next entry in one commit, and nothing of them is there before', async () => {
    const machine = world.addMachine();
    const { saver, lease } = await take(machine, 'R');
    const tip = git('rev-parse', ledgerRef);
    for (let step = 1; step <= 5; step += 1) await putCheckpoint(saver, 'R', `id-${step}`, step);
    expect(git('rev-parse', ledgerRef)).toBe(tip);
    // Another machine takes over from one that was killed: the checkpoints were never written.
    expect(await newestOf((await take(world.addMachine(), 'R')).saver, 'R')).toBeUndefined();
    // The first one goes on, without having noticed.
    await putCheckpoint(saver, 'R', 'id-6', 6);
    await lease.release();
    expect(filesOf()).toEqual([]);
    const { saver: again, lease: own } = await take(machine, 'R');
    expect(await newestOf(again, 'R')).toBeUndefined();
    await putCheckpoint(again, 'R', 'id-7', 7);
    const before = Number(git('rev-list', '--count', ledgerRef));
    await machine.ledger.append(
      [{ ...started('R'), key: 'again', kind: 'node-begun', data: { node: 'a', step: 1 } }],
      own,
    );
    expect(Number(git('rev-list', '--count', ledgerRef))).toBe(before + 1);
    expect(filesOf()).toEqual([checkpointFile('R')]);
  });

  it('of a run that has ended are removed with its last entry, and never come back', async () => {
    const machine = world.addMachine();
    const { saver, lease } = await take(machine, 'R');
    const other = await take(machine, 'S');
    for (const run of ['R', 'S']) await putCheckpoint(saver, run, 'id-1', 1);
    await machine.ledger.append([], lease);
    expect(filesOf()).toHaveLength(2);
    const before = Number(git('rev-list', '--count', ledgerRef));
    await machine.ledger.append([ended('R')], lease);
    expect(Number(git('rev-list', '--count', ledgerRef))).toBe(before + 1);
    await putCheckpoint(saver, 'R', 'id-2', 2);
    await lease.release();
    expect(filesOf()).toEqual([checkpointFile('S')]);
    // A process without checkpoints of its own removes them too.
    await other.lease.release();
    await world.addMachine().ledger.append([{ ...ended('S'), kind: 'run-dropped', data: { why: 'x' } }]);
    expect(filesOf()).toEqual([]);
    expect((await machine.ledger.verify()).problems).toEqual([]);
  });

  it('beyond a size stay here, and the ones before them on the ref', async () => {
    const machine = world.addMachine();
    const { saver, lease } = await take(machine, 'R');
    await putCheckpoint(saver, 'R', 'id-1', 1);
    await machine.ledger.append([], lease);
    const text = 'x'.repeat(5_000_000);
    await saver.putWrites({ configurable: { thread_id: 'R', checkpoint_id: 'id-1' } }, [['run', text]], 't');
    await putCheckpoint(saver, 'R', 'id-2', 2);
    await lease.release();
    expect(await newestOf(saver, 'R')).toBe('id-2');
    const next = (await take(world.addMachine(), 'R')).saver;
    expect(await newestOf(next, 'R')).toBe('id-1');
    expect(Number(git('cat-file', '-s', `${ledgerRef}:${checkpointFile('R')}`))).toBeLessThan(10_000);
  });

  it('are few and small, however long a run goes on', async () => {
    const machine = world.addMachine();
    const { saver, lease } = await take(machine, 'R');
    for (let step = 1; step <= 50; step += 1)
      await putCheckpoint(saver, 'R', `id-${step}`, step, `id-${step - 1}`);
    await lease.release();
    expect(Number(git('cat-file', '-s', `${ledgerRef}:${checkpointFile('R')}`))).toBeLessThan(2_000);
  });

  it('are not believed when something else wrote them', async () => {
    const machine = world.addMachine();
    const { saver, lease } = await take(machine, 'R');
    await putCheckpoint(saver, 'R', 'id-1', 1);
    await lease.release();
    const path = checkpointFile('R');
    const text = git('show', `${ledgerRef}:${path}`);
    for (const changed of [text.replace('id-1', 'id-0'), text.replace('"R"', '"S"'), '{}']) {
      const changes = new Map([[path, `${changed}\n`]]);
      const place = new LedgerMachine(
        'local',
        world.repository,
        mkdtempSync(join(world.folder, 'x-')),
        world.clock,
      ).place;
      const tip = git('rev-parse', ledgerRef);
      git('update-ref', ledgerRef, await writeCommit(place, tip, { changes, message: 'x', at: 0 }));
      const fresh = await take(world.addMachine(), 'R');
      await expectCode(newestOf(fresh.saver, 'R'), 'ledger-broken');
      expect((await machine.ledger.verify()).problems).toMatchObject([{ problem: 'changed' }]);
      await fresh.saver.deleteThread('R').catch(() => undefined);
    }
  });

  it('hold bytes as they were', async () => {
    const machine = world.addMachine();
    const { saver, lease } = await take(machine, 'R');
    const at = { configurable: { thread_id: 'R', checkpoint_id: 'id-1' } };
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await putCheckpoint(saver, 'R', 'id-1', 1);
    await saver.putWrites(at, [['run', bytes]], 'task');
    await lease.release();
    const tuple = await (await take(world.addMachine(), 'R')).saver.getTuple(at);
    expect(Buffer.from(tuple?.pendingWrites?.[0]?.[2] as Uint8Array).equals(bytes)).toBe(true);
  });

  it('of a copy of the mirror are used and go nowhere', async () => {
    const machine = world.addMachine();
    const { saver, lease } = await take(machine, 'R');
    await putCheckpoint(saver, 'R', 'id-1', 1);
    await lease.release();
    const scratch = new GitCheckpoints(new WaitingCheckpoints(machine.shared.mirror, null));
    expect(await newestOf(scratch, 'R')).toBe('id-1');
    await putCheckpoint(scratch, 'R', 'id-2', 2);
    expect(await newestOf(scratch, 'R')).toBe('id-2');
    await machine.ledger.append([], lease);
    expect(await newestOf(saver, 'R')).toBe('id-1');
  });
});
