/** Environment and options become one checked configuration. The only reader of `process.env`. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { type Budget, type BudgetScope, defaultBudget } from '../domain/budget.ts';
import type { Provider } from '../domain/credential.ts';
import { isLogin } from '../domain/login.ts';
import { GatewrightError } from '../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type ForgeKind = 'local' | 'github';

export interface Config {
  readonly databaseFile: string;
  /** Whether it was named for this one command. */
  readonly isDatabaseGiven: boolean;
  readonly forge: ForgeKind;
  readonly github: {
    readonly apiUrl: string;
    /** Empty when none was given; gh may know one. */
    readonly token: string;
    /** Why the address cannot be used. A run may be on GitHub although the default is another forge. */
    readonly problem: string | null;
  };
  /** Login on the local forge. */
  readonly actor: string;
  readonly editorCommands: readonly string[];
  readonly autoMode: boolean;
  readonly testMode: boolean;
  readonly budget: Budget;
  readonly drafter: string;
  readonly reviewer: string;
  readonly coder: string;
  /** Where several keys can be kept; it need not exist. */
  readonly credentialsFile: string;
  /** Addresses to use instead of the providers' own. */
  readonly providerUrls: Readonly<Partial<Record<Provider, string>>>;
  /** How long one model call may take, with all its repetitions. */
  readonly modelSeconds: number;
  readonly isDebug: boolean;
  /** For child processes (git, editor). */
  readonly environment: Environment;
}

/** `GATEWRIGHT_NAME`, or `AGENTOS_NAME` as older set-ups have it. */
function readSwitch(environment: Environment, name: string): boolean {
  const value = environment[`GATEWRIGHT_${name}`] ?? environment[`AGENTOS_${name}`] ?? '';
  return value === '1' || value.toLowerCase() === 'true';
}

function readBudget(environment: Environment): { budget: Budget; problems: string[] } {
  const problems: string[] = [];
  const read = (scope: BudgetScope) => {
    const limits = { ...defaultBudget[scope] };
    for (const unit of ['usd', 'tokens', 'turns'] as const) {
      const name = `GATEWRIGHT_BUDGET_${scope.toUpperCase()}_${unit.toUpperCase()}`;
      const text = environment[name];
      if (text === undefined || text === '') continue;
      const value = Number(text);
      if (Number.isFinite(value) && value >= 0) limits[unit] = value;
      else problems.push(`${name} is "${text}"; it has to be a number of 0 or more.`);
    }
    return limits;
  };
  return { budget: { run: read('run'), issue: read('issue'), day: read('day') }, problems };
}

/** Providers' own tools leave the version out of the address, the AI SDK wants it there. */
function withVersion(address: string | undefined, version: string): string | null {
  const bare = (address ?? '').trim().replace(/\/+$/u, '');
  if (bare === '') return null;
  return /\/v\d+[a-z]*$/u.test(bare) ? bare : `${bare}/${version}`;
}

function readProviderUrls(environment: Environment): Config['providerUrls'] {
  const google = withVersion(environment.GOOGLE_GEMINI_BASE_URL, 'v1beta');
  const anthropic = withVersion(environment.ANTHROPIC_BASE_URL, 'v1');
  const openai = (environment.OPENAI_BASE_URL ?? '').trim();
  return {
    ...(google === null ? {} : { google }),
    ...(anthropic === null ? {} : { anthropic }),
    ...(openai === '' ? {} : { openai }),
  };
}

const defaultModelSeconds = 600;

function readModelSeconds(environment: Environment, problems: string[]): number {
  const text = environment.GATEWRIGHT_MODEL_SECONDS ?? '';
  if (text === '') return defaultModelSeconds;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= 86_400) return value;
  problems.push(`GATEWRIGHT_MODEL_SECONDS is "${text}"; it has to be a number above 0, at most 86400.`);
  return defaultModelSeconds;
}

/** The file behind a database address. Anything but SQLite is refused plainly. */
function databaseFileOf(address: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):/iu.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined) return resolve(address);
  if (scheme !== 'sqlite' && scheme !== 'file') {
    throw new GatewrightError(
      'database-unsupported',
      `"${scheme}:" databases are not supported by this version.`,
    );
  }
  const path = address.slice(scheme.length + 1).replace(/^\/\/(?=\/|[^/])/u, '');
  if (path === '') throw new GatewrightError('database-unsupported', 'The database address names no file.');
  return resolve(path);
}

/** Our folder under an XDG base folder. The specification says that relative paths are to be ignored. */
function ownFolder(environment: Environment, variable: string, ...otherwise: string[]): string {
  const given = environment[variable] ?? '';
  return join(isAbsolute(given) ? given : join(environment.HOME || homedir(), ...otherwise), 'gatewright');
}

function readActor(environment: Environment): string {
  const given = environment.GATEWRIGHT_ACTOR ?? environment.USER ?? environment.LOGNAME ?? '';
  if (given !== '') return given;
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** Over http everybody on the way could read the token, so that is for servers on this machine only. */
function readGithub(environment: Environment): Config['github'] {
  const name = environment.GATEWRIGHT_GITHUB_URL ? 'GATEWRIGHT_GITHUB_URL' : 'GITHUB_API_URL';
  const apiUrl = environment[name] || 'https://api.github.com';
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : null;
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback);
  // The value is not shown: it may hold a password.
  const isGood = url !== null && isSafe && url.username === '' && url.password === '';
  return {
    apiUrl,
    token: environment.GITHUB_TOKEN || environment.GH_TOKEN || '',
    problem: isGood
      ? null
      : `${name} has to be an https address without a password, such as https://HOST/api/v3.`,
  };
}

function readForge(value: string, problems: string[]): ForgeKind {
  if (value !== 'local' && value !== 'github') {
    problems.push('GATEWRIGHT_FORGE has to be local or github.');
    return 'local';
  }
  return value;
}

interface ConfigOptions {
  readonly database?: string | undefined;
  readonly forge?: string | undefined;
}

export function readConfig(environment: Environment, options: ConfigOptions = {}): Config {
  const { budget, problems } = readBudget(environment);
  const forge = readForge(options.forge || environment.GATEWRIGHT_FORGE || 'local', problems);
  const github = readGithub(environment);
  if (forge === 'github' && github.problem !== null) problems.push(github.problem);
  const actor = readActor(environment);
  const modelSeconds = readModelSeconds(environment, problems);
  if (actor !== '' && !isLogin(actor)) {
    problems.push('GATEWRIGHT_ACTOR may hold letters, digits and _ . @ - only, and [bot] at its end.');
  }
  if (problems.length > 0) {
    throw new GatewrightError('config-invalid', 'The environment holds settings that cannot be used.', {
      details: problems,
    });
  }
  const address = options.database || environment.GATEWRIGHT_DATABASE_URL || '';
  return {
    isDatabaseGiven: (options.database ?? '') !== '',
    databaseFile:
      address === ''
        ? join(ownFolder(environment, 'XDG_DATA_HOME', '.local', 'share'), 'gatewright.db')
        : databaseFileOf(address),
    forge,
    github,
    actor,
    editorCommands: [
      environment.GATEWRIGHT_EDITOR ?? '',
      environment.GIT_EDITOR ?? '',
      environment.VISUAL ?? '',
      environment.EDITOR ?? '',
      'code --wait',
    ],
    autoMode: readSwitch(environment, 'AUTO_MODE'),
    testMode: readSwitch(environment, 'TEST_MODE'),
    budget,
    drafter: environment.GATEWRIGHT_DRAFTER || 'builtin:outline',
    reviewer: environment.GATEWRIGHT_REVIEWER || 'builtin:checklist',
    coder: environment.GATEWRIGHT_CODER || 'claude:default',
    credentialsFile: join(ownFolder(environment, 'XDG_CONFIG_HOME', '.config'), 'credentials.json'),
    providerUrls: readProviderUrls(environment),
    modelSeconds,
    isDebug: readSwitch(environment, 'DEBUG'),
    environment,
  };
}

/** Whether to leave out colours. Asked before there is a configuration, because its errors are shown too. */
export function isPlainTerminal(environment: Environment): boolean {
  return (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb';
}
