/** Edits of files and the moments of effects: with a real repository, a real ledger and real leases. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground } from '../../test/support/playground.ts';
import { rejectedCode } from '../../test/support/thrown-code.ts';
import { GitRepository } from '../adapters/git/git-repository.ts';
import { LocalForge } from '../adapters/local-forge/local-forge.ts';
import { openDatabase, type SqliteDatabase } from '../adapters/sqlite/database.ts';
import { SqliteLeases } from '../adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { GatewrightError } from '../errors.ts';
import type { Lease } from '../ports/leases.ts';
import { EffectRunner } from './effect-runner.ts';
import { makePerformers } from './performers.ts';

let playground: Playground;
let database: SqliteDatabase;
let ledger: SqliteLedger;
let lease: Lease;
let now: Date;

beforeEach(async () => {
  playground = new Playground();
  now = new Date('2026-11-15T10:00:00.000Z');
  database = openDatabase(playground.database);
  ledger = new SqliteLedger(database, { now: () => now }, 'k'.repeat(64));
  const got = await new SqliteLeases(database, systemClock, 'alice').acquire('o/r:s');
  if (!('lease' in got)) throw new Error('the lease is held');
  lease = got.lease;
});
afterEach(() => {
  database.close();
  playground.remove();
});

function makeRunner(dryRun = false): EffectRunner {
  const repository = new GitRepository(playground.repository, {
    environment: playground.environment,
    clock: systemClock,
    worktreeFolder: playground.folder,
  });
  const forge = new LocalForge(database, systemClock, 'alice', process.env);
  return new EffectRunner({
    ledger,
    performers: makePerformers({ repository, forge, transport: forge.transport, texts: ledger }),
    signingKey: 'k'.repeat(64),
    run: 'R1',
    subject: 'o/r:s',
    actor: 'alice',
    fence: lease,
    allowance: { 'edit-file': 3, 'write-file': 3 },
    dryRun,
  });
}

const edit = async (runner: EffectRunner, key: string, path: string, text: string) =>
  runner.perform(key, 'edit-file', async () => ({ path, content: await ledger.putText(text) }));

describe('edit-file', () => {
  it('gives a file new content, once: what a person makes of it afterwards stays', async () => {
    await edit(makeRunner(), 'e', 'README.md', 'new\n');
    expect(playground.read('README.md')).toBe('new\n');
    playground.write('README.md', 'mine\n');
    await edit(makeRunner(), 'e', 'README.md', 'newer\n');
    expect(playground.read('README.md')).toBe('mine\n');
  });

  it('is found after a crash when it was done, and finished when it was not', async () => {
    for (const [key, before] of [
      ['done', 'new\n'],
      ['cut-off', 'old\n'],
    ] as const) {
      playground.write('README.md', before);
      const effect = {
        kind: 'edit-file',
        path: 'README.md',
        content: await ledger.putText('new\n'),
      } as const;
      const entry = { subject: 'o/r:s', run: 'R1', actor: 'alice', key: `R1/${key}#1` };
      await ledger.append([{ ...entry, kind: 'effect-intended', data: { effect, dryRun: false } }], lease);
      await edit(makeRunner(), key, 'README.md', 'other\n');
      expect(playground.read('README.md')).toBe('new\n');
      const receipt = await ledger.find('effect-receipted', `R1/${key}#1`);
      expect(receipt?.data.found).toBe(key === 'done');
    }
  });

  it.each([
    ['a file that is gone', 'gone.md', 'file-conflict'],
    ['a folder', 'ideas', 'file-conflict'],
    ['a path that leads outside', '../x.md', 'path-outside-root'],
  ])('does not change %s', async (_, path, code) => {
    expect(await rejectedCode(edit(makeRunner(), 'e', path, 'x'))).toBe(code);
    expect((await ledger.find('effect-failed', 'R1/e#1'))?.data.code).toBe(code);
  });

  it('changes nothing in a dry run', async () => {
    await edit(makeRunner(true), 'e', 'README.md', 'new\n');
    expect(playground.read('README.md')).toBe('# Project\n');
  });
});

describe('write-file that is final', () => {
  it.each([
    ['as it was intended', 'new\n', 'nothing thrown'],
    ['otherwise', 'put there by somebody\n', 'file-conflict'],
  ])('after a crash, what is there counts as ours only if it is %s', async (_, there, code) => {
    const content = await ledger.putText('new\n');
    const effect = { kind: 'write-file', path: 'final.md', content, isFinal: true } as const;
    const entry = { subject: 'o/r:s', run: 'R1', actor: 'alice', key: 'R1/w#1' };
    await ledger.append([{ ...entry, kind: 'effect-intended', data: { effect, dryRun: false } }], lease);
    playground.write('final.md', there);
    expect(await rejectedCode(makeRunner().perform('w', 'write-file', () => effect))).toBe(code);
    expect(playground.read('final.md')).toBe(there);
  });
});

describe('momentOf', () => {
  it('is when the effect was receipted, however often it was tried and whenever it is asked', async () => {
    const runner = makeRunner();
    expect(await runner.momentOf('e')).toBeNull();
    await expect(edit(runner, 'e', 'gone.md', 'x')).rejects.toBeInstanceOf(GatewrightError);
    expect(await runner.momentOf('e')).toBeNull();
    now = new Date('2026-11-15T11:00:00.000Z');
    await edit(runner, 'e', 'README.md', 'new\n');
    now = new Date('2026-11-15T12:00:00.000Z');
    expect(await makeRunner().momentOf('e')).toEqual(new Date('2026-11-15T11:00:00.000Z'));
  });

  it('is when it was intended in a dry run, which does nothing', async () => {
    const runner = makeRunner(true);
    await edit(runner, 'e', 'README.md', 'new\n');
    expect(await runner.momentOf('e')).toEqual(now);
  });
});
