/** Whether the Claude Code CLI has a login of its own, as it says itself. Nothing is sent anywhere. */
import { execFile } from 'node:child_process';
import { z } from 'zod';
import type { ClaudeLogin } from '../../domain/models/propose-models.ts';
import { pickVariables } from '../system/owned-process.ts';
import { traceWait } from '../system/trace-wait.ts';
import { hasClaudeCredential } from './claude-credentials.ts';
import { claudeVariables, type Environment, findClaude } from './run-claude.ts';

/** A CLI that hangs must not hold up a check of ten seconds. */
const longestMilliseconds = 6_000;
/** `doctor` asks for every role; a person who logs in meanwhile is believed at the next command. */
const validMilliseconds = 10_000;

const statusForm = z.object({ loggedIn: z.boolean() });

const asked = new Map<string, { readonly at: number; readonly answer: Promise<ClaudeLogin> }>();

/** `claude auth status` prints JSON in both cases, and exits with 1 without a login. Older versions do not know it. */
function askProgram(program: string, environment: Environment): Promise<ClaudeLogin> {
  return new Promise((resolve) => {
    const options = {
      env: pickVariables(environment, claudeVariables),
      timeout: longestMilliseconds,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 64 * 1024,
    };
    const child = execFile(program, ['auth', 'status'], options, (_, output) => {
      let said: unknown = null;
      try {
        said = JSON.parse(output);
      } catch {
        // Not the answer of a CLI that knows the question.
      }
      const status = statusForm.safeParse(said).data;
      resolve(status === undefined ? 'unknown' : status.loggedIn ? 'ready' : 'logged-out');
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end();
  });
}

/** A token or key in the environment counts as a login: the CLI gets it from us. */
export function readClaudeLogin(environment: Environment): Promise<ClaudeLogin> {
  const program = findClaude(environment);
  if (program === null) return Promise.resolve('missing');
  if (hasClaudeCredential(environment)) return Promise.resolve('ready');
  const key = JSON.stringify([program, environment.HOME, environment.CLAUDE_CONFIG_DIR]);
  const known = asked.get(key);
  if (known !== undefined && performance.now() - known.at < validMilliseconds) return known.answer;
  const answer = traceWait('asking the Claude Code CLI whether it is logged in', () =>
    askProgram(program, environment),
  );
  asked.set(key, { at: performance.now(), answer });
  return answer;
}

const explanations: Readonly<Record<ClaudeLogin, string | null>> = {
  missing: 'the Claude Code CLI is not installed: no "claude" on the PATH',
  'logged-out':
    'the Claude Code CLI is installed but not logged in: run "claude auth login", or set CLAUDE_CODE_OAUTH_TOKEN or ANTHROPIC_API_KEY',
  // An older CLI may well be logged in: its first answer shows it.
  unknown: null,
  ready: null,
};

/** What stands in the way of using the CLI; null when nothing is known to. */
export async function explainUnusableClaude(environment: Environment): Promise<string | null> {
  return explanations[await readClaudeLogin(environment)];
}
