/** Environment variables that hold secrets of ours. Programs that we start for a person do not get them. */
import { keyVariables } from '../models/credential.ts';

/** Those that `gh` itself reads. */
export const ghVariables = [
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'GITHUB_ENTERPRISE_TOKEN',
  'GH_ENTERPRISE_TOKEN',
] as const;

export const secretVariables: readonly string[] = [
  ...Object.values(keyVariables).flat(),
  ...ghVariables,
  ...['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  ...['GATEWRIGHT_GITHUB_APP_KEY', 'GATEWRIGHT_WEBHOOK_SECRET', 'GATEWRIGHT_LEDGER_KEY'],
  ...['GATEWRIGHT_NOTIFY_WEBHOOK_URL', 'GATEWRIGHT_NOTIFY_WEBHOOK_SECRET', 'GATEWRIGHT_NOTIFY_SLACK_URL'],
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Addresses and passwords of channels, whose names a person chooses. */
const notifyPrefix = 'GATEWRIGHT_NOTIFY_';

function isSecretVariable(name: string): boolean {
  return secretVariables.includes(name) || name.startsWith(notifyPrefix);
}

export function withoutSecrets(environment: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSecretVariable(name)));
}
