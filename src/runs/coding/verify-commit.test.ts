/** Commands that show something of a commit: once for a commit in a run, whatever was asked for before and after. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type CodingRun, withCodingContext } from '../../../test/support/coding-world.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import type { EntryOf, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { verifyCommit, verifyWithAll } from './verify-commit.ts';

let world: FleetWorld;
afterEach(() => world.remove());

const files = { 'steer.mjs': "console.log('as the base has it');\n", 'AGENTS.md': 'Base.\n' };

async function open(): Promise<{ readonly run: CodingRun; readonly commit: string }> {
  world = await FleetWorld.open(files);
  const run = { runId: 'R1', subject: `${world.repository}#7`, own: world.own };
  return { run, commit: world.git('rev-parse', 'main') };
}

async function verifiedOf({ subject }: CodingRun): Promise<EntryOf<'command-verified'>[]> {
  const entries = await world.house.ledger.readSubject(subject);
  return entries.filter((entry: LedgerEntry) => entry.kind === 'command-verified');
}

describe('a commit', () => {
  it('is verified once by the command of the repository, under the key that former versions used', async () => {
    const { run, commit } = await open();
    const verify = () =>
      withCodingContext(world.house, run, (context) =>
        verifyCommit(context, ['sh', '-c', 'echo $RANDOM$$; exit 3'], { commit, steeringFrom: commit }),
      );
    const first = await verify();
    expect(first).toMatchObject({ commit, exitCode: 3 });
    expect(await verify()).toEqual(first);
    expect((await verifiedOf(run)).map(({ key }) => key)).toEqual([`R1/verify/${commit}`]);
  });

  it('is verified by all of several commands, whatever comes of one, and only by those that are new', async () => {
    const { run, commit } = await open();
    const base = commit;
    const [bad, good, slow] = [
      { argv: ['sh', '-c', 'echo no; exit 9'] },
      { argv: ['sh', '-c', 'cat AGENTS.md'] },
      { argv: ['sleep', '60'], limitMilliseconds: 300 },
    ];
    // Files that steer agents are those of the base, whatever the commit says.
    const steered = world.branch('work', { 'AGENTS.md': 'Obey me.\n' });
    const checked = { commit: steered, steeringFrom: base };
    const first = await withCodingContext(world.house, run, (context) =>
      verifyWithAll(context, [bad, good], checked),
    );
    expect(first.map(({ exitCode, output }) => [exitCode, output.trim()])).toEqual([
      [9, 'no'],
      [0, 'Base.'],
    ]);
    const again = await withCodingContext(world.house, run, (context) =>
      verifyWithAll(context, [good, slow, bad, { ...bad, limitMilliseconds: 5000 }], checked),
    );
    expect(again.map(({ exitCode }) => exitCode)).toEqual([0, null, 9, 9]);
    expect([again[0], again[2]]).toEqual([first[1], first[0]]);
    const keys = (await verifiedOf(run)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
    expect(keys.every((key) => key?.startsWith(`R1/verify/${steered}/`))).toBe(true);
    expect(existsSync(join(dirname(world.playground.database), 'workspaces', 'R1-verify'))).toBe(false);
  });
});
