/** Runs commands of a project, such as its tests, in a sandbox, and keeps the end of what they write. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { GatewrightError } from '../../errors.ts';
import type { CommandRequest, CommandResult, CommandRunner } from '../../ports/command-runner.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { certificateVariables } from '../network/certificate-variables.ts';
import { pickVariables, runOwned } from '../system/owned-process.ts';
import { traceWait } from '../system/trace-wait.ts';
import { makeTemporaryFolder } from './scratch-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What commands get to see: no token of anything. */
const allowed = [
  ...['PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'],
  ...certificateVariables,
];

const longestOutput = 64 * 1024;

/** Only this note tells the cause: a process that the kernel ends prints nothing. */
const memoryNote =
  '\n[gatewright] A process was ended because the command used more memory than it may (docs/sandbox.md).\n';

/** The end of a stream of bytes, and the hash of all of it. */
class OutputTail {
  readonly #hash = createHash('sha256');
  #kept: Buffer[] = [];
  #keptBytes = 0;
  bytes = 0;

  take(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    this.#kept.push(chunk);
    this.#keptBytes += chunk.length;
    if (this.#keptBytes > 2 * longestOutput) this.#shorten();
  }

  #shorten(): void {
    const end = Buffer.concat(this.#kept).subarray(-longestOutput);
    this.#kept = [end];
    this.#keptBytes = end.length;
  }

  finish(): { readonly output: string; readonly outputBytes: number; readonly outputSha256: string } {
    this.#shorten();
    const text = (this.#kept[0] ?? Buffer.alloc(0)).toString('utf8');
    // Removes a character that was cut in two at the beginning.
    const output = this.bytes > longestOutput ? text.replace(/^\uFFFD+/u, '') : text;
    return { output, outputBytes: this.bytes, outputSha256: this.#hash.digest('hex') };
  }
}

export class SandboxedCommands implements CommandRunner {
  readonly #sandbox: Sandbox;
  readonly #environment: Environment;

  constructor(sandbox: Sandbox, environment: Environment) {
    this.#sandbox = sandbox;
    this.#environment = environment;
  }

  async run({ folder, argv, network, readable, ...limits }: CommandRequest): Promise<CommandResult> {
    const [program, ...args] = argv;
    if (program === undefined || program === '')
      throw new GatewrightError('config-invalid', 'A command has to name a program.');
    // The command gets a home of its own: without a sandbox, the home of the user who runs Gatewright would steer it
    // with its settings and expose its tokens.
    const home = makeTemporaryFolder('home');
    let close = async (): Promise<void> => undefined;
    let cleaning: Promise<void> | null = null;
    // The home holds caches of the tools, so this can take a while; the process has to stay awake.
    const cleanUp = (): Promise<void> => {
      cleaning ??= close().finally(() => rm(home, { recursive: true, force: true }));
      return cleaning;
    };
    try {
      const environment = { ...pickVariables(this.#environment, allowed), HOME: home, CI: '1' };
      const policy = { writable: [folder], readable: readable ?? [], network };
      const prepared = await this.#sandbox.prepare({ program, args, folder, environment }, policy);
      close = () => prepared.close();
      const began = performance.now();
      const tail = new OutputTail();
      const take = (chunk: Buffer): void => tail.take(chunk);
      let refusedHosts: readonly string[] = [];
      // Before it is judged it is waited for a moment (owned-process.ts), and that time is used.
      const onEnd = (): void => {
        if (prepared.ranOutOfMemory()) take(Buffer.from(memoryNote));
        refusedHosts = prepared.refused();
        cleanUp().catch(() => undefined);
      };
      const exit = await traceWait(`waiting for ${argv.join(' ')}`, () =>
        runOwned({ ...prepared, ...limits, input: '', onOutput: take, onErrors: take, onEnd }),
      );
      return {
        exitCode: exit.kind === 'ended' ? exit.code : exit.kind === 'not-started' ? 127 : null,
        ...tail.finish(),
        milliseconds: Math.round(performance.now() - began),
        timedOut: exit.kind === 'timeout',
        sandbox: prepared.kind,
        refusedHosts,
      };
    } finally {
      await cleanUp();
    }
  }
}
