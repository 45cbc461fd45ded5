/** How to sign in to GitHub and what to remember of it, from the environment. Read only when GitHub is used. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { GatewrightError } from '../errors.ts';
import { readPrivateFile } from './read-private-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface GithubApp {
  readonly id: string;
  readonly privateKey: string;
  readonly installation: number | null;
}

interface GithubAccessSettings {
  /** Goes before every token. */
  readonly app: GithubApp | null;
  /** Where answers are kept that may be asked for again; null: in memory only or not at all. */
  readonly cacheFolder: string | null;
  readonly cache: 'disk' | 'memory' | 'off';
}

const appVariables = {
  id: 'GATEWRIGHT_GITHUB_APP_ID',
  key: 'GATEWRIGHT_GITHUB_APP_KEY',
  keyFile: 'GATEWRIGHT_GITHUB_APP_KEY_FILE',
  installation: 'GATEWRIGHT_GITHUB_INSTALLATION_ID',
} as const;

function refuse(message: string): never {
  throw new GatewrightError('config-invalid', message, { hint: 'docs/github.md describes the set-up.' });
}

function readKey(environment: Environment): string {
  const key = (environment[appVariables.key] ?? '').trim();
  const file = environment[appVariables.keyFile] ?? '';
  if (key !== '' && file !== '') refuse(`${appVariables.key} and ${appVariables.keyFile} are both set.`);
  if (key !== '') return key;
  if (file === '')
    refuse(`${appVariables.id} is set, and neither ${appVariables.keyFile} nor ${appVariables.key}.`);
  const text = readPrivateFile(file, 'The private key file');
  return text ?? refuse(`The private key file ${file} does not exist.`);
}

function readApp(environment: Environment): GithubApp | null {
  const read = (name: keyof typeof appVariables) => (environment[appVariables[name]] ?? '').trim();
  const id = read('id');
  if (id === '') {
    const stray = (['key', 'keyFile', 'installation'] as const).find((name) => read(name) !== '');
    if (stray !== undefined) refuse(`${appVariables[stray]} is set, but not ${appVariables.id}.`);
    return null;
  }
  // A number, or the client id, which GitHub takes as well.
  if (!/^[A-Za-z0-9.]{1,100}$/u.test(id))
    refuse(`${appVariables.id} has to be the number of the App, or its client id.`);
  const installation = read('installation');
  if (installation !== '' && !/^[1-9]\d{0,14}$/u.test(installation))
    refuse(`${appVariables.installation} has to be a number.`);
  return {
    id,
    privateKey: readKey(environment),
    installation: installation === '' ? null : Number(installation),
  };
}

export function readGithubAccess(environment: Environment): GithubAccessSettings {
  const cache = environment.GATEWRIGHT_GITHUB_CACHE || 'disk';
  if (cache !== 'disk' && cache !== 'memory' && cache !== 'off')
    return refuse('GATEWRIGHT_GITHUB_CACHE has to be disk, memory or off.');
  const given = environment.XDG_CACHE_HOME ?? '';
  const base = isAbsolute(given) ? given : join(environment.HOME || homedir(), '.cache');
  return {
    app: readApp(environment),
    cache,
    cacheFolder: cache === 'disk' ? join(base, 'gatewright', 'github') : null,
  };
}
