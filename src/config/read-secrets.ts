/** Every key that this machine is known to hold, so that nothing that is written for others holds one. */
import type { BaseConfig } from './read-config.ts';
import { readCredentials } from './read-credentials.ts';

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE)$/iu;

export function readSecrets(config: BaseConfig): string[] {
  const fromEnvironment = Object.entries(config.environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) ? [value.trim()] : [],
  );
  const fromFile = readCredentials(config.environment, config.credentialsFile).map(({ key }) => key);
  return [...new Set([...fromEnvironment, ...fromFile, config.githubToken])].filter((one) => one !== '');
}
