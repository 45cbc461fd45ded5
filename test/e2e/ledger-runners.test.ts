/**
 * Many runners at once on one ledger ref, as `gatewright dispatch` on machines of their own, killed at any moment and begun
 * again: each event is acted on once, and the ledger is whole.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LeaseRow } from '../../src/adapters/sqlite/sqlite-leases.ts';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground, programFile, runProcess } from '../support/playground.ts';
import { RefMachines } from '../support/ref-machines.ts';

const pulls = [1, 2, 3, 4, 5];
/** Of which each is told of every event: twenty at once. */
const runnersOfEach = 4;
const mostKills = 20;
const longestLife = 4_000;

let playground: Playground;
let machines: RefMachines;
beforeEach(async () => {
  playground = new Playground({ brief: null });
  machines = new RefMachines(playground);
  for (const number of pulls) {
    playground.git('checkout', '--quiet', '-b', `big-${number}`, 'main');
    playground.write(`big-${number}.txt`, 'x\n'.repeat(500));
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', 'Much');
    const opened = await playground.run([
      'forge',
      'pr',
      'create',
      '--title',
      'Big',
      '--head',
      `big-${number}`,
    ]);
    expect(opened.code, opened.all).toBe(0);
  }
  playground.git('checkout', '--quiet', 'main');
});
afterEach(() => playground.remove());

function saveEvent(number: number): string {
  const sender = { login: 'alice', type: 'User', id: 1 };
  const head = { sha: playground.git('rev-parse', `big-${number}`) };
  const file = join(playground.folder, `event-${number}.json`);
  const pull = { number, head, updated_at: '2026-11-01T10:00:00Z' };
  writeFileSync(
    file,
    JSON.stringify({
      ...{ action: 'opened', number, sender, pull_request: pull },
      repository: { full_name: 'local/project' },
    }),
  );
  return file;
}

/** What each subject's lease was, one after another, as the history of the ref tells. */
function readLeases(): LeaseRow[][] {
  return machines.list('leases').map((path) =>
    playground
      .git('log', '--reverse', '--format=%H', 'refs/gatewright/ledger', '--', path)
      .split('\n')
      .map((commit) => JSON.parse(playground.git('show', `${commit}:${path}`)) as LeaseRow),
  );
}

/** @param deaths when processes were told to die, by their numbers */
function listStolen(deaths: ReadonlyMap<number, number>): string[] {
  return readLeases().flatMap((leases) =>
    leases.slice(1).flatMap((next, index) => {
      const before = leases[index];
      if (before === undefined || next.token === before.token) return [];
      const isFree =
        before.expires === 0 || (deaths.get(before.process) ?? Infinity) <= Date.parse(next.since);
      return isFree && next.token === before.token + 1 ? [] : [JSON.stringify([before, next])];
    }),
  );
}

async function commentsOf(number: number): Promise<string[]> {
  const records = openRecords(playground);
  const all = await records.forge.listComments('local/project', number);
  records.close();
  return all.map(({ body }) => body);
}

describe('many runners on one ref', () => {
  it('act on each event once, one at a time, however often they are killed', {
    timeout: 600_000,
  }, async () => {
    let kills = 0;
    const deaths = new Map<number, number>();
    /** A runner is begun anew on another machine until it comes to its end. */
    const runToEnd = async (args: readonly string[]): Promise<void> => {
      for (;;) {
        const env = { ...playground.environment, ...machines.next(), GATEWRIGHT_AGENTS: 'pr-size-guardian' };
        const { signal, code, all } = await runProcess([programFile, ...args], {
          ...{ cwd: playground.repository, env },
          onStart: (kill, id) => {
            const end = (): void => {
              deaths.set(id, Date.now());
              kill();
            };
            if (kills < mostKills && Math.random() < 0.6)
              setTimeout(end, Math.random() * longestLife).unref();
          },
        });
        if (signal !== 'SIGKILL') {
          // Another one may be at it, which is then told.
          expect([0, 10], all).toContain(code);
          return;
        }
        kills += 1;
      }
    };
    const files = pulls.map((number) => [number, saveEvent(number)] as const);
    await Promise.all(
      files.flatMap(([number, file]) =>
        Array.from({ length: runnersOfEach }, () =>
          runToEnd(['dispatch', '--event', file, '--name', 'pull_request', '--delivery', `d-${number}`]),
        ),
      ),
    );
    // What the last of them left, if it found another one at work.
    await runToEnd(['dispatch']);
    expect(kills).toBeGreaterThan(2);
    expect(listStolen(deaths)).toEqual([]);
    expect(readLeases().flat().length).toBeGreaterThan(2 * pulls.length);
    for (const number of pulls) expect(await commentsOf(number), `#${number}`).toHaveLength(1);
    const entries: LedgerEntry[] = [];
    for (const number of pulls) {
      const { stdout } = await machines.look('ledger', 'show', `local/project#${number}`, '--json');
      entries.push(
        ...stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as LedgerEntry),
      );
    }
    const keys = entries.flatMap(({ kind, key }) =>
      key === null || key === undefined ? [] : [`${kind} ${key}`],
    );
    expect(new Set(keys).size).toBe(keys.length);
    const count = (kind: LedgerEntry['kind']) =>
      entries.filter((entry) => entry.kind === kind).length / pulls.length;
    // The local forge tells of the same pull request itself, and of the comment on it.
    expect([count('event-received'), count('run-started'), count('run-ended')]).toEqual([3, 2, 2]);
    expect(count('effect-receipted')).toBe(count('effect-intended'));
    const verified = await machines.look('ledger', 'verify');
    expect(verified.stdout).toMatch(/^Sound: \d+ entries about 5 subjects/u);
    playground.git('fsck', '--strict');
  });
});
