/**
 * Runs the tests as on other machines than this one, each in a copy of what is committed and in namespaces of its own, so
 * that this machine stays as it is:
 *
 *   npm run test:machines                               every machine, the whole of npm test
 *   npm run test:machines -- no-namespaces test/world   one machine, some suites
 *
 * Needs root on Linux. `gh` and `bwrap` are taken from the folder in GATEWRIGHT_TEST_TOOLS unless they are installed.
 * What cannot be had here is left out with one line.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

interface Machine {
  readonly what: string;
  readonly isRoot?: true;
  /** Has gh and bubblewrap in /usr/bin. */
  readonly hasTools?: true;
  readonly refusesNamespaces?: true;
  readonly isBusy?: true;
}

const machines: Readonly<Record<string, Machine>> = {
  user: { what: 'an ordinary user, with gh and bubblewrap installed', hasTools: true },
  'no-namespaces': { what: 'an ordinary user who may make no namespaces', refusesNamespaces: true },
  busy: {
    what: 'root, with gh and bubblewrap, while all processors are busy',
    ...{ isRoot: true, hasTools: true, isBusy: true },
  },
};

/** Suites that need namespaces: with CI=true they must not pass where there are none. */
const needNamespaces = ['test/world/first-contact.test.ts', 'src/adapters/sandbox/local-sandbox.test.ts'];

const root = join(import.meta.dirname, '..');
const usual = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** A folder with both tools, or empty when they are installed anyway; null when they are not to be had. */
function findTools(): string | null {
  const has = (folder: string): boolean => ['gh', 'bwrap'].every((name) => existsSync(join(folder, name)));
  if (has('/usr/bin')) return '';
  const given = process.env.GATEWRIGHT_TEST_TOOLS ?? '';
  return given !== '' && has(given) ? given : null;
}

interface Account {
  readonly name: string;
  readonly user: number;
  readonly group: number;
}

function findOrdinaryUser(): Account | null {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , user, group]) => ({ name, user: Number(user), group: Number(group) }));
  return (
    accounts.find(({ user }) => user >= 1000 && user < 60_000) ??
    accounts.find(({ name }) => name === 'nobody') ??
    null
  );
}

/** As root of the namespaces, before anything else: what the machine has installed, and who works on it. */
const setUp = `
set -eu
read -r go
mount --make-rprivate /
if [ -n "$TOOLS" ]; then mount -t overlay none -o "lowerdir=$TOOLS:/usr/bin" /usr/bin; fi
if [ -n "$NO_NAMESPACES" ]; then echo 0 > /proc/sys/user/max_user_namespaces; fi
cd "$TREE"
if [ "$RUN_AS" = 0:0 ]; then exec env -i "$@"; fi
exec setpriv --reuid "\${RUN_AS%:*}" --regid "\${RUN_AS#*:}" --clear-groups --inh-caps=-all --bounding-set=-all env -i "$@"
`;

interface Place {
  readonly folder: string;
  readonly account: Account;
  readonly tools: string;
}

/** A copy of what is committed, owned by whoever tests it. */
function copyTree(account: Account, tools: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'gw-machine-'));
  chmodSync(folder, 0o755);
  const tree = join(folder, 'tree');
  execFileSync('git', ['clone', '--quiet', root, tree], { stdio: 'inherit' });
  // Not by links: these would change their owner here too.
  execFileSync('cp', ['--archive', join(root, 'node_modules'), tree]);
  mkdirSync(join(folder, 'home'));
  const owner = `${account.user}:${account.group}`;
  execFileSync('chown', ['--recursive', '--no-dereference', owner, tree, join(folder, 'home')]);
  return { folder, account, tools };
}

async function runThere(
  { folder, account, tools }: Place,
  machine: Machine,
  command: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const tree = join(folder, 'tree');
  const variables = {
    PATH: [join(tree, 'node_modules', '.bin'), ...usual].join(':'),
    HOME: join(folder, 'home'),
    ...{ USER: account.name, LOGNAME: account.name, LANG: 'C.UTF-8', TERM: 'dumb', ...more },
  };
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  // The limit on namespaces is one of a user namespace: the machine's own stays as it is.
  const kinds = machine.refusesNamespaces ? ['--user', '--keep-caps', '--mount'] : ['--mount'];
  const child = spawn('unshare', [...kinds, 'sh', '-c', setUp, 'sh', ...words, ...command], {
    env: {
      ...{ PATH: usual.join(':'), TREE: tree, TOOLS: machine.hasTools ? tools : '' },
      NO_NAMESPACES: machine.refusesNamespaces ? 'yes' : '',
      RUN_AS: `${account.user}:${account.group}`,
    },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  await mapAccounts(child, machine);
  child.stdin?.end('go\n');
  // Who stops us stops what runs there, and the copy is removed all the same.
  const stop = (): void => void child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const [code] = (await ended) as [number | null];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  return code ?? 1;
}

/** Everybody is who they are outside. Only root may say so, and only when the namespace is there. */
async function mapAccounts({ pid }: ChildProcess, { refusesNamespaces }: Machine): Promise<void> {
  if (!refusesNamespaces) return;
  const own = (): string => readFileSync(`/proc/${pid}/uid_map`, 'utf8').trim();
  while (own() !== '') await new Promise((resolve) => setTimeout(resolve, 10));
  for (const kind of ['uid', 'gid']) writeFileSync(`/proc/${pid}/${kind}_map`, '0 0 4294967295\n');
}

/** Twice as much to do as there are processors for; ends with this process, and after two hours at the latest. */
function keepBusy(): () => void {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn('timeout', ['7200', 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  return () => {
    for (const loop of loops) loop.kill();
  };
}

async function test(machine: Machine, suites: readonly string[]): Promise<string> {
  const tools = findTools();
  if (machine.hasTools && tools === null)
    return 'left out: gh and bwrap are not installed, and not in GATEWRIGHT_TEST_TOOLS';
  const account = machine.isRoot ? { name: 'root', user: 0, group: 0 } : findOrdinaryUser();
  if (account === null) return 'left out: this machine has no ordinary user';
  const place = copyTree(account, tools ?? '');
  const rest = machine.isBusy ? keepBusy() : () => undefined;
  try {
    const command = suites.length === 0 ? ['npm', 'test'] : ['vitest', 'run', ...suites];
    if ((await runThere(place, machine, command)) !== 0) return 'FAILED';
    if (!machine.refusesNamespaces) return 'passed';
    const proving = await runThere(place, machine, ['vitest', 'run', ...needNamespaces], { CI: 'true' });
    return proving === 0 ? 'FAILED: with CI=true suites without namespaces have to fail' : 'passed';
  } finally {
    rest();
    rmSync(place.folder, { recursive: true, force: true });
  }
}

const [wanted, ...suites] = process.argv.slice(2);
const names = wanted === undefined ? Object.keys(machines) : [wanted];
const results: string[] = [];
for (const name of names) {
  const machine = machines[name];
  if (machine === undefined)
    throw new Error(`There is no machine "${name}": ${Object.keys(machines).join(', ')}`);
  const isPossible = process.platform === 'linux' && process.getuid?.() === 0;
  const result = isPossible ? await test(machine, suites) : 'left out: only root on Linux can make it';
  results.push(`${name} (${machine.what}): ${result}`);
}
process.stdout.write(`${results.join('\n')}\n`);
process.exitCode = results.some((line) => line.includes('FAILED')) ? 1 : 0;
