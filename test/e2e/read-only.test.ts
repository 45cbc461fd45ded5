/** A database that cannot be written, such as a backup or another person's: what only looks works, the rest says why not. */
import { afterEach, describe, expect, it } from 'vitest';
import { Playground, programFile } from '../support/playground.ts';
import { runWithMounts, whyNoMounts } from '../support/private-mounts.ts';

const why = whyNoMounts();
const isSkipped = why !== null && process.env.CI !== 'true';
if (isSkipped) console.warn(`read-only.test.ts is skipped: no mount namespace can be made here (${why}).`);

let playground: Playground;
afterEach(() => playground.remove());

const script = `
data=$1 node=$2 program=$3
shift 3
mount --bind "$data" "$data"
mount -o remount,ro,bind "$data"
! touch "$data/x" 2> /dev/null
for words in "$@"; do
  code=0
  echo "== $words"
  "$node" "$program" $words 2>&1 || code=$?
  echo "= $code"
done
`;

function runReadOnly(commands: readonly string[]): string[] {
  const { all } = runWithMounts(
    `cd '${playground.repository}'\n${script}`,
    [`${playground.folder}/data`, process.execPath, programFile, ...commands],
    playground.environment,
  );
  return all.split(/^== .*\n/mu).slice(1);
}

const looking = [
  'status',
  'runs',
  'gates',
  'explain export-csv',
  'ledger verify',
  'ledger show export-csv',
  'runs show export-csv',
];

describe.skipIf(isSkipped)('a database in a folder that cannot be written', () => {
  it.each([
    ['as it is left by a run', ''],
    ['with a write-ahead log that was not put back', 'wal'],
  ])('is looked at (%s), and not changed', async (_, kind) => {
    playground = new Playground();
    const begun = await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--no-input']);
    expect(begun.code).toBe(10);
    if (kind === 'wal') {
      // A process that is killed while another one has the database open leaves its log behind.
      const { openDatabase } = await import('../../src/adapters/sqlite/database.ts');
      const database = openDatabase(playground.database);
      database.prepare("UPDATE leases SET actor = 'in the log'").run();
      const outputs = runReadOnly(looking);
      database.close();
      for (const output of outputs) expect(output, output).toMatch(/^= 0$/mu);
      return;
    }
    const outputs = runReadOnly([...looking, 'issue --brief ideas/active/export-csv.md --auto']);
    const writing = outputs.pop() ?? '';
    for (const output of outputs) expect(output, output).toMatch(/^= 0$/mu);
    expect(outputs[0]).toContain('Waiting for you (1)');
    expect(outputs[4]).toContain('Sound:');
    expect(writing).toContain('(cannot-write)');
    expect(writing).toContain('= 1');
  });
});
