/** What the Claude Code CLI may do in a sandbox: work in its folder, and reach its provider. */
import type { CodingTask } from '../../ports/coding-agent.ts';
import type { SandboxPolicy } from '../../ports/sandbox.ts';
import type { Environment } from './run-claude.ts';

const provider = 'api.anthropic.com:443';

/** The one host and port that it has to reach. */
function providerHost(environment: Environment): string {
  const address = (environment.ANTHROPIC_BASE_URL ?? '').trim();
  if (!URL.canParse(address)) return provider;
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
}

export function claudePolicy(
  { folder, tools, readable = [] }: CodingTask,
  environment: Environment,
): SandboxPolicy {
  return {
    writable: tools.mode === 'implement' ? [folder] : [],
    readable: [...(tools.mode === 'implement' ? [] : [folder]), ...readable],
    network: { hosts: [providerHost(environment)] },
  };
}

export const explainHiddenLogin =
  'the login of the Claude Code CLI is in your home folder, which is not seen in the sandbox: put a token made by "claude setup-token" into CLAUDE_CODE_OAUTH_TOKEN, or set ANTHROPIC_API_KEY';
