/**
 * A network of a test's own: namespaces for network and mounts whose loopback carries the addresses of documentation, and
 * whose names are those that the test gives. Programs that are started in it reach what the test serves and nothing else,
 * under real names and on real ports. Sockets in the file system lead in and out of it, because those know no namespaces.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A port of the network, and the socket that connections to it are passed on to. */
interface Listener {
  readonly address: string;
  readonly port: number;
  readonly socket: string;
}

/** Where the server of names in the network is, and what it knows. */
export interface NameTable {
  readonly address: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** Told to the process inside later: so many questions for a name are not answered. */
export interface GatewayOrder {
  readonly name: string;
  readonly questions: number;
}

export interface NetworkPlan {
  readonly addresses: readonly string[];
  readonly listeners: readonly Listener[];
  /** What is in the file of hosts beside this machine. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Null: there is no server of names. */
  readonly nameServer: NameTable | null;
  /** Sockets whose connections lead to a port of the network's own loopback. */
  readonly inbound: readonly { readonly socket: string; readonly port: number }[];
}

/** What the process inside is told at first. */
export type GatewayOrders = Pick<NetworkPlan, 'listeners' | 'nameServer' | 'inbound'>;

/** As root of the namespaces: addresses, and files that must not tell of the machine's own network. */
const setUp = `
set -eu
PATH=$PATH:/usr/sbin:/sbin
folder=$1
shift
if command -v ip > /dev/null; then
  ip link set lo up
  for address in $GW_ADDRESSES; do
    case $address in
      *:*) ip -6 address add "$address/128" dev lo nodad ;;
      *) ip address add "$address/32" dev lo ;;
    esac
  done
else
  perl -MSocket=inet_aton,inet_pton,AF_INET,AF_INET6 -e '
    socket(my $four, AF_INET, 2, 0) or die "no socket: $!";
    socket(my $six, AF_INET6, 2, 0);
    my ($count, $whole) = (0, inet_aton("255.255.255.255"));
    sub order { my ($socket, $what, $request) = @_; ioctl($socket, $what, $request) or die "no loopback: $!" }
    order($four, 0x8914, pack("a16 s x22", "lo", 0x41));
    for my $address (@ARGV) {
      if ($address =~ /:/) { order($six, 0x8916, pack("a16 L l", inet_pton(AF_INET6, $address), 128, 1)); next }
      my $name = "lo:" . ++$count;
      order($four, $$_[0], pack("a16 S n a4 x16", $name, AF_INET, 0, $$_[1])) for [0x8916, inet_aton($address)], [0x891c, $whole];
    }
  ' $GW_ADDRESSES
fi
unset GW_ADDRESSES
for name in hosts resolv.conf nsswitch.conf gitconfig; do
  if [ -e "/etc/$name" ]; then mount --bind "$folder/$name" "/etc/$name"; fi
done
for cache in /run/nscd /var/run/nscd; do
  if [ -d "$cache" ]; then mount -t tmpfs none "$cache"; fi
done
exec "$@"
`;

/** Only root of a namespace can give it addresses; programs in it are then started as whoever runs the tests again. */
const asOneself = [
  ...['unshare', '--user', `--map-user=${process.getuid?.() ?? 0}`, `--map-group=${process.getgid?.() ?? 0}`],
];

/** With and without a user namespace: root of a machine needs none, root of a container and everybody else does. */
const ways = [
  { unshare: [], nsenter: [], inside: [] },
  { unshare: ['--map-root-user'], nsenter: ['--user', '--preserve-credentials'], inside: asOneself },
] as const;

function tryWay(way: (typeof ways)[number]): string | null {
  const { error, status, stderr } = spawnSync('unshare', [...way.unshare, '--net', '--mount', 'true'], {
    encoding: 'utf8',
  });
  if (error !== undefined) return error.message;
  return status === 0 ? null : stderr.trim();
}

type Way = { readonly way: (typeof ways)[number]; readonly reason: null } | { readonly reason: string };

let found: Way | null = null;

/** How namespaces are made here, or why they cannot be. */
function findWay(): Way {
  if (found !== null) return found;
  if (process.platform !== 'linux')
    return { reason: `namespaces are made on Linux, and this is ${process.platform}` };
  const reasons: string[] = [];
  for (const way of ways) {
    const reason = tryWay(way);
    if (reason === null) {
      found = { way, reason: null };
      return found;
    }
    reasons.push(reason);
  }
  return { reason: [...new Set(reasons)].join('; ') };
}

/** Why there can be no network of one's own on this machine; null when there can. Found out once, before all tests. */
export function lookForNetwork(): string | null {
  return findWay().reason;
}

/**
 * For `describe.skipIf`: why tests are left out here, which is said once (build-program.ts). Where they have to prove
 * something (`CI=true`), they are not left out, and fail instead.
 */
export function whyNoNetwork(): string | null {
  const reason = process.env.GATEWRIGHT_TEST_NO_NETWORK ?? '';
  return reason === '' || process.env.CI === 'true' ? null : reason;
}

const hostsFile = (hosts: NetworkPlan['hosts']): string =>
  [
    '127.0.0.1 localhost',
    '::1 localhost ip6-localhost',
    ...Object.entries(hosts).flatMap(([name, addresses]) => addresses.map((address) => `${address} ${name}`)),
    '',
  ].join('\n');

export class PrivateNetwork {
  readonly folder: string;
  readonly #process: ChildProcess;
  readonly #enter: readonly string[];
  /** What the process inside complained about. */
  readonly #said: () => string;

  private constructor(folder: string, child: ChildProcess, enter: readonly string[], said: () => string) {
    this.folder = folder;
    this.#process = child;
    this.#enter = enter;
    this.#said = said;
  }

  static async open(plan: NetworkPlan): Promise<PrivateNetwork> {
    const found = findWay();
    if (found.reason !== null) throw new Error(`This machine makes no namespaces: ${found.reason}`);
    const folder = mkdtempSync(join(tmpdir(), 'gw-network-'));
    const { nameServer } = plan;
    const files = {
      hosts: hostsFile(plan.hosts),
      'resolv.conf':
        nameServer === null ? '' : `nameserver ${nameServer.address}\noptions timeout:2 attempts:1\n`,
      'nsswitch.conf': `passwd: files\ngroup: files\nhosts: files${nameServer === null ? '' : ' dns'}\n`,
      gitconfig: '',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { listeners, inbound } = plan;
    const orders: GatewayOrders = { listeners, inbound, nameServer };
    const gateway = [process.execPath, join(import.meta.dirname, 'gateway-child.ts'), JSON.stringify(orders)];
    const child = spawn(
      'unshare',
      [...found.way.unshare, '--net', '--mount', 'sh', '-c', setUp, 'sh', folder, ...gateway],
      {
        env: { PATH: process.env.PATH ?? '', GW_ADDRESSES: plan.addresses.join(' ') },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ready = once(child.stdout, 'data').then(() => true);
    const ended = once(child, 'exit').then(() => false);
    if (!(await Promise.race([ready, ended]))) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`The network could not be made: ${said.trim()}`);
    }
    const namespaces = ['--target', String(child.pid), ...found.way.nsenter, '--net', '--mount'];
    const enter = [...namespaces, ...found.way.inside];
    return new PrivateNetwork(folder, child, enter, () => said);
  }

  /** The words that start a program in the network and in a folder; it becomes the process that they start. */
  enter(folder: string, command: readonly string[]): readonly [program: string, ...words: string[]] {
    if (this.#process.exitCode !== null) throw new Error(`The network is gone: ${this.#said()}`);
    const script = 'cd "$1" && shift && exec "$@"';
    return ['nsenter', ...this.#enter, 'sh', '-c', script, 'sh', folder, ...command];
  }

  /** Resolves with how many questions were left without an answer before. */
  async failName(order: GatewayOrder): Promise<number> {
    const { stdin, stdout } = this.#process;
    if (stdin === null || stdout === null) throw new Error('The network takes no orders.');
    stdin.write(`${JSON.stringify(order)}\n`);
    const [answer] = (await once(stdout, 'data')) as [Buffer];
    return Number(answer.toString());
  }

  async close(): Promise<void> {
    const gone = once(this.#process, 'exit');
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
