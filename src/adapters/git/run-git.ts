/** Runs git as a child process: arguments as a list, never a shell; no prompts, no pager, English messages. */
import { execFile } from 'node:child_process';
import { GatewrightError } from '../../errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GitResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

// Set when we are started from inside a git hook, or to steer git by hand: they would point it at another repository,
// run a program for every diff, or change what a path means.
const steering = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_NAMESPACE',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_ATTR_SOURCE',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_LITERAL_PATHSPECS',
  'GIT_DEFAULT_HASH',
];

// Hooks and file-system monitors are programs that a repository's settings name: nothing of ours starts them.
const withoutPrograms = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];

function gitEnvironment(environment: Environment): Environment {
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !steering.includes(name)));
  return { ...rest, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat' };
}

/** Runs git and returns its exit code; throws only when git cannot be started. */
export function tryGit(
  folder: string,
  environment: Environment,
  args: readonly string[],
  input = '',
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...withoutPrograms, ...args],
      { cwd: folder, env: { ...gitEnvironment(environment) }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        if (code >= 0) resolve({ code, output: stdout, errors: stderr });
        else if (error?.code === 'ENOENT') {
          reject(
            new GatewrightError('git-failed', 'git was not found.', {
              hint: 'Install git 2.30 or newer and put it in PATH.',
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
