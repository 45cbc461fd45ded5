/**
 * The one table of settings: what each is for and who may set it. A repository's file is text that a pull request can
 * change, so it is trusted with nothing that could approve, spend, run or send more than its users allow. Why each row
 * is as it is stands in docs/decisions/2026-11-15-who-may-set-what.md.
 */
import { agentRoleNames, agentRoles, usualAgentModels } from '../domain/fleet/agent-models.ts';
import { authoringWorkflows } from '../domain/ledger/run.ts';
import { sandboxDemands } from '../domain/machine/sandbox-demand.ts';
import { defaultBudget, defaultUnpriced, unpricedRules } from '../domain/models/budget.ts';
import { authoringRoles } from '../domain/models/model-choice.ts';
import { fleetSettingRules } from './fleet-setting-rules.ts';

/** What the file of a repository may do with a setting. */
export type RepositoryMay =
  /** Set it to any value. */
  | 'set'
  /** Only lower what its user (or the default) allows. */
  | 'lower'
  /** Only add to the list of its user. */
  | 'add'
  /** Only leave out some of the list of its user (or the default). */
  | 'leave-out'
  /** Only choose a later value of `strictness` than its user (or the default) does. */
  | 'tighten'
  /** A model of a provider and a known family; no recording, and no built-in reviewer. */
  | 'set-model'
  /** The name of a repository that is one of the git remotes here. */
  | 'set-remote'
  | 'not';

export interface SettingRule {
  /** As a path into the file, such as `forge.kind`. */
  readonly key: string;
  readonly about: string;
  readonly repository: RepositoryMay;
  readonly userFile: boolean;
  /** In the order in which they count. */
  readonly variables: readonly string[];
  readonly option: string | null;
  /** Why a repository may not, or not freely. */
  readonly because?: string;
  readonly fallback: string | number | readonly string[] | null;
  /** Its values from the loosest to the strictest, where a repository may only tighten it. */
  readonly strictness?: readonly string[];
}

const scopes = ['run', 'issue', 'day'] as const;
const units = ['usd', 'tokens', 'turns'] as const;
const unitNames = { usd: 'US dollars', tokens: 'tokens', turns: 'model turns' } as const;
const scopeNames = { run: 'one run', issue: 'one issue', day: 'one day (UTC)' } as const;

const forge: readonly SettingRule[] = [
  {
    key: 'forge.kind',
    about: 'where issues are filed: `local` or `github`',
    repository: 'set',
    userFile: true,
    variables: ['GATEWRIGHT_FORGE'],
    option: '--forge',
    fallback: 'local',
  },
  {
    key: 'forge.repository',
    about: 'the repository on GitHub, as `owner/name`, when it is not the remote `origin`',
    repository: 'set-remote',
    userFile: false,
    variables: [],
    option: '--repo',
    because: 'your issues would be filed in a repository of another owner',
    fallback: null,
  },
  {
    key: 'forge.apiUrl',
    about: 'the API of GitHub Enterprise: `https://HOST/api/v3`',
    repository: 'not',
    userFile: true,
    variables: ['GATEWRIGHT_GITHUB_URL', 'GITHUB_API_URL'],
    option: null,
    because: 'your token would be sent there',
    fallback: 'https://api.github.com',
  },
];

const modelReason = 'the review has to be real and independent of the draft';

const models: readonly SettingRule[] = [
  ...authoringRoles.map((role) => ({
    key: `models.${role}`,
    about: role === 'drafter' ? 'who drafts' : 'who reviews',
    repository: 'set-model' as const,
    userFile: true,
    variables: [`GATEWRIGHT_${role.toUpperCase()}`],
    option: `--${role}`,
    because: modelReason,
    fallback: role === 'drafter' ? 'builtin:outline' : 'builtin:checklist',
  })),
  ...agentRoles.map((role) => {
    const { about, setting, variable, option } = agentRoleNames[role];
    return {
      key: setting,
      about: `in the fleet: ${about}`,
      repository: 'set-model' as const,
      userFile: true,
      variables: [variable],
      option: `--${option}`,
      because: modelReason,
      fallback: usualAgentModels[role],
    };
  }),
  ...authoringWorkflows.flatMap((workflow) =>
    authoringRoles.map((role) => ({
      key: `models.${workflow}.${role}`,
      about: `${role === 'drafter' ? 'who drafts' : 'who reviews'} in \`${workflow}\` runs`,
      repository: 'set-model' as const,
      userFile: true,
      variables: [],
      option: `--${role}`,
      because: modelReason,
      fallback: null,
    })),
  ),
];

const limits: readonly SettingRule[] = [
  ...scopes.flatMap((scope) =>
    units.map((unit) => ({
      key: `budget.${scope}.${unit}`,
      about: `${unitNames[unit]} that models may use in ${scopeNames[scope]}`,
      repository: 'lower' as const,
      userFile: true,
      variables: [`GATEWRIGHT_BUDGET_${scope.toUpperCase()}_${unit.toUpperCase()}`],
      option: null,
      because: 'it is your money',
      fallback: defaultBudget[scope][unit],
    })),
  ),
  {
    key: 'budget.unpriced',
    about:
      'what happens to a call of a model whose price is not known, which no limit in US dollars can stop: `allow` (only tokens and turns are limited), `ask` (the run stops, and a person may accept it) or `refuse`',
    repository: 'tighten',
    userFile: true,
    variables: ['GATEWRIGHT_BUDGET_UNPRICED'],
    option: null,
    because: 'it is your money',
    fallback: defaultUnpriced,
    strictness: unpricedRules,
  },
  {
    key: 'prices',
    about:
      'prices that count more than those of [the catalogue](models.md#prices), by model: `{ "openai:my-model": { "input": 1, "output": 4, "cacheRead": 0.1, "cacheWrite": 1.25 } }`, in US dollars for a million tokens',
    repository: 'not',
    userFile: true,
    variables: [],
    option: null,
    because: 'it is your money',
    fallback: null,
  },
  {
    key: 'limits.iterations',
    about: 'rounds of drafting before a run stops and asks',
    repository: 'lower',
    userFile: true,
    variables: ['GATEWRIGHT_MAX_ITERATIONS'],
    option: '--max-iterations',
    because: 'every round costs your money',
    fallback: 20,
  },
  {
    key: 'limits.modelSeconds',
    about: 'how long one model call may take',
    repository: 'lower',
    userFile: true,
    variables: ['GATEWRIGHT_MODEL_SECONDS'],
    option: null,
    because: 'it is your time',
    fallback: 600,
  },
  {
    key: 'limits.testsAtOnce',
    about:
      'how many test runs of a merge run at the same time on GitHub, 5 at most: [merging](review-and-merge.md#with-fleetverify)',
    repository: 'lower',
    userFile: true,
    variables: ['GATEWRIGHT_TESTS_AT_ONCE'],
    option: null,
    because: 'it is your machine',
    fallback: 2,
  },
];

const fleet: readonly SettingRule[] = [
  {
    key: 'fleet.sandbox',
    about:
      'whether agents and their commands may run where there is no [sandbox](sandbox.md): `prefer` (they may) or `require`',
    repository: 'tighten',
    userFile: true,
    variables: ['GATEWRIGHT_SANDBOX'],
    option: null,
    because: 'it is your machine',
    fallback: 'prefer',
    strictness: sandboxDemands,
  },
];

/** Set by the person who runs it, for this machine, and never by a file. */
function personal(key: string, about: string, variables: readonly string[], option: string | null = null) {
  return { key, about, repository: 'not', userFile: false, variables, option, fallback: null } as const;
}

const personalSettings: readonly SettingRule[] = [
  personal(
    'database',
    'database file: a path, `sqlite:PATH` or `file:PATH`',
    ['GATEWRIGHT_DATABASE_URL'],
    '--database',
  ),
  personal('dataFolder', 'the folder of working copies and clones', ['GATEWRIGHT_DATA_DIR']),
  personal(
    'ledger',
    'where the ledger is: `local` (in the database, the default) or `ref` ([on a git ref](ledger.md#on-a-git-ref) of the repository)',
    ['GATEWRIGHT_LEDGER'],
  ),
  personal(
    'ledgerKey',
    'what a ledger on a git ref is signed with: 64 hex digits, the same on all machines',
    ['GATEWRIGHT_LEDGER_KEY'],
  ),
  personal('actor', 'your login on the local forge', ['GATEWRIGHT_ACTOR', 'USER', 'LOGNAME']),
  personal('editor', 'the command that opens files for you', [
    'GATEWRIGHT_EDITOR',
    'GIT_EDITOR',
    'VISUAL',
    'EDITOR',
  ]),
  personal('autoMode', 'no questions', ['GATEWRIGHT_AUTO_MODE', 'AGENTOS_AUTO_MODE'], '--auto'),
  personal('testMode', 'approve everything, on the local forge only', [
    'GATEWRIGHT_TEST_MODE',
    'AGENTOS_TEST_MODE',
  ]),
  personal('github.app', 'sign in as a GitHub App: [GitHub](github.md#as-a-github-app)', [
    'GATEWRIGHT_GITHUB_APP_ID',
    'GATEWRIGHT_GITHUB_APP_KEY',
    'GATEWRIGHT_GITHUB_APP_KEY_FILE',
    'GATEWRIGHT_GITHUB_INSTALLATION_ID',
  ]),
  personal('github.webhookSecret', 'what GitHub signs its deliveries with: [a server](server.md)', [
    'GATEWRIGHT_WEBHOOK_SECRET',
  ]),
  personal(
    'github.cache',
    'where answers of GitHub are cached: `disk` (encrypted, the default), `memory` or `off`: [GitHub](github.md#what-is-remembered)',
    ['GATEWRIGHT_GITHUB_CACHE'],
  ),
  personal(
    'notifications',
    'who is told what outside the forge, and through what: [notifications](notifications.md). The first variable names the file, the others are channels that need none',
    [
      'GATEWRIGHT_NOTIFICATIONS',
      'GATEWRIGHT_NOTIFY_WEBHOOK_URL',
      'GATEWRIGHT_NOTIFY_WEBHOOK_SECRET',
      'GATEWRIGHT_NOTIFY_SLACK_URL',
    ],
  ),
  personal('debug', 'stack traces with errors', ['GATEWRIGHT_DEBUG']),
  personal('waiveIndependence', 'accept models of one family', [], '--waive-independence'),
];

/** Settings of the configuration files, in the order in which they are shown. */
export const fileSettings: readonly SettingRule[] = [
  ...forge,
  ...models,
  ...limits,
  ...fleetSettingRules,
  ...fleet,
  {
    key: 'labels',
    about: 'labels that `gatewright init` makes in addition to its own, or with other colours',
    repository: 'set',
    userFile: false,
    variables: [],
    option: null,
    fallback: null,
  },
];

export const settingRules: readonly SettingRule[] = [...fileSettings, ...personalSettings];

/** Every variable of ours, so that a misspelt one can be recognised. */
export const knownVariables: readonly string[] = settingRules
  .flatMap(({ variables }) => variables)
  .filter((name) => name.startsWith('GATEWRIGHT_'));

export function findRule(key: string): SettingRule | undefined {
  return settingRules.find((rule) => rule.key === key);
}

/** The names that may stand at a place in the file. */
export function keysBelow(path: string): string[] {
  const prefix = path === '' ? '' : `${path}.`;
  const names = fileSettings
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ key }) => key.slice(prefix.length).split('.')[0] ?? '');
  return [...new Set(path === '' ? ['$schema', ...names] : names)];
}
