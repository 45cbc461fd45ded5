/** Runs git as a child process: arguments as a list, never a shell; no prompts, no pager, English messages. */
import { type ChildProcessByStdio, type ExecFileException, execFile, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { GatewrightError } from '../../errors.ts';
import { traceWait } from '../system/trace-wait.ts';
import { type Environment, makeGitEnvironment } from './git-environment.ts';

export interface GitResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

// Hooks and file-system monitors are programs that the settings of a repository name: our git calls start none of them.
// A folder that only looks like a git folder is not used as one: its files can be part of any commit, and its settings
// name programs too.
const withoutPrograms = [
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'safe.bareRepository=explicit'],
];

interface GitInput {
  readonly input?: string | undefined;
  /** Variables of ours; they are not among those that are picked from the person's. */
  readonly variables?: Readonly<Record<string, string>>;
  /** In milliseconds; git is stopped then, with 124 as its exit code. */
  readonly timeout?: number;
  /** The output holds a character for each byte, and may be large. */
  readonly isBinary?: boolean;
}

const mostOutput = 64 * 1024 * 1024;

/** Whether it was stopped because it took too long; one with too much to say is stopped as well, and has a code. */
function isLate(error: ExecFileException): boolean {
  return error.killed === true && error.signal === 'SIGTERM' && error.code === null;
}

/**
 * Whether a person or a service manager ended it: Ctrl-C at a terminal reaches git as well as us. That says nothing about
 * the repository, so the run is saved and not reported as failed.
 */
function isCancelled(error: ExecFileException | null): boolean {
  return error?.signal === 'SIGINT' || error?.signal === 'SIGTERM' || error?.signal === 'SIGHUP';
}

/** Why git has no exit code. */
function explainEnd(error: ExecFileException | null): GatewrightError {
  if (error?.code === 'ENOENT')
    return new GatewrightError('git-failed', 'git was not found.', {
      hint: 'Install git 2.38 or newer and put it in PATH.',
    });
  if (isCancelled(error))
    return new GatewrightError('cancelled', 'git was stopped together with the program.');
  return new GatewrightError('git-failed', `git could not be run: ${error?.message ?? 'unknown'}`, {
    cause: error,
  });
}

/** What the C library says, in the locale that we give git; git has no exit code for it. */
const saysFullDisk = /\b(?:No space left on device|Disk quota exceeded)\b/u;

/** The command among the arguments of git, which may begin with settings. */
function commandOf(args: readonly string[]): string {
  return args.find((word) => /^[a-z]+(?:-[a-z]+)*$/u.test(word)) ?? '';
}

/** Runs git and returns its exit code; throws only when git cannot be started or has no room to write. */
export function tryGit(
  folder: string,
  environment: Environment,
  args: readonly string[],
  more: GitInput = {},
): Promise<GitResult> {
  return traceWait(`waiting for git ${commandOf(args)}`, () => startGit(folder, environment, args, more));
}

function startGit(
  folder: string,
  environment: Environment,
  args: readonly string[],
  more: GitInput,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...withoutPrograms, ...args],
      {
        cwd: folder,
        env: { ...makeGitEnvironment(environment), ...more.variables },
        maxBuffer: more.isBinary === true ? 16 * mostOutput : mostOutput,
        encoding: more.isBinary === true ? 'latin1' : 'utf8',
        timeout: more.timeout ?? 0,
      },
      (error, stdout, stderr) => {
        const code =
          error === null ? 0 : typeof error.code === 'number' ? error.code : isLate(error) ? 124 : -1;
        if (code > 0 && saysFullDisk.test(stderr))
          reject(
            new GatewrightError('disk-full', `No room left for git in ${folder}.`, {
              details: stderr.trim().split('\n').slice(-3),
            }),
          );
        else if (code >= 0) resolve({ code, output: stdout, errors: stderr });
        else reject(explainEnd(error));
      },
    );
    // Git may end without reading; that is told by its exit code.
    child.stdin?.on('error', () => undefined).end(more.input ?? '');
  });
}

/** Starts git so that it can be asked again and again; what it has to complain about is not read. */
export function startGitToAsk(
  folder: string,
  environment: Environment,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn('git', [...withoutPrograms, ...args], {
    cwd: folder,
    env: { ...makeGitEnvironment(environment), ...variables },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

export async function runGit(
  folder: string,
  environment: Environment,
  args: readonly string[],
): Promise<string> {
  const result = await tryGit(folder, environment, args);
  if (result.code !== 0) {
    const said = result.errors.trim() || result.output.trim();
    throw new GatewrightError(
      'git-failed',
      `git ${args.find((word) => !word.startsWith('-')) ?? ''} failed: ${said.slice(0, 1000)}`,
    );
  }
  return result.output.trim();
}
