/** Environment and options become one checked configuration. The only reader of `process.env`. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { type Budget, type BudgetScope, defaultBudget } from '../domain/budget.ts';
import { GatewrightError } from '../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Config {
  readonly databaseFile: string;
  /** Whether it was named for this one command. */
  readonly isDatabaseGiven: boolean;
  /** Login on the local forge. */
  readonly actor: string;
  readonly editorCommands: readonly string[];
  readonly autoMode: boolean;
  readonly testMode: boolean;
  readonly budget: Budget;
  readonly drafter: string;
  readonly reviewer: string;
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

function dataFolder(environment: Environment): string {
  const given = environment.XDG_DATA_HOME ?? '';
  // The specification says that relative paths are to be ignored.
  return join(
    isAbsolute(given) ? given : join(environment.HOME || homedir(), '.local', 'share'),
    'gatewright',
  );
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

export function readConfig(
  environment: Environment,
  options: { readonly database?: string | undefined } = {},
): Config {
  const { budget, problems } = readBudget(environment);
  const actor = readActor(environment);
  if (actor !== '' && !/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,99}$/u.test(actor)) {
    problems.push('GATEWRIGHT_ACTOR may hold letters, digits and _ . @ - only.');
  }
  if (problems.length > 0) {
    throw new GatewrightError('config-invalid', 'The environment holds settings that cannot be used.', {
      details: problems,
    });
  }
  const address = options.database || environment.GATEWRIGHT_DATABASE_URL || '';
  return {
    isDatabaseGiven: (options.database ?? '') !== '',
    databaseFile: address === '' ? join(dataFolder(environment), 'gatewright.db') : databaseFileOf(address),
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
    isDebug: readSwitch(environment, 'DEBUG'),
    environment,
  };
}

/** Whether to leave out colours. Asked before there is a configuration, because its errors are shown too. */
export function isPlainTerminal(environment: Environment): boolean {
  return (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb';
}
