/** Many machines on one ref, killed and disturbed: nothing acknowledged is lost, nothing is there twice, tampering shows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitLeases } from '../../src/adapters/git-ledger/git-leases.ts';
import { ledgerRef } from '../../src/adapters/git-ledger/ledger-place.ts';
import { writeCommit } from '../../src/adapters/git-ledger/write-commit.ts';
import { expectCode } from './expect-code.ts';
import { GitLedgerWorld, LedgerMachine } from './git-ledger-world.ts';
import { nodeBegun, subject } from './ledger.contract.ts';
import { childEnvironment } from './run-children.ts';

const childFile = fileURLToPath(new URL('./append-git-entries-child.ts', import.meta.url));

let world: GitLedgerWorld;
beforeEach(() => {
  world = new GitLedgerWorld('remote');
});
afterEach(() => world.remove());

const git = (...words: string[]): string => world.git('-C', world.repository, ...words);

/** Changes files on the ref as a person does who may push to it and follows none of our rules. */
async function tamper(changes: Readonly<Record<string, string | null>>): Promise<void> {
  const tip = git('rev-parse', ledgerRef).trim();
  const { place } = new LedgerMachine(
    'local',
    world.repository,
    mkdtempSync(join(world.folder, 'x-')),
    world.clock,
  );
  const files = new Map(Object.entries(changes));
  git('update-ref', ledgerRef, await writeCommit(place, tip, { changes: files, message: 'x', at: 0 }));
}

const pathsOf = (folder: string): string[] =>
  git('ls-tree', '-r', '--name-only', ledgerRef, `${folder}/`)
    .split('\n')
    .filter((line) => line !== '');
const show = (path: string): string => git('show', `${ledgerRef}:${path}`);

async function runWriters(
  name: string,
  count: number,
  entries: number,
  isKilled: boolean,
): Promise<string[]> {
  const acknowledged: string[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const folder = mkdtempSync(join(world.folder, 'writer-'));
      const words = [childFile, 'remote', world.repository, folder, `${name}${index}`, String(entries)];
      const child = spawn(process.execPath, words, {
        env: childEnvironment,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      // Killed at any moment: while it starts, or some time after its first entry.
      const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), Math.random() * 2_000);
      if (isKilled && index % 4 === 0) kill();
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        acknowledged.push(...lines);
        if (isKilled && lines.includes(`${name}${index}-1`)) kill();
      });
      const [code] = (await once(child, 'close')) as [number | null];
      expect(errors).toBe('');
      if (!isKilled) expect(code).toBe(0);
    }),
  );
  return acknowledged;
}

describe('a ledger that machines share', () => {
  it('loses and doubles nothing while twenty of them write, and most are killed', async () => {
    const [killed, finished] = await Promise.all([
      runWriters('killed', 14, 1_000, true),
      runWriters('finished', 6, 3, false),
    ]);
    const { ledger } = world.addMachine();
    const entries = (
      await Promise.all((await ledger.listSubjects()).map((one) => ledger.readSubject(one)))
    ).flat();
    const keys = entries.map(({ key }) => key ?? '');
    expect(new Set(keys).size).toBe(keys.length);
    expect([...killed, ...finished].filter((key) => !keys.includes(key))).toEqual([]);
    // One that was killed may have written an entry that it could not acknowledge any more.
    expect(keys.length).toBeLessThanOrEqual(killed.length + finished.length + 14);
    expect(await ledger.verify()).toMatchObject({ entries: keys.length, problems: [] });
    expect(finished).toHaveLength(18);
    expect(killed.length).toBeGreaterThanOrEqual(10);
  });

  it('can be read with plain git, and keeps few files', async () => {
    const { ledger } = world.addMachine();
    const text = await ledger.putText('What was asked.');
    for (let step = 1; step <= 30; step += 1) await ledger.append([nodeBegun(step)]);
    expect(pathsOf('entries').length).toBeLessThan(12);
    const lines = pathsOf('entries').flatMap((path) => show(path).trimEnd().split('\n'));
    expect(lines.map((line) => (JSON.parse(line) as { data: { step: number } }).data.step)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    expect(show(`texts/${text.slice(0, 2)}/${text}`)).toBe('What was asked.');
    expect(git('log', '-1', '--format=%s', ledgerRef).trim()).toBe(`Append 1 entry of ${subject}`);
    expect(git('log', '--format=%an', ledgerRef)).toMatch(/^(?:gatewright\n)+$/u);
    expect(git('for-each-ref', '--format=%(refname)').trim()).toBe(ledgerRef);
    const own = new LedgerMachine(
      'local',
      world.repository,
      mkdtempSync(join(world.folder, 'x-')),
      world.clock,
    );
    await own.ledger.append([nodeBegun(31)]);
    await own.ledger.append([nodeBegun(32)]);
    own.database.close();
    expect(git('for-each-ref', '--format=%(refname)').trim()).toBe(ledgerRef);
    git('fsck', '--strict');
  });

  it('fetches what is new and nothing of the history before it', async () => {
    const [writer, late] = [world.addMachine(), world.addMachine()];
    for (let step = 1; step <= 5; step += 1) await writer.ledger.append([nodeBegun(step)]);
    await late.ledger.append([nodeBegun(6)]);
    await writer.ledger.append([nodeBegun(7)]);
    const countOf = async ({ place }: LedgerMachine): Promise<string> =>
      (await place.try(['rev-list', '--count', ledgerRef])).output.trim();
    await late.ledger.readSubject(subject);
    expect([await countOf(writer), await countOf(late)]).toEqual(['7', '3']);
  });

  it('is told of a sign of life when half of a lease is over, and a lost one is noticed at once', async () => {
    const [machine, other] = [world.addMachine(), world.addMachine()];
    const leases = new GitLeases(machine.shared, world.clock, 'alice');
    const lease = await leases.seize(subject);
    const countOf = (): number => Number(git('rev-list', '--count', ledgerRef));
    const before = countOf();
    for (let seconds = 0; seconds < 240; seconds += 8) {
      world.clock.advance(8_000);
      expect(await lease.renew()).toBe(true);
    }
    expect(countOf() - before).toBe(3);
    await other.leasesOf('bob').seize(subject);
    expect(await lease.renew()).toBe(false);
  });

  it('says at once what a server refuses by its rules', async () => {
    const machine = world.addMachine();
    await machine.ledger.append([nodeBegun(1)]);
    const hook = join(world.repository, '.git', 'hooks', 'pre-receive');
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "GH013: Repository rule violations found" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const refused = await machine.ledger.append([nodeBegun(2)]).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'push-refused',
      hint: expect.stringContaining('rules of the server'),
    });
    expect(JSON.stringify(refused)).toContain('GH013');
    rmSync(hook);
    await machine.ledger.append([nodeBegun(3)]);
    expect(await machine.ledger.readSubject(subject)).toHaveLength(2);
  });

  it('takes a push whose answer was lost for what it is', async () => {
    const machine = world.addMachine();
    const { place } = machine;
    const push = place.push.bind(place);
    for (const others of [false, true]) {
      place.push = async (expected, commit) => {
        await push(expected, commit);
        place.push = push;
        if (others) await world.addMachine().ledger.append([nodeBegun(9)]);
        return false;
      };
      await machine.ledger.append([nodeBegun(1, { key: `k${String(others)}` })]);
    }
    const steps = (await machine.ledger.readSubject(subject)).map(
      (entry) => entry.kind === 'node-begun' && entry.data.step,
    );
    expect(steps).toEqual([1, 1, 9]);
  });

  it('is the same after what a machine keeps of it was removed, by parts or as a whole', async () => {
    const writer = world.addMachine();
    await writer.ledger.append([nodeBegun(1), nodeBegun(2)]);
    const folder = mkdtempSync(join(world.folder, 'machine-'));
    const before = new LedgerMachine('remote', world.repository, folder, world.clock);
    await before.ledger.readSubject(subject);
    rmSync(join(folder, 'ref.git'), { recursive: true });
    await writer.ledger.append([nodeBegun(3)]);
    const entries = await writer.ledger.readSubject(subject);
    expect(await before.ledger.readSubject(subject)).toEqual(entries);
    await before.ledger.append([nodeBegun(4)]);
    before.database.close();
    rmSync(join(folder, 'mirror.db'));
    const after = new LedgerMachine('remote', world.repository, folder, world.clock);
    expect(await after.ledger.readSubject(subject)).toEqual(await writer.ledger.readSubject(subject));
    expect((await after.ledger.verify()).problems).toEqual([]);
    after.database.close();
    expect(existsSync(join(folder, 'ref.git'))).toBe(true);
  });
});

describe('tampering with the ref', () => {
  const write = async (): Promise<LedgerMachine> => {
    const machine = world.addMachine();
    const text = await machine.ledger.putText('a plan');
    await machine.ledger.append([
      nodeBegun(1),
      { subject, kind: 'plan-proposed', run: 'run-1', actor: 'alice', data: { plan: text, comment: 1 } },
      nodeBegun(2, { key: 'k' }),
    ]);
    return machine;
  };

  /** Neither a machine that knows the ledger nor a new one goes on with it, and verifying says why. */
  async function expectNoticed(machine: LedgerMachine, explanation: RegExp): Promise<void> {
    const fresh = world.addMachine();
    await expectCode(fresh.ledger.append([nodeBegun(7)]), 'ledger-broken');
    await expectCode(fresh.ledger.readSubject(subject), 'ledger-broken');
    const { problems } = await machine.ledger.verify();
    expect(problems.map((one) => one.explanation).join('\n')).toMatch(explanation);
  }

  it.each([
    ['an entry', (line: string) => line.replace('"step":2', '"step":3'), /no longer matches its hash/u],
    [
      'the order',
      (line: string) => line.split('\n').reverse().join('\n').trim().concat('\n'),
      /wrong place|more or fewer/u,
    ],
    ['one removed', (line: string) => line.split('\n').slice(1).join('\n'), /more or fewer/u],
    ['no JSON', () => 'x\ny\nz\n', /is not JSON/u],
    ['a field more', (line: string) => line.replace('"actor"', '"extra":1,"actor"'), /cannot be used/u],
  ])('is noticed: %s', async (_, change, explanation) => {
    const machine = await write();
    const [path = ''] = pathsOf('entries');
    await tamper({ [path]: change(show(path)) });
    await expectNoticed(machine, explanation);
  });

  it('is noticed in a text, in the end of a chain, and in files that do not belong there', async () => {
    const machine = await write();
    const tip = git('rev-parse', ledgerRef).trim();
    const [text = ''] = pathsOf('texts');
    const [head = ''] = pathsOf('heads');
    const hash = text.slice(-64);
    await tamper({ [text]: 'another plan' });
    // A machine that has the text from before looks at what is new; one that begins, at what it reads.
    await expectCode(machine.ledger.readSubject(subject), 'ledger-broken');
    const fresh = world.addMachine();
    await fresh.ledger.readSubject(subject);
    await expectCode(fresh.ledger.getText(hash), 'ledger-broken');
    expect((await fresh.ledger.verify()).problems).toMatchObject([
      { explanation: expect.stringContaining('is another one now') },
    ]);
    git('update-ref', ledgerRef, tip);
    const cases: [Readonly<Record<string, string | null>>, RegExp][] = [
      [
        { [head]: show(head).replace(/"signature":"../u, '"signature":"00') },
        /does not match it|cannot be used/u,
      ],
      [{ [head]: null }, /signed end of the chain is missing/u],
      [{ 'entries/run-me.sh': 'x' }, /no version known here/u],
      [{ 'format.json': '{"format":"gatewright-ledger/9"}\n' }, /does not know/u],
    ];
    for (const [changes, explanation] of cases) {
      await tamper(changes);
      await expectNoticed(machine, explanation);
      git('update-ref', ledgerRef, tip);
    }
    expect((await machine.ledger.verify()).problems).toEqual([]);
  });

  it('is noticed when it is set back or written anew', async () => {
    const machine = await write();
    const tip = git('rev-parse', ledgerRef).trim();
    await machine.ledger.append([nodeBegun(3)]);
    git('update-ref', ledgerRef, tip);
    await expectCode(machine.ledger.append([nodeBegun(4)]), 'ledger-broken');
    expect((await machine.ledger.verify()).problems).toMatchObject([{ explanation: /set back/u }]);
    git('update-ref', '-d', ledgerRef);
    await expectCode(machine.ledger.append([nodeBegun(4)]), 'ledger-broken');
    expect((await machine.ledger.verify()).problems).toMatchObject([{ explanation: /is gone/u }]);
  });

  it('is not seen where other machines went on', async () => {
    const machine = await write();
    const other = world.addMachine();
    for (const step of [3, 4]) await other.ledger.append([nodeBegun(step)]);
    expect((await machine.ledger.verify()).problems).toEqual([]);
    await machine.ledger.append([nodeBegun(5)]);
    // Also not by a machine that begins with verifying.
    const fresh = world.addMachine();
    expect((await fresh.ledger.verify()).problems).toEqual([]);
    await machine.ledger.append([nodeBegun(6)]);
    expect((await fresh.ledger.verify()).problems).toEqual([]);
    await fresh.ledger.append([nodeBegun(7)]);
    expect(await machine.ledger.readSubject(subject)).toHaveLength(8);
  });
});
