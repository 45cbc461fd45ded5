/** What the Claude Code CLI may do in a sandbox: work in its folder, and reach its provider. */
import type { CodingTask } from '../../ports/coding-agent.ts';
import type { SandboxPolicy } from '../../ports/sandbox.ts';
import type { Environment } from './run-claude.ts';

const provider = 'https://api.anthropic.com';

/** Where its provider is. */
export function claudeProviderUrl(environment: Environment): URL {
  const address = (environment.ANTHROPIC_BASE_URL ?? '').trim();
  return new URL(URL.canParse(address) ? address : provider);
}

/** The one host and port that it has to reach. */
function providerHost(environment: Environment): string {
  const { protocol, hostname, port } = claudeProviderUrl(environment);
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

const howToGiveOne =
  'put a token made by "claude setup-token" into CLAUDE_CODE_OAUTH_TOKEN, or set ANTHROPIC_API_KEY';

export const explainHiddenLogin = `the login of the Claude Code CLI is in your home folder, which is not visible in the sandbox: ${howToGiveOne}`;

/** "claude auth login" would not be enough: the sandbox does not show that login either. */
export const explainNoLogin = `the Claude Code CLI is installed but not logged in, and in the sandbox only a token or a key counts: ${howToGiveOne}`;
