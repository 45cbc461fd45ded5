/** What else happens to a ref: processes of one machine that begin at once, and accounts that push what is no ledger. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerRef } from '../../src/adapters/git-ledger/ledger-place.ts';
import { expectCode } from './expect-code.ts';
import { GitLedgerWorld, LedgerMachine } from './git-ledger-world.ts';
import { nodeBegun, subject } from './ledger.contract.ts';

let world: GitLedgerWorld;
beforeEach(() => {
  world = new GitLedgerWorld('remote');
});
afterEach(() => world.remove());

const git = (...words: string[]): string => world.git('-C', world.repository, ...words).trim();
const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid'];

/** Processes of one machine: each with connections of its own to the same folder. */
function addProcesses(count: number, folder = mkdtempSync(join(world.folder, 'machine-'))): LedgerMachine[] {
  return Array.from(
    { length: count },
    () => new LedgerMachine('remote', world.repository, folder, world.clock),
  );
}

async function closing<T>(machines: readonly LedgerMachine[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const { database } of machines) database.close();
  }
}

describe('processes of one machine', () => {
  it('that have nothing of the ledger yet read it at once, while another machine writes', async () => {
    const writer = world.addMachine();
    let written = 3;
    for (let step = 1; step <= written; step += 1) await writer.ledger.append([nodeBegun(step)]);
    for (let round = 0; round < 4; round += 1) {
      const processes = addProcesses(4);
      await closing(processes, async () => {
        const reading = processes.map(({ ledger }) => ledger.readSubject(subject));
        written += 1;
        await Promise.all([...reading, writer.ledger.append([nodeBegun(written)])]);
        for (const { ledger } of processes) expect(await ledger.readSubject(subject)).toHaveLength(written);
      });
    }
  });

  it('fetch what another of them has cut off between two commits', async () => {
    const writer = world.addMachine();
    for (const step of [1, 2]) await writer.ledger.append([nodeBegun(step)]);
    const processes = addProcesses(2);
    const [one, late] = processes as [LedgerMachine, LedgerMachine];
    await closing(processes, async () => {
      await one.ledger.readSubject(subject);
      await writer.ledger.append([nodeBegun(3)]);
      // As a process does that began to look before the mirror was there.
      await late.place.fetch(null);
      for (const step of [4, 5]) {
        await writer.ledger.append([nodeBegun(step)]);
        expect(await one.ledger.readSubject(subject)).toHaveLength(step);
      }
    });
  });

  it('go on after one of them was killed as it fetched', async () => {
    const writer = world.addMachine();
    await writer.ledger.append([nodeBegun(1)]);
    const folder = mkdtempSync(join(world.folder, 'machine-'));
    const processes = addProcesses(1, folder);
    await closing(processes, async () => {
      const [reader] = processes as [LedgerMachine];
      await reader.place.try(['gc', '--auto']);
      const lock = join(folder, 'ref.git', 'shallow.lock');
      writeFileSync(lock, '');
      const longAgo = new Date(Date.now() - 3_600_000);
      utimesSync(lock, longAgo, longAgo);
      expect(await reader.ledger.readSubject(subject)).toHaveLength(1);
    });
  });
});

describe('an account that may push', () => {
  /** Puts an entry into the tree of the newest commit. */
  function putEntry(mode: string, kind: string, object: string, name: string): void {
    const lines = git('ls-tree', ledgerRef)
      .split('\n')
      .filter((line) => !line.endsWith(`\t${name}`));
    const input = `${[...lines, `${mode} ${kind} ${object}\t${name}`].join('\n')}\n`;
    const tree = execFileSync('git', ['-C', world.repository, 'mktree', '--missing'], { input });
    const words = ['commit-tree', '-p', ledgerRef, '-m', 'x', String(tree).trim()];
    git('update-ref', ledgerRef, git(...identity, ...words));
  }

  it.each([
    ['a commit of another repository', '160000', 'commit', () => '1'.repeat(40)],
    ['a link', '120000', 'blob', () => git('rev-parse', `${ledgerRef}:format.json`)],
    ['a program', '100755', 'blob', () => git('rev-parse', `${ledgerRef}:format.json`)],
  ])('has no machine take %s for a file', async (_, mode, kind, object) => {
    const machine = world.addMachine();
    await machine.ledger.append([nodeBegun(1)]);
    putEntry(mode, kind, object(), 'format.json');
    await expectCode(machine.ledger.readSubject(subject), 'ledger-broken');
    await expectCode(world.addMachine().ledger.readSubject(subject), 'ledger-broken');
  });

  it('is found out where it changes a file of entries that a machine has read', async () => {
    const machine = world.addMachine();
    await machine.ledger.append([nodeBegun(1)]);
    const [name = ''] = git('ls-tree', '--name-only', `${ledgerRef}:entries`).split('\n');
    const text = git('show', `${ledgerRef}:entries/${name}`).replace('"step":1', '"step":2');
    const blob = (input: string, ...words: string[]): string =>
      execFileSync('git', ['-C', world.repository, ...words], { input, encoding: 'utf8' }).trim();
    const file = blob(`${text}\n`, 'hash-object', '-w', '--stdin');
    putEntry('040000', 'tree', blob(`100644 blob ${file}\t${name}\n`, 'mktree'), 'entries');
    await expectCode(machine.ledger.readSubject(subject), 'ledger-broken');
    await expectCode(machine.ledger.append([nodeBegun(2)]), 'ledger-broken');
  });

  it('has no machine forget what was there by moving the ref to what is no commit', async () => {
    const machine = world.addMachine();
    await machine.ledger.append([nodeBegun(1)]);
    const before = git('rev-parse', ledgerRef);
    await machine.ledger.append([nodeBegun(2)]);
    for (const object of [`${before}^{tree}`, `${before}:format.json`]) {
      git('update-ref', ledgerRef, git('rev-parse', object));
      await expectCode(machine.ledger.readSubject(subject), 'ledger-broken');
    }
    git('update-ref', ledgerRef, before);
    await expectCode(machine.ledger.readSubject(subject), 'ledger-broken');
    git('update-ref', '-d', ledgerRef);
    await expectCode(machine.ledger.append([nodeBegun(2)]), 'ledger-broken');
  });

  it.each(['refs/heads', 'refs/tags', 'refs'])('keeps none from writing with a name in %s', async (place) => {
    const foreign = git(
      ...identity,
      'commit-tree',
      '-m',
      'x',
      git('hash-object', '-w', '-t', 'tree', '/dev/null'),
    );
    const name = `${place}/${ledgerRef}`;
    git('update-ref', name, foreign);
    const machine = world.addMachine();
    await machine.ledger.append([nodeBegun(1)]);
    await machine.ledger.append([nodeBegun(2)]);
    expect(git('rev-parse', name)).toBe(foreign);
    expect(git('rev-list', '--count', ledgerRef)).toBe('2');
    expect(await world.addMachine().ledger.readSubject(subject)).toHaveLength(2);
    const own = await machine.place.try(['for-each-ref', '--format=%(refname)']);
    expect(own.output.trim()).toBe(ledgerRef);
  });
});

it('holds what has a name that every object has', async () => {
  const machine = world.addMachine();
  const data = JSON.parse('{"node":"N2","step":1,"__proto__":{"a":1},"constructor":[]}') as {
    node: string;
    step: number;
  };
  await machine.ledger.append([{ ...nodeBegun(1), data }] as Parameters<typeof machine.ledger.append>[0]);
  const [entry] = await world.addMachine().ledger.readSubject(subject);
  expect(JSON.stringify(entry?.data)).toBe(
    JSON.stringify({ ['__proto__']: { a: 1 }, constructor: [], node: 'N2', step: 1 }),
  );
});
