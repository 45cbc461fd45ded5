/** The program, stopped for so long that another took over its work: it ends, and leaves nothing running. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteLeases } from '../../src/adapters/sqlite/sqlite-leases.ts';
import { findProcesses } from '../support/find-processes.ts';
import { goodSteps, ImplementerWorld, type Work } from '../support/implementer-world.ts';
import { programFile } from '../support/playground.ts';

let world: ImplementerWorld;
let child: ChildProcess;
afterEach(async () => {
  child.kill('SIGKILL');
  await world.remove();
});

const stages: readonly [string, (length: string) => readonly [readonly Work[], Record<string, string>]][] = [
  [
    'while the work is checked',
    (length) => [[{ steps: goodSteps }], { GATEWRIGHT_VERIFY: `sleep ${length}` }],
  ],
  [
    'while a copy is set up through the network gate',
    (length) => [
      [{ steps: goodSteps }],
      { GATEWRIGHT_SETUP: `sleep ${length}`, GATEWRIGHT_SETUP_HOSTS: 'registry.example:443' },
    ],
  ],
  [
    'while the coding agent works',
    (length) => [
      [{ steps: [...goodSteps, { run: ['sleep', length] }] }],
      { GATEWRIGHT_AGENT_COMMANDS: 'sleep *' },
    ],
  ],
];

describe('a dispatch that lost its lease', () => {
  it.each(stages)('%s, ends by itself and changes nothing more', { timeout: 120_000 }, async (name, make) => {
    const length = `4${process.pid}.${name.length}`;
    const [works, environment] = make(length);
    world = await ImplementerWorld.open(works, environment);
    const number = await world.fileIssue('@claude please');
    const { playground, environment: variables } = world.fleet;
    const database = openDatabase(playground.database);
    child = spawn(process.execPath, [programFile, 'dispatch'], {
      cwd: playground.repository,
      env: { ...playground.environment, ...variables },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    await expect
      .poll(() => findProcesses(length).length, { timeout: 240_000, interval: 50 })
      .toBeGreaterThan(0);
    child.kill('SIGSTOP');
    // What 30 seconds without a sign of life do, without waiting for them.
    const subject = `${world.fleet.repository}#${number}`;
    database.prepare('UPDATE leases SET expires = 1 WHERE subject = ?').run(subject);
    const leases = new SqliteLeases(database, { now: () => new Date() }, 'somebody else');
    const taken = await leases.acquire(subject);
    expect(taken).toHaveProperty('lease');
    const countEntries = () => database.prepare("SELECT count(*) FROM ledger WHERE run != ''").pluck().get();
    const before = countEntries();
    child.kill('SIGCONT');
    expect(await ended, said).toBe(1);
    expect(said).toContain('another process took the lease');
    expect(findProcesses(length)).toEqual([]);
    expect(countEntries()).toBe(before);
    if ('lease' in taken) await taken.lease.release();
    await world.play([{ steps: goodSteps }]);
    const again = await world.fleet.playground.run(['dispatch'], { env: world.fleet.environment });
    expect(again.code, again.all).toBe(0);
    expect(await world.pulls()).toHaveLength(1);
  });
});
