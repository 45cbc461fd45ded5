/**
 * Makes one checked configuration of environment and options; the only reader of `process.env`. load-config.ts adds the
 * configuration files when a command needs what they hold: reading them would make `status` and `explain` slow.
 */
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type AgentRole, agentRoleNames, agentRoles } from '../domain/fleet/agent-models.ts';
import { largestBatch } from '../domain/fleet/merge-queue.ts';
import { isLogin } from '../domain/forge/login.ts';
import { sandboxDemands } from '../domain/machine/sandbox-demand.ts';
import { type BudgetScope, defaultBudget, defaultUnpriced, unpricedRules } from '../domain/models/budget.ts';
import { addressVariables, type Provider } from '../domain/models/credential.ts';
import { authoringRoles } from '../domain/models/model-choice.ts';
import { GatewrightError } from '../errors.ts';
import { fleetForms } from './fleet-forms.ts';
import type { Given, Layer } from './resolve-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type ForgeKind = 'local' | 'github';

/** In the database of this machine, or on a git ref that machines share. */
type LedgerKind = 'local' | 'ref';

/** What no configuration file can set. */
export interface BaseConfig {
  readonly databaseFile: string;
  /** Whether it was named for this one command. */
  readonly isDatabaseGiven: boolean;
  /** Where working copies and clones are: of no use without the database, and made anew where they are missing. */
  readonly dataFolder: string;
  /** What was named on the command line instead of the current folder: a folder or a name on the forge. */
  readonly repositoryGiven: string | null;
  readonly ledger: LedgerKind;
  /** What a ledger on a git ref is signed with, as it was given: empty or malformed until it is needed. */
  readonly ledgerKey: string;
  /** What GitHub signs its deliveries with; empty when there is none. */
  readonly webhookSecret: string;
  /** Empty when none was given; gh may know one. */
  readonly githubToken: string;
  /** Login on the local forge. */
  readonly actor: string;
  readonly editorCommands: readonly string[];
  readonly autoMode: boolean;
  readonly testMode: boolean;
  /** The user's own configuration; it need not exist. */
  readonly userFile: string;
  /** Where several keys can be kept; it need not exist. */
  readonly credentialsFile: string;
  /** Who is told what, and through what; it need not exist. */
  readonly notificationsFile: string;
  /** Addresses to use instead of the providers' own. */
  readonly providerUrls: Readonly<Partial<Record<Provider, string>>>;
  readonly isDebug: boolean;
  /** For child processes (git, editor). */
  readonly environment: Environment;
  /** The settings that files can hold too, as far as variables and options name them. */
  readonly given: { readonly environment: Layer; readonly options: Layer };
}

/** `GATEWRIGHT_NAME`, or `AGENTOS_NAME` as older set-ups have it. */
function readSwitch(environment: Environment, name: string): boolean {
  const value = environment[`GATEWRIGHT_${name}`] ?? environment[`AGENTOS_${name}`] ?? '';
  return value === '1' || value.toLowerCase() === 'true';
}

/** Collects what variables say about settings, and what cannot be used of it. */
class EnvironmentReader {
  readonly layer = new Map<string, Given>();
  readonly problems: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(key: string, ...names: readonly string[]): void {
    const name = names.find((one) => (this.#environment[one] ?? '') !== '');
    if (name !== undefined) this.layer.set(key, { value: this.#environment[name] ?? '', where: name });
  }

  number(key: string, name: string, isRight: (value: number) => boolean, words: string): void {
    const text = this.#environment[name] ?? '';
    if (text === '') return;
    const value = Number(text);
    if (Number.isFinite(value) && isRight(value)) this.layer.set(key, { value, where: name });
    else this.problems.push(`${name} is "${text}"; it has to be ${words}.`);
  }

  /** One text, or several with commas between them. The value is not shown: an address may hold a password. */
  checked(
    key: string,
    name: string,
    isList: boolean,
    isRight: (text: string) => boolean,
    words: string,
  ): void {
    const text = (this.#environment[name] ?? '').trim();
    if (text === '') return;
    const all = isList ? text.split(',').map((one) => one.trim()) : [text];
    if (!all.every(isRight))
      this.problems.push(`${name} has to be ${words}${isList ? '; several with commas between them' : ''}.`);
    else this.layer.set(key, { value: isList ? all : text, where: name });
  }
}

function readSettings(environment: Environment): EnvironmentReader {
  const reader = new EnvironmentReader(environment);
  reader.text('forge.kind', 'GATEWRIGHT_FORGE');
  reader.text('forge.apiUrl', 'GATEWRIGHT_GITHUB_URL', 'GITHUB_API_URL');
  reader.text('fleet.sandbox', 'GATEWRIGHT_SANDBOX');
  reader.text('budget.unpriced', 'GATEWRIGHT_BUDGET_UNPRICED');
  for (const role of authoringRoles) reader.text(`models.${role}`, `GATEWRIGHT_${role.toUpperCase()}`);
  for (const { setting, variable } of Object.values(agentRoleNames)) reader.text(setting, variable);
  for (const scope of Object.keys(defaultBudget) as BudgetScope[]) {
    for (const unit of ['usd', 'tokens', 'turns'] as const) {
      const name = `GATEWRIGHT_BUDGET_${scope.toUpperCase()}_${unit.toUpperCase()}`;
      reader.number(`budget.${scope}.${unit}`, name, (value) => value >= 0, 'a number of 0 or more');
    }
  }
  reader.number(
    'limits.iterations',
    'GATEWRIGHT_MAX_ITERATIONS',
    (value) => Number.isInteger(value) && value >= 1,
    'a whole number of at least 1',
  );
  reader.number(
    'limits.modelSeconds',
    'GATEWRIGHT_MODEL_SECONDS',
    (value) => value > 0 && value <= 86_400,
    'a number above 0, at most 86400',
  );
  reader.number(
    'limits.testsAtOnce',
    'GATEWRIGHT_TESTS_AT_ONCE',
    (value) => Number.isInteger(value) && value >= 1 && value <= largestBatch,
    `a whole number from 1 to ${largestBatch}`,
  );
  for (const { name, variable, most, isRight, words } of fleetForms)
    if (variable !== null) reader.checked(`fleet.${name}`, variable, most !== null, isRight, words);
  return reader;
}

/** Providers' own tools leave the version out of the address; the AI SDK needs it there. */
function withVersion(address: string | undefined, version: string): string | null {
  const bare = (address ?? '').trim().replace(/\/+$/u, '');
  if (bare === '') return null;
  return /\/v\d+[a-z]*$/u.test(bare) ? bare : `${bare}/${version}`;
}

function readProviderUrls(environment: Environment): BaseConfig['providerUrls'] {
  const google = withVersion(environment[addressVariables.google], 'v1beta');
  const anthropic = withVersion(environment[addressVariables.anthropic], 'v1');
  const openai = (environment[addressVariables.openai] ?? '').trim();
  return {
    ...(google === null ? {} : { google }),
    ...(anthropic === null ? {} : { anthropic }),
    ...(openai === '' ? {} : { openai }),
  };
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
function userFolder(environment: Environment, variable: string, ...otherwise: string[]): string {
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

/** Null for what cannot be used. */
function readLedger({ GATEWRIGHT_LEDGER: given }: Environment): LedgerKind | null {
  if (given === undefined || given === '') return 'local';
  return given === 'local' || given === 'ref' ? given : null;
}

interface ConfigOptions {
  readonly repository?: string | undefined;
  readonly database?: string | undefined;
  readonly forge?: string | undefined;
  readonly drafter?: string | undefined;
  /** Which model has which role in the fleet. */
  readonly agents?: Readonly<Partial<Record<AgentRole, string | undefined>>>;
  readonly reviewer?: string | undefined;
  readonly maxIterations?: number | undefined;
}

function readOptions(options: ConfigOptions): Layer {
  const all = [
    ['forge.kind', '--forge', options.forge],
    ['models.drafter', '--drafter', options.drafter],
    ...agentRoles.map((role) => {
      const { setting, option } = agentRoleNames[role];
      return [setting, `--${option}`, options.agents?.[role]] as const;
    }),
    ['models.reviewer', '--reviewer', options.reviewer],
    ['limits.iterations', '--max-iterations', options.maxIterations],
  ] as const;
  return new Map(
    all.flatMap(([key, where, value]) =>
      value === undefined || value === '' ? [] : [[key, { value, where }] as const],
    ),
  );
}

export function readConfig(environment: Environment, options: ConfigOptions = {}): BaseConfig {
  const { layer, problems } = readSettings(environment);
  const forge = layer.get('forge.kind')?.value ?? 'local';
  if (forge !== 'local' && forge !== 'github') problems.push('GATEWRIGHT_FORGE has to be local or github.');
  const sandbox = layer.get('fleet.sandbox')?.value ?? 'prefer';
  if (!sandboxDemands.some((one) => one === sandbox))
    problems.push('GATEWRIGHT_SANDBOX has to be prefer or require.');
  const unpriced = layer.get('budget.unpriced')?.value ?? defaultUnpriced;
  if (!unpricedRules.some((one) => one === unpriced))
    problems.push('GATEWRIGHT_BUDGET_UNPRICED has to be allow, ask or refuse.');
  const ledger = readLedger(environment);
  if (ledger === null) problems.push('GATEWRIGHT_LEDGER has to be local or ref.');
  const actor = readActor(environment);
  if (actor !== '' && !isLogin(actor)) {
    problems.push('GATEWRIGHT_ACTOR may hold letters, digits and _ . @ - only, and [bot] at its end.');
  }
  if (problems.length > 0) {
    throw new GatewrightError('config-invalid', 'The environment holds settings that cannot be used.', {
      details: problems,
    });
  }
  const address = options.database || environment.GATEWRIGHT_DATABASE_URL || '';
  const folder = userFolder(environment, 'XDG_CONFIG_HOME', '.config');
  const databaseFile =
    address === ''
      ? join(userFolder(environment, 'XDG_DATA_HOME', '.local', 'share'), 'gatewright.db')
      : databaseFileOf(address);
  const dataFolder = environment.GATEWRIGHT_DATA_DIR || dirname(databaseFile);
  return {
    isDatabaseGiven: (options.database ?? '') !== '',
    databaseFile,
    dataFolder: resolve(dataFolder),
    repositoryGiven: options.repository ?? null,
    ledger: ledger ?? 'local',
    ledgerKey: environment.GATEWRIGHT_LEDGER_KEY ?? '',
    webhookSecret: environment.GATEWRIGHT_WEBHOOK_SECRET ?? '',
    githubToken: environment.GITHUB_TOKEN || environment.GH_TOKEN || '',
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
    userFile: join(folder, 'config.json'),
    credentialsFile: join(folder, 'credentials.json'),
    notificationsFile: resolve(environment.GATEWRIGHT_NOTIFICATIONS || join(folder, 'notifications.json')),
    providerUrls: readProviderUrls(environment),
    isDebug: readSwitch(environment, 'DEBUG'),
    environment,
    given: { environment: layer, options: readOptions(options) },
  };
}

/** Whether to leave out colours. Asked before there is a configuration, because its errors are shown too. */
export function isPlainTerminal(environment: Environment): boolean {
  return (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb';
}
