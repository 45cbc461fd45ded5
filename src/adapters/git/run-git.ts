/** Runs git as a child process: arguments as a list, never a shell; no prompts, no pager, English messages. */
import { execFile } from 'node:child_process';
import { GatewrightError } from '../../errors.ts';
import { type Environment, makeGitEnvironment } from './git-environment.ts';

export interface GitResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

// Hooks and file-system monitors are programs that a repository's settings name: nothing of ours starts them.
const withoutPrograms = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];

/** Runs git and returns its exit code; throws only when git cannot be started. */
export function tryGit(
  folder: string,
  environment: Environment,
  args: readonly string[],
  input = '',
  /** Variables that we set ourselves; they count more than the environment and are never left out. */
  own: Environment = {},
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...withoutPrograms, ...args],
      { cwd: folder, env: { ...makeGitEnvironment(environment), ...own }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        if (code >= 0) resolve({ code, output: stdout, errors: stderr });
        else if (error?.code === 'ENOENT') {
          reject(
            new GatewrightError('git-failed', 'git was not found.', {
              hint: 'Install git 2.38 or newer and put it in PATH.',
            }),
          );
        } else {
          reject(
            new GatewrightError('git-failed', `git could not be run: ${error?.message ?? 'unknown'}`, {
              cause: error,
            }),
          );
        }
      },
    );
    // Git may end without reading; that is told by its exit code.
    child.stdin?.on('error', () => undefined).end(input);
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
