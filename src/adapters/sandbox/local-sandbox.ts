/** The sandbox of this machine: bubblewrap where it is installed, else Linux namespaces, else none, with the reason. */

import { existsSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { SandboxDemand } from '../../domain/machine/sandbox-demand.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { GatewrightError } from '../../errors.ts';
import {
  leaveAsItIs,
  type PreparedCommand,
  type Sandbox,
  type SandboxCommand,
  type SandboxFacts,
  type SandboxPolicy,
  type UsageLimits,
} from '../../ports/sandbox.ts';
import { findProgram } from '../system/find-program.ts';
import { runOwned } from '../system/owned-process.ts';
import { makeBubblewrap } from './bubblewrap.ts';
import { type ControlGroups, type GroupLimits, usualGroupLimits } from './control-groups.ts';
import { type Enclosure, identityInside } from './enclosure.ts';
import { type FoundTools, findTools } from './find-tools.ts';
import { forwarderScript } from './forwarder-script.ts';
import { findAnyGroups, limitCommand } from './limit-command.ts';
import { type Limits, processesOfNamespace, startWithLimits, usualLimits } from './limits.ts';
import { makeNamespaces, namespaceTools } from './namespaces.ts';
import type { NetworkGate } from './network-gate.ts';
import { inside, makeOwnFolder, sweepOwnFolders } from './scratch-folder.ts';
import { showCertificates } from './show-certificates.ts';
import { isWithin, systemPaths } from './system-paths.ts';
import { planView, searchPathOf } from './view.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface LocalSandboxOptions {
  /** For finding programs. */
  readonly environment: Environment;
  readonly demand: SandboxDemand;
  /** What is never seen, wherever it stands: the database, its key, the keys of providers. */
  readonly hidden?: readonly string[];
  /** Folders of tools that are shown beside those that the search path leads to. */
  readonly tools?: readonly string[];
  /** The usual ones unless said otherwise. */
  readonly limits?: Limits;
  readonly groupLimits?: GroupLimits;
  /** How long trying it out may take. */
  readonly trialMilliseconds?: number;
}

/** Programs that a command can count on, wherever they stand outside. */
const programNames = ['npm', 'npx', 'corepack'] as const;
/** Long: a machine that is only busy must not be taken for one that has no sandbox. */
const usualTrialMilliseconds = 10_000;

const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin'];

/** Variables that name places which are not there inside, and those that steer the tools which make the sandbox. */
const meaningless = /^(?:XDG_.*|(?:https?|all|no)_proxy|LD_.*|LIBMOUNT_.*|ENV|BASH_ENV)$/iu;

/** The ones that there are, without those that do not help inside. */
function variablesInside(
  given: SandboxCommand['environment'],
  gate: NetworkGate | null,
  tools: FoundTools,
): Record<string, string> {
  const kept = Object.entries(given).filter(([name]) => !meaningless.test(name));
  const proxy = `http://127.0.0.1:${gate?.proxyPort ?? 0}`;
  const ways =
    gate === null
      ? {}
      : {
          ...{ HTTPS_PROXY: proxy, https_proxy: proxy, HTTP_PROXY: proxy, http_proxy: proxy },
          ...{ NO_PROXY: '127.0.0.1,localhost,::1', no_proxy: '127.0.0.1,localhost,::1' },
          NODE_USE_ENV_PROXY: '1',
        };
  return {
    ...Object.fromEntries(kept),
    ...tools.variables,
    ...{ PATH: searchPathOf(tools), HOME: inside.home, TMPDIR: inside.temporary },
    ...{ USER: inside.user, LOGNAME: inside.user, SHELL: '/bin/sh' },
    ...ways,
  };
}

/** The kernel says ENOSPC where the number of namespaces is limited, which looks like a full disk. */
function explainRefusal(said: string): string {
  return /unshare|namespace/iu.test(said) && said.includes('No space left on device')
    ? `${said} (no more user namespaces are allowed: user.max_user_namespaces)`
    : said;
}

const isRealProgram = (file: string): boolean =>
  file.includes('/node_modules/') || systemPaths.some((path) => isWithin(file, path));

/** What is started: by its own name if that is seen inside, because some programs go by the name they are called by. */
function nameInside(program: string, { shown }: FoundTools): string {
  if (!program.startsWith('/')) return program;
  const place = join(realpathSync(dirname(program)), basename(program));
  return shown.some((folder) => isWithin(place, folder)) ? place : realpathSync(program);
}

interface Found {
  readonly enclosure: Enclosure | null;
  readonly facts: SandboxFacts;
  /** The trial did not end in time: there may be a sandbox all the same. */
  readonly isUntried?: boolean;
}

class LocalSandbox implements Sandbox {
  readonly #options: LocalSandboxOptions;
  readonly #groupLimits: GroupLimits;
  #groups: Promise<ControlGroups | string> | null = null;
  #found: Promise<Found> | null = null;

  constructor(options: LocalSandboxOptions) {
    this.#options = options;
    this.#groupLimits = options.groupLimits ?? usualGroupLimits(availableParallelism());
  }

  get #trialMilliseconds(): number {
    return this.#options.trialMilliseconds ?? usualTrialMilliseconds;
  }

  async inspect(): Promise<SandboxFacts> {
    return (await this.#find()).facts;
  }

  async inspectLimits(): Promise<UsageLimits> {
    const groups = await this.#findGroups();
    return typeof groups === 'string' ? { reason: groups } : this.#groupLimits;
  }

  async prepare(command: SandboxCommand, policy: SandboxPolicy): Promise<PreparedCommand> {
    const groups = await this.#findGroups();
    const prepared = await this.#shutIn(command, policy);
    return typeof groups === 'string' ? prepared : limitCommand(prepared, groups);
  }

  #findGroups(): Promise<ControlGroups | string> {
    this.#groups ??= findAnyGroups(this.#groupLimits, this.#options.environment);
    return this.#groups;
  }

  async #shutIn(command: SandboxCommand, policy: SandboxPolicy): Promise<PreparedCommand> {
    const { enclosure, facts, isUntried = false } = await this.#find();
    if (enclosure !== null) return this.#enclose(enclosure, command, policy);
    if (isUntried) {
      this.#found = null;
      throw new GatewrightError('sandbox-untried', `Nothing was run: ${facts.reason}.`);
    }
    if (this.#options.demand === 'require')
      throw new GatewrightError('sandbox-missing', `There is no sandbox here: ${facts.reason}.`);
    // It gets another home there, too, so toolchains have to be told where they are.
    const { variables } = this.#findTools();
    const told = Object.entries(variables).filter(([, path]) => !path.startsWith(inside.own));
    return leaveAsItIs({ ...command, environment: { ...Object.fromEntries(told), ...command.environment } });
  }

  #find(): Promise<Found> {
    this.#found ??= this.#tryAll();
    return this.#found;
  }

  async #tryAll(): Promise<Found> {
    const none = (reason: string) => ({ enclosure: null, facts: { kind: 'none' as const, reason } });
    let isUntried = false;
    sweepOwnFolders(Date.now());
    if (process.platform !== 'linux') return none('a sandbox needs Linux');
    const reasons: string[] = [];
    for (const find of [() => this.#findBubblewrap(), () => this.#findNamespaces()]) {
      const candidate = await find();
      if (typeof candidate === 'string') reasons.push(candidate);
      else {
        const why = await this.#tryOut(candidate);
        if (why === null) return { enclosure: candidate, facts: { kind: candidate.kind, reason: null } };
        isUntried ||= why === 'timeout';
        const said =
          why === 'timeout' ? `no answer within ${countOf(this.#trialMilliseconds / 1000, 'second')}` : why;
        reasons.push(`${candidate.kind} does not work: ${said}`);
      }
    }
    return { ...none(reasons.join('; ')), isUntried };
  }

  async #findBubblewrap(): Promise<Enclosure | string> {
    if (process.getuid?.() === 0)
      return 'bubblewrap is not used for root, who owns the devices of this machine';
    const program = findProgram(this.#options.environment, 'bwrap');
    if (program === null) return 'bubblewrap (bwrap) is not installed';
    let help = '';
    await runOwned({
      ...{ program, args: ['--help'], folder: '/', environment: {}, input: '' },
      limitMilliseconds: this.#trialMilliseconds,
      onOutput: (chunk) => {
        help += chunk.toString();
      },
    });
    return makeBubblewrap(program, help.includes('--disable-userns'));
  }

  #findNamespaces(): Enclosure | string {
    const path = { PATH: [this.#options.environment.PATH ?? '', ...systemFolders].join(':') };
    const missing = namespaceTools.filter((name) => findProgram(path, name) === null);
    const [setpriv, unshare] = [findProgram(path, 'setpriv'), findProgram(path, 'unshare')];
    return missing.length > 0 || setpriv === null || unshare === null
      ? `namespaces need ${missing.join(', ')} of util-linux`
      : makeNamespaces(setpriv, unshare);
  }

  /** Runs next to nothing in it. Null when that works, else why not. */
  async #tryOut(enclosure: Enclosure): Promise<string | null> {
    const command = { program: '/bin/sh', args: ['-c', 'echo fine'], folder: '/', environment: {} };
    const prepared = await this.#enclose(enclosure, command, { writable: [], network: 'none' });
    let output = '';
    const exit = await runOwned({
      ...prepared,
      ...{ folder: '/', input: '', limitMilliseconds: this.#trialMilliseconds },
      onOutput: (chunk) => {
        output += chunk.toString();
      },
    });
    await prepared.close();
    if (exit.kind === 'ended' && exit.code === 0 && output === 'fine\n') return null;
    const said = exit.kind === 'ended' ? exit.complaint.trim().split('\n')[0] : exit.kind;
    return explainRefusal(said?.slice(0, 200) || 'it was stopped');
  }

  /** Searched each time: a tool may be installed or removed while we run. */
  #findTools(): FoundTools {
    return findTools(this.#options.environment, this.#options.tools ?? []);
  }

  #listPrograms(): Record<string, string> {
    const node = realpathSync(process.execPath);
    const found = programNames.flatMap((name) => {
      const files = [findProgram(this.#options.environment, name) ?? '', join(dirname(node), name)];
      // A version manager puts its own script in the program's place; such a script is found through the search path,
      // or not at all.
      const file = files.filter((one) => existsSync(one)).find((one) => isRealProgram(realpathSync(one)));
      return file === undefined ? [] : [[name, realpathSync(file)]];
    });
    return { ...Object.fromEntries(found), node };
  }

  async #enclose(
    enclosure: Enclosure,
    command: SandboxCommand,
    policy: SandboxPolicy,
  ): Promise<PreparedCommand> {
    const identity = identityInside();
    const programs = this.#listPrograms();
    const tools = this.#findTools();
    const own = makeOwnFolder(identity, programs, tools);
    const { network } = policy;
    const { limits = usualLimits } = this.#options;
    try {
      const gate = network === 'none' ? null : await this.#openGate(own.shown, network.hosts);
      const files = [
        ...Object.values(programs),
        ...(command.program.startsWith('/') ? [command.program] : []),
      ];
      const words = [nameInside(command.program, tools), ...command.args];
      const [program, ...args] = enclosure.wrap({
        argv: [
          ...startWithLimits(limits),
          ...(gate === null ? words : this.#throughGate(gate, command.hasSecret === true, words)),
        ],
        processes: processesOfNamespace(limits),
        folder: realpathSync(command.folder),
        view: planView(policy, { own, programs: files, tools, hidden: this.#options.hidden ?? [] }),
        ...{ identity, workshop: own.workshop },
      });
      return {
        ...{ kind: enclosure.kind, program, args, folder: '/' },
        environment: variablesInside(
          showCertificates(command.environment, join(own.shown, 'ca'), `${inside.own}/ca`),
          gate,
          tools,
        ),
        refused: () => gate?.refused() ?? [],
        ranOutOfMemory: () => false,
        close: async () => {
          await gate?.close();
          own.remove();
        },
      };
    } catch (error) {
      own.remove();
      throw error;
    }
  }

  /** Loaded when a command may use the network: Node's client and server for HTTP and TLS take long to load. */
  async #openGate(folder: string, hosts: readonly string[]): Promise<NetworkGate> {
    const { openNetworkGate } = await import('./network-gate.ts');
    return openNetworkGate(folder, hosts, this.#options);
  }

  #throughGate(gate: NetworkGate, hasSecret: boolean, words: readonly string[]): string[] {
    const doors = gate.doors.map((door) => ({ ...door, socket: `${inside.own}/${door.socket}` }));
    return [
      `${inside.own}/bin/node`,
      '-e',
      forwarderScript,
      '--',
      JSON.stringify({ doors, hasSecret }),
      ...words,
    ];
  }
}

export function makeLocalSandbox(options: LocalSandboxOptions): Sandbox {
  return new LocalSandbox(options);
}
