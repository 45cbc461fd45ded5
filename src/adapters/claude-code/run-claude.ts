/** Starts the Claude Code CLI for one prompt and waits for what it prints, but not for ever. */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the CLI gets to see: how to find and identify itself, how to reach its provider. Everything else stays outside,
 * above all the tokens of the forge.
 */
const allowed: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'XDG_CONFIG_HOME'],
  ...['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_RETRIES', 'IS_SANDBOX'],
  ...['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC', 'DISABLE_TELEMETRY', 'DISABLE_AUTOUPDATER'],
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

function pickEnvironment(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    allowed.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The program on the search path, or null. */
export function findClaude(environment: Environment): string | null {
  const names = process.platform === 'win32' ? ['claude.exe'] : ['claude'];
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    for (const name of folder === '' ? [] : names) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        if (statSync(file).isFile()) return file;
      } catch {
        // Not there; the next folder may have it.
      }
    }
  }
  return null;
}

export interface ClaudeProcess {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it runs: an empty folder, so that no project's files steer it. */
  readonly folder: string;
  readonly environment: Environment;
  readonly prompt: string;
  readonly limitMilliseconds: number;
}

export type ClaudeExit =
  | { readonly kind: 'ended'; readonly output: string }
  | { readonly kind: 'not-started' }
  | { readonly kind: 'timeout' };

/** More than any draft; a process that prints without end is stopped here. */
const longestOutput = 16 * 1024 * 1024;
const patience = 2_000;

export function runClaude(options: ClaudeProcess): Promise<ClaudeExit> {
  return new Promise((resolve) => {
    const child = spawn(options.program, [...options.args], {
      cwd: options.folder,
      env: pickEnvironment(options.environment),
      // What it says on standard error is for people who run it themselves.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let output = '';
    const stop = (): void => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), patience).unref();
    };
    const timer = setTimeout(() => {
      stop();
      child.stdout.destroy();
      resolve({ kind: 'timeout' });
    }, options.limitMilliseconds);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > longestOutput) stop();
    });
    child.once('error', () => {
      clearTimeout(timer);
      resolve({ kind: 'not-started' });
    });
    child.once('close', () => {
      clearTimeout(timer);
      resolve({ kind: 'ended', output });
    });
    // It may end before it has read everything; its output tells why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.prompt);
  });
}
