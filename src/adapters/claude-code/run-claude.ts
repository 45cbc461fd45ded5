/** The one way the Claude Code CLI is started: what it may see, how it gets its credential, what it may not do on its own. */
import { z } from 'zod';
import { leaveAsItIs, type PreparedCommand, type Sandbox, type SandboxPolicy } from '../../ports/sandbox.ts';
import { certificateVariables } from '../network/certificate-variables.ts';
import { findProgram } from '../system/find-program.ts';
import { LineReader } from '../system/line-reader.ts';
import { type OwnedExit, pickVariables, runOwned } from '../system/owned-process.ts';
import type { ClaudeCredential } from './claude-credentials.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the CLI gets to see: how to find and identify itself, how to reach its provider. Everything else stays outside,
 * above all the tokens of the forge; its own credential goes another way.
 */
export const claudeVariables: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'XDG_CONFIG_HOME'],
  ...['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_MAX_RETRIES', 'IS_SANDBOX', 'ANTHROPIC_BASE_URL'],
  ...['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC', 'DISABLE_TELEMETRY', 'DISABLE_AUTOUPDATER'],
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'],
  ...certificateVariables,
];

/**
 * Set for every run. "@/etc/passwd" in a prompt would make the CLI read that file, past all permissions, and send it
 * along: a prompt holds text from outside, so that is switched off. Nothing is to be remembered from one run to the next,
 * or to go on in the background.
 */
const always: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
};

/** No servers of others, no commands, no session files. */
const alwaysArguments = [
  '-p',
  ...['--output-format', 'stream-json', '--verbose'],
  '--strict-mcp-config',
  '--disable-slash-commands',
  '--no-session-persistence',
];

/** Which model answers, unless it is the one that the CLI is set to, and in what form, unless in plain text. */
export function answerArguments(model: string, schema: z.ZodType | null): string[] {
  return [
    ...(model === 'default' ? [] : ['--model', model]),
    // In the draft of JSON Schema that the CLI knows.
    ...(schema === null
      ? []
      : ['--json-schema', JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7' }))]),
  ];
}

/** The program on the search path, or null. */
export function findClaude(environment: Environment): string | null {
  return findProgram(environment, 'claude');
}

/** Variables for the child, and what it is told on a descriptor of its own instead of in a variable. */
function lookOf(
  environment: Environment,
  credential: ClaudeCredential,
): { readonly variables: Record<string, string>; readonly secret?: string } {
  const variables = { ...pickVariables(environment, claudeVariables), ...always };
  if (credential.secret === '') return { variables };
  // Commands that the agent runs inherit its variables. Windows has no such descriptors.
  return credential.descriptorVariable === null || process.platform === 'win32'
    ? { variables: { ...variables, [credential.name]: credential.secret } }
    : { variables: { ...variables, [credential.descriptorVariable]: '3' }, secret: credential.secret };
}

export interface ClaudeProcess {
  readonly program: string;
  /**
   * Whose settings count: at most the user's, because what a project brings along must not steer it. A user's settings may
   * hold permissions, so they are for runs without tools.
   */
  readonly settings: 'user' | 'none';
  /** Beyond those that are always given. */
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  readonly credential: ClaudeCredential;
  readonly prompt: string;
  readonly limitMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
  readonly onLine: (line: string) => void;
  /** Where it runs, and what it may do there; without one it runs as any other program. */
  readonly enclosure?: { readonly sandbox: Sandbox; readonly policy: SandboxPolicy } | undefined;
  /** Told at the end which hosts it was kept from. */
  readonly onRefused?: (hosts: readonly string[]) => void;
}

/**
 * In a sandbox, all files of the CLI are in a home that is removed afterwards, and the CLI can reach only its provider.
 */
async function prepare(
  { enclosure, program, folder }: ClaudeProcess,
  args: readonly string[],
  environment: Record<string, string>,
  hasSecret: boolean,
): Promise<PreparedCommand> {
  const command = { program, args, folder, environment, hasSecret };
  if (enclosure === undefined) return leaveAsItIs(command);
  const prepared = await enclosure.sandbox.prepare(command, enclosure.policy);
  if (prepared.kind === 'none') return prepared;
  const own = {
    CLAUDE_CONFIG_DIR: `${prepared.environment.HOME}/.claude`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  return { ...prepared, environment: { ...prepared.environment, ...own } };
}

export async function runClaude(options: ClaudeProcess): Promise<OwnedExit> {
  const lines = new LineReader(options.onLine);
  const { variables, secret } = lookOf(options.environment, options.credential);
  const args = [
    ...alwaysArguments,
    ...['--setting-sources', options.settings === 'user' ? 'user' : ''],
    ...options.args,
  ];
  const prepared = await prepare(options, args, variables, secret !== undefined);
  const exit = await runOwned({
    ...prepared,
    // A text that begins with a slash would be taken for a command of the CLI.
    input: /^\s*[/!#]/u.test(options.prompt) ? `The request:\n\n${options.prompt}` : options.prompt,
    ...(secret === undefined ? {} : { secret }),
    limitMilliseconds: options.limitMilliseconds,
    signal: options.signal,
    onOutput: (chunk) => lines.take(chunk),
  }).finally(() => prepared.close());
  options.onRefused?.(prepared.refused());
  lines.end();
  return exit;
}
