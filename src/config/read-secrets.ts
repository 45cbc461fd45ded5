/** Every key that this machine is known to hold, so that nothing that is written for others holds one. */
import { linesOfSecret, secretsOfVariable } from '../domain/machine/secrets-of-variable.ts';
import { isGatewrightError } from '../errors.ts';
import type { BaseConfig } from './read-config.ts';
import { readCredentials } from './read-credentials.ts';
import { readNotifications, secretsOfNotifications } from './read-notifications.ts';
import { readPrivateFile } from './read-private-file.ts';

/** The code that uses the key reports a file that cannot be used; here the file only counts as no key. */
function readAppKey(file: string): string {
  try {
    return file === '' ? '' : (readPrivateFile(file, 'The private key file') ?? '');
  } catch (error) {
    if (isGatewrightError(error)) return '';
    throw error;
  }
}

/** The file of notifications, too, is judged by what uses it. */
function readChannelSecrets(config: BaseConfig): string[] {
  try {
    const settings = readNotifications(config);
    return settings === null ? [] : secretsOfNotifications(settings);
  } catch (error) {
    if (isGatewrightError(error)) return [];
    throw error;
  }
}

export function readSecrets(config: BaseConfig): string[] {
  const { environment, credentialsFile, githubToken } = config;
  const fromEnvironment = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : secretsOfVariable(name, value),
  );
  const fromFile = readCredentials(environment, credentialsFile).map(({ key }) => key);
  const appKey = readAppKey(environment.GATEWRIGHT_GITHUB_APP_KEY_FILE ?? '');
  const all = [
    ...fromEnvironment,
    ...[...fromFile, githubToken, appKey, ...readChannelSecrets(config)].flatMap(linesOfSecret),
  ];
  return [...new Set(all)];
}
