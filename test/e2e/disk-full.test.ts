/**
 * The disk runs full, at many points of a run: it is told as what it is, with how to go on, and once there is room again the
 * same run ends as if nothing had been. A real file system of a fixed size, in a mount namespace.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld } from '../support/implementer-world.ts';
import { Playground, programFile } from '../support/playground.ts';
import { runWithMounts, whyNoMounts } from '../support/private-mounts.ts';
import { onlyOf } from '../support/property-runs.ts';

const why = whyNoMounts();
if (why !== null && process.env.CI !== 'true')
  console.warn(`disk-full.test.ts is skipped: no mount namespace can be made here (${why}).`);

let remove: () => unknown = () => undefined;
afterEach(() => remove());

/** Puts the playground onto a small disk, leaves so many KiB on it, runs, makes room, and runs again. */
const script = `
folder=$1 free=$2 node=$3 program=$4 first=$5 second=$6 mode=$7
shift 7
copy=$(mktemp -d)
cp -a "$folder/." "$copy/"
mount -t tmpfs -o size=96m none "$folder"
cp -a "$copy/." "$folder/"
rm -rf "$copy"
mkdir -p "$folder/tmp"
cd "$folder/project"
TMPDIR=$folder/tmp
export TMPDIR
available=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
dd if=/dev/zero of="$folder/filler" bs=1024 count=$((available - free)) 2> /dev/null
said=$(mktemp -d /dev/shm/gw-XXXXXX)/said
code=0
"$node" "$program" $first > "$said" 2>&1 || code=$?
cat "$said"
echo "first=$code"
rm "$folder/filler"
# As a person does it: with the command that was named, else with the same once more.
named=$(sed -n 's/.*[Cc]ontinue with: gatewright //p' "$said" | tail -n 1)
rm -r "$(dirname "$said")"
code=0
"$node" "$program" \${named:-$second} $mode 2>&1 || code=$?
echo "second=$code"
code=0
"$node" "$program" ledger verify 2>&1 || code=$?
echo "verify=$code"
"$node" "$program" forge issue list --state all --json | tr -d '\\n'
echo
"$node" "$program" forge pr list --state all --json | tr -d '\\n'
`;

interface Filled {
  readonly first: number;
  readonly said: string;
  readonly second: number;
  readonly verified: number;
  readonly issues: readonly unknown[];
  readonly pulls: readonly unknown[];
  readonly all: string;
}

function runOnFullDisk(
  playground: Playground,
  env: Readonly<Record<string, string>>,
  free: number,
  first: string,
  second: string,
  mode = '',
): Filled {
  const { all } = runWithMounts(
    script,
    [playground.folder, String(free), process.execPath, programFile, first, second, mode],
    { ...playground.environment, ...env },
  );
  const [, said = '', code, again, verified, issues = '[]', pulls = '[]'] =
    /^([\s\S]*?)^first=(\d+)\n[\s\S]*?^second=(\d+)\n[\s\S]*?verify=(\d+)\n(.*)\n(.*)/mu.exec(all) ?? [];
  return {
    ...{ first: Number(code), said, second: Number(again), verified: Number(verified), all },
    ...{ issues: JSON.parse(issues) as unknown[], pulls: JSON.parse(pulls) as unknown[] },
  };
}

function expectTold({ first, said }: Filled): void {
  expect(said).not.toContain('internal');
  expect(said).not.toContain('omething unexpected');
  if (first === 0) return;
  expect(said).toMatch(/disk-full|No room left/u);
  expect(said).toContain('Free some space');
}

/** KiB, from nothing at all to nearly enough. */
const rooms = [0, 4, 16, 48, 96, 160, 240, 340, 410, 480, 590, 700, 850, 1000, 1500];

describe.skipIf(why !== null && process.env.CI !== 'true')('a disk that runs full', () => {
  it.each(onlyOf(rooms, [0, 240]))('with %i KiB left for an issue is told, and the run goes on', (free) => {
    const playground = new Playground();
    remove = () => playground.remove();
    const command = 'issue --brief ideas/active/export-csv.md';
    const again = `${command} --on-collision resume`;
    const result = runOnFullDisk(playground, {}, free, `${command} --auto`, again, '--auto');
    expectTold(result);
    expect(result, result.all).toMatchObject({ second: 0, verified: 0 });
    expect(result.issues).toHaveLength(1);
  });

  it.each(onlyOf(rooms, [480]))(
    'with %i KiB left for an agent is told, and the run goes on',
    async (free) => {
      const world = await ImplementerWorld.open([{ steps: goodSteps }]);
      remove = () => world.remove();
      await world.fileIssue('@claude please');
      const { playground, environment } = world.fleet;
      const result = runOnFullDisk(playground, environment, free, 'dispatch', 'dispatch');
      expectTold(result);
      expect(result, result.all).toMatchObject({ second: 0, verified: 0 });
      expect(result.pulls, result.all).toHaveLength(1);
    },
  );
});
