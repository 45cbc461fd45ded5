/**
 * Nothing is done twice, whenever the process dies, and nothing at all by one that lost its lease. The ledger and the
 * leases are the real ones on a real database; the world is a list of what was done to it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectedCode } from '../../test/support/thrown-code.ts';
import { openDatabase, type SqliteDatabase } from '../adapters/sqlite/database.ts';
import { SqliteLeases } from '../adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../adapters/sqlite/sqlite-ledger.ts';
import type { EffectAllowance } from '../domain/ledger/effect.ts';
import type { EntryKind } from '../domain/ledger/ledger-entry.ts';
import { GatewrightError } from '../errors.ts';
import type { Lease } from '../ports/leases.ts';
import type { Fence, Ledger } from '../ports/ledger.ts';
import { EffectRunner } from './effect-runner.ts';
import { makeMarker } from './marker.ts';
import type { Attempt, Performer } from './performer.ts';
import { makePerformers, type Performers } from './performers.ts';

const subject = 'o/r:export-csv';
const clock = { now: () => new Date('2026-03-01T10:00:00.000Z') };

let folder = '';
let database: SqliteDatabase;
let ledger: SqliteLedger;
let lease: Lease;
let world: World;

/** Issues that were filed, and everything that was asked of it, in order. */
class World {
  readonly issues: { title: string; marker: string }[] = [];
  readonly log: string[] = [];
  readonly attempts: Attempt<'create-issue'>[] = [];
  /** Thrown instead of filing. */
  failure: Error | null = null;
  /** Called after the issue is filed and before anybody is told. */
  afterFiling: () => void = () => undefined;

  readonly #performer: Performer<'create-issue'> = {
    perform: async (attempt) => {
      this.log.push(`perform ${attempt.effect.title}`);
      this.attempts.push(attempt);
      if (this.failure !== null) throw this.failure;
      this.issues.push({ title: attempt.effect.title, marker: attempt.marker });
      this.afterFiling();
      return { number: this.issues.length, url: `local:${this.issues.length}` };
    },
    find: async (attempt) => {
      this.log.push(`find ${attempt.effect.title}`);
      this.attempts.push(attempt);
      const index = this.issues.findIndex((issue) => issue.marker === attempt.marker);
      return index === -1 ? null : { number: index + 1, url: `local:${index + 1}` };
    },
    pretend: (effect) => {
      this.log.push(`pretend ${effect.title}`);
      return { number: 0, url: '' };
    },
  };

  get performers(): Performers {
    // The real performers of the other kinds have no world to work on: to use one is a mistake in the test.
    const real = makePerformers({} as Parameters<typeof makePerformers>[0]);
    return {
      ...real,
      'create-issue': this.#performer,
      'ensure-label': { ...real['ensure-label'], perform: async () => ({ created: true }) },
    };
  }
}

/** The same ledger, but appending an entry of that kind fails as if the process had died right before it. */
function dyingBefore(kind: EntryKind): Ledger {
  const append: Ledger['append'] = async (entries, fence) => {
    if (entries.some((entry) => entry.kind === kind)) throw new Error('killed');
    return ledger.append(entries, fence);
  };
  return new Proxy(ledger, {
    get: (inner, name) => (name === 'append' ? append : Reflect.get(inner, name).bind(inner)),
  });
}

interface Make {
  readonly ledger?: Ledger;
  readonly allowance?: EffectAllowance;
  readonly dryRun?: boolean;
  readonly fence?: Fence;
  readonly run?: string;
}

function makeRunner(make: Make = {}): EffectRunner {
  return new EffectRunner({
    ledger,
    performers: world.performers,
    signingKey: 'key',
    run: 'R1',
    subject,
    actor: 'alice',
    fence: lease,
    allowance: { 'create-issue': 3 },
    dryRun: false,
    ...make,
  });
}

function file(
  runner: EffectRunner,
  title = 'Export',
  key = 'file',
): Promise<{ number: number; url: string }> {
  return runner.perform(key, 'create-issue', async () => ({
    repository: 'o/r',
    title,
    body: await ledger.putText('What is wanted.'),
    labels: [],
    author: 'alice',
  }));
}

/** What the ledger holds of the run, as `kind key`. */
async function entries(run = 'R1'): Promise<string[]> {
  return (await ledger.readRun(run)).map((entry) => `${entry.kind} ${entry.key ?? ''}`);
}

async function takeLease(): Promise<Lease> {
  const taken = await new SqliteLeases(database, clock, 'alice').acquire(subject);
  if ('heldBy' in taken) throw new Error('held');
  return taken.lease;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gw-effects-'));
  database = openDatabase(join(folder, 'gatewright.db'));
  ledger = new SqliteLedger(database, clock, 'key');
  world = new World();
  lease = await takeLease();
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('an effect', () => {
  it('is written down as intended before it is done, and receipted after', async () => {
    const seen: string[][] = [];
    const done: Promise<void>[] = [];
    world.afterFiling = () => done.push(entries().then((list) => void seen.push(list)));
    expect(await file(makeRunner())).toEqual({ number: 1, url: 'local:1' });
    await Promise.all(done);
    expect(seen).toEqual([['effect-intended R1/file#1']]);
    expect(await entries()).toEqual(['effect-intended R1/file#1', 'effect-receipted R1/file#1']);
    expect(await ledger.find('effect-receipted', 'R1/file#1')).toMatchObject({
      subject,
      actor: 'alice',
      data: { found: false, result: { number: 1 } },
    });
    expect((await ledger.verify()).problems).toEqual([]);
    expect(world.attempts).toMatchObject([
      { marker: makeMarker('key', 'R1/file'), since: '2026-03-01T10:00:00.000Z' },
    ]);
  });

  it('is done once for one key, by the same runner and by another, and built only once', async () => {
    const runner = makeRunner();
    const first = await file(runner);
    expect(await file(runner, 'Other')).toEqual(first);
    expect(await file(makeRunner(), 'Other')).toEqual(first);
    expect(world.log).toEqual(['perform Export']);
    expect((await entries()).length).toBe(2);
  });

  it('is another one for another key and for another run', async () => {
    await file(makeRunner(), 'One', 'one');
    await file(makeRunner(), 'Two', 'two');
    await file(makeRunner({ run: 'R2' }), 'Three', 'one');
    expect(world.issues.map((issue) => issue.title)).toEqual(['One', 'Two', 'Three']);
    expect(new Set(world.issues.map((issue) => issue.marker)).size).toBe(3);
  });
});

describe('a process that dies', () => {
  it('before the intent has done nothing, and the next one begins anew', async () => {
    await expect(file(makeRunner({ ledger: dyingBefore('effect-intended') }))).rejects.toThrow('killed');
    expect([world.log, await entries()]).toEqual([[], []]);
    expect(await file(makeRunner(), 'Again')).toEqual({ number: 1, url: 'local:1' });
    expect(world.log).toEqual(['perform Again']);
  });

  it('after doing it leaves it to be found, not repeated', async () => {
    await expect(file(makeRunner({ ledger: dyingBefore('effect-receipted') }))).rejects.toThrow('killed');
    expect(await entries()).toEqual(['effect-intended R1/file#1']);
    expect(await file(makeRunner(), 'Other')).toEqual({ number: 1, url: 'local:1' });
    expect(world.log).toEqual(['perform Export', 'find Export']);
    expect(world.issues.length).toBe(1);
    expect(await ledger.find('effect-receipted', 'R1/file#1')).toMatchObject({
      data: { found: true, result: { number: 1 } },
    });
  });

  it('between intent and deed has what it intended finished, not something new', async () => {
    await ledger.append(
      [
        {
          subject,
          run: 'R1',
          actor: 'alice',
          key: 'R1/file#1',
          kind: 'effect-intended',
          data: {
            effect: {
              kind: 'create-issue',
              repository: 'o/r',
              title: 'As intended',
              body: 'b',
              labels: [],
              author: 'alice',
            },
            dryRun: false,
          },
        },
      ],
      lease,
    );
    await file(makeRunner(), 'Built anew');
    expect(world.log).toEqual(['find As intended', 'perform As intended']);
    expect(await entries()).toEqual(['effect-intended R1/file#1', 'effect-receipted R1/file#1']);
  });

  it('while writing down a failure has the attempt looked for and done as intended', async () => {
    world.failure = new GatewrightError('forge-unavailable', 'away');
    await expect(file(makeRunner({ ledger: dyingBefore('effect-failed') }))).rejects.toThrow('killed');
    world.failure = null;
    await file(makeRunner(), 'Other');
    expect(world.log).toEqual(['perform Export', 'find Export', 'perform Export']);
  });
});

describe('an effect that fails', () => {
  it('is written down with its reason, and the error is passed on as it was', async () => {
    world.failure = new GatewrightError('forge-rejected', 'no');
    await expect(file(makeRunner())).rejects.toBe(world.failure);
    expect(await entries()).toEqual(['effect-intended R1/file#1', 'effect-failed R1/file#1']);
    expect((await ledger.find('effect-failed', 'R1/file#1'))?.data).toEqual({
      code: 'forge-rejected',
      message: 'no',
    });
  });

  it('is written down as internal when it is no error of ours', async () => {
    world.failure = new TypeError('odd');
    await expect(file(makeRunner())).rejects.toBe(world.failure);
    expect((await ledger.find('effect-failed', 'R1/file#1'))?.data).toEqual({
      code: 'internal',
      message: 'odd',
    });
  });

  it.each(['the same', 'another'])('is tried anew, newly built, by %s runner', async (which) => {
    const runner = makeRunner();
    world.failure = new GatewrightError('forge-rejected', 'no');
    await rejectedCode(file(runner, 'Bad'));
    world.failure = null;
    expect(await file(which === 'the same' ? runner : makeRunner(), 'Good')).toEqual({
      number: 1,
      url: 'local:1',
    });
    expect(world.issues.map((issue) => issue.title)).toEqual(['Good']);
    expect((await entries()).slice(2)).toEqual(['effect-intended R1/file#2', 'effect-receipted R1/file#2']);
  });

  it('is found first, in case it came through in spite of the error', async () => {
    world.afterFiling = () => {
      throw new GatewrightError('forge-unavailable', 'the line broke');
    };
    expect(await rejectedCode(file(makeRunner()))).toBe('forge-unavailable');
    expect(await file(makeRunner(), 'Other')).toEqual({ number: 1, url: 'local:1' });
    expect(world.issues.length).toBe(1);
    expect(await ledger.find('effect-receipted', 'R1/file#1')).toMatchObject({ data: { found: true } });
  });

  it('because of a file of somebody else does not take that file for its own', async () => {
    world.afterFiling = () => {
      throw new GatewrightError('file-conflict', 'taken');
    };
    expect(await rejectedCode(file(makeRunner()))).toBe('file-conflict');
    world.afterFiling = () => undefined;
    await file(makeRunner(), 'Elsewhere');
    expect(world.log).toEqual(['perform Export', 'perform Elsewhere']);
    expect(await ledger.find('effect-receipted', 'R1/file#1')).toBeNull();
    expect(await ledger.find('effect-receipted', 'R1/file#2')).toMatchObject({ data: { found: false } });
  });
});

describe('what a workflow may do', () => {
  it('refuses a kind that is not listed, and leaves no trace', async () => {
    expect(await rejectedCode(file(makeRunner({ allowance: { 'ensure-label': 1 } })))).toBe(
      'effect-not-allowed',
    );
    expect([world.log, await entries()]).toEqual([[], []]);
  });

  it('refuses more than the cap, whichever runner did the others', async () => {
    const allowance = { 'create-issue': 2 };
    await file(makeRunner({ allowance }), 'One', 'one');
    const runner = makeRunner({ allowance });
    await file(runner, 'Two', 'two');
    expect(await rejectedCode(file(runner, 'Three', 'three'))).toBe('effect-over-cap');
    expect(await rejectedCode(file(makeRunner({ allowance }), 'Three', 'three'))).toBe('effect-over-cap');
    expect(world.issues.length).toBe(2);
    // What is already receipted is not a new one.
    expect(await file(runner, 'One', 'one')).toEqual({ number: 1, url: 'local:1' });
  });

  it('counts each kind and each run for itself', async () => {
    const allowance = { 'create-issue': 1, 'ensure-label': 1 };
    const runner = makeRunner({ allowance });
    await runner.perform('label', 'ensure-label', () => ({
      repository: 'o/r',
      name: 'bug',
      colour: 'ededed',
    }));
    await file(runner);
    await file(makeRunner({ allowance, run: 'R2' }));
    expect(world.issues.length).toBe(2);
  });

  it.each(['the same', 'another'])('does not count failed attempts, for %s runner', async (which) => {
    const allowance = { 'create-issue': 1 };
    const runner = makeRunner({ allowance });
    world.failure = new GatewrightError('forge-unavailable', 'away');
    expect(await rejectedCode(file(runner))).toBe('forge-unavailable');
    world.failure = null;
    expect(await rejectedCode(file(which === 'the same' ? runner : makeRunner({ allowance })))).toBe(
      'nothing thrown',
    );
    expect(world.issues.length).toBe(1);
  });

  it('counts one that was cut off', async () => {
    const allowance = { 'create-issue': 1 };
    await rejectedCode(
      file(makeRunner({ allowance, ledger: dyingBefore('effect-receipted') }), 'One', 'one'),
    );
    expect(await rejectedCode(file(makeRunner({ allowance }), 'Two', 'two'))).toBe('effect-over-cap');
  });
});

describe('a dry run', () => {
  it('writes down what it would do, and does nothing, however often it is asked', async () => {
    const runner = makeRunner({ dryRun: true });
    expect(await file(runner)).toEqual({ number: 0, url: '' });
    expect(await file(runner, 'Other')).toEqual({ number: 0, url: '' });
    expect(world.log).toEqual(['pretend Export', 'pretend Export']);
    expect(world.issues).toEqual([]);
    expect(await entries()).toEqual(['effect-intended R1/file#1']);
    expect(await ledger.find('effect-intended', 'R1/file#1')).toMatchObject({ data: { dryRun: true } });
  });

  it('is bound by what the workflow may do', async () => {
    expect(await rejectedCode(file(makeRunner({ dryRun: true, allowance: {} })))).toBe('effect-not-allowed');
  });
});

describe('a runner that lost its lease', () => {
  async function loseLease(): Promise<void> {
    await lease.release();
    await takeLease();
  }

  it('does nothing and writes nothing', async () => {
    await loseLease();
    expect([await rejectedCode(file(makeRunner())), world.log, await entries()]).toEqual([
      'lease-lost',
      [],
      [],
    ]);
  });

  it('does not finish what was cut off: the new holder does', async () => {
    world.failure = new Error('cut off');
    await rejectedCode(file(makeRunner({ ledger: dyingBefore('effect-failed') })));
    world.failure = null;
    await loseLease();
    expect(await rejectedCode(file(makeRunner()))).toBe('lease-lost');
    expect(world.issues).toEqual([]);
  });

  it('does not write a receipt for what it did while it lost it; the new holder finds it', async () => {
    world.afterFiling = () => void database.prepare('UPDATE leases SET token = token + 1').run();
    expect(await rejectedCode(file(makeRunner()))).toBe('lease-lost');
    expect(await entries()).toEqual(['effect-intended R1/file#1']);
    await lease.release();
    database.prepare('UPDATE leases SET expires = 0').run();
    world.afterFiling = () => undefined;
    expect(await file(makeRunner({ fence: await takeLease() }))).toEqual({ number: 1, url: 'local:1' });
    expect(world.issues.length).toBe(1);
  });
});
