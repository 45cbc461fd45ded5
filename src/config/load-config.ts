/** The whole configuration: what readConfig knows, with the user's files and the repository's file put under it. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentModelChoice,
  type AgentRole,
  agentRoleNames,
  agentRoles,
  usualPlanner,
} from '../domain/fleet/agent-models.ts';
import type { FleetSettings } from '../domain/fleet/fleet-settings.ts';
import { type AuthoringWorkflow, authoringWorkflows } from '../domain/ledger/run.ts';
import type { SandboxDemand } from '../domain/machine/sandbox-demand.ts';
import {
  type Budget,
  type BudgetScope,
  defaultBudget,
  defaultUnpriced,
  unpricedRules,
} from '../domain/models/budget.ts';
import type { ModelChoice } from '../domain/models/model-choice.ts';
import { buildFleet } from './build-fleet.ts';
import { findLocalFile } from './find-local-file.ts';
import { judgeForRepository, judgeForUser } from './judge-settings.ts';
import type { BaseConfig, ForgeKind } from './read-config.ts';
import { type ConfigFile, readConfigFile, refuseProblems } from './read-config-file.ts';
import {
  type LabelSetting,
  type Layers,
  noLayer,
  type PriceSettings,
  type Resolved,
  resolveSetting,
} from './resolve-settings.ts';
import { fileSettings } from './setting-rules.ts';

export const repositoryFileName = 'gatewright.config.json';

export interface Config extends BaseConfig {
  readonly forge: ForgeKind;
  readonly github: {
    readonly apiUrl: string;
    readonly token: string;
    /** Why the address cannot be used. A run may be on GitHub although the default is another forge. */
    readonly problem: string | null;
    /** The repository there as a repository's file names it: to be believed only if a git remote says so too. */
    readonly repository: string | null;
  };
  readonly models: Readonly<Record<AuthoringWorkflow, ModelChoice>>;
  /** Which model has which role in the fleet, and whether a person chose it. */
  readonly agentModels: Readonly<Record<AgentRole, AgentModelChoice>>;
  readonly budget: Budget;
  /** By model, where a person knows better than the catalogue. */
  readonly prices: PriceSettings;
  readonly maxIterations: number;
  /** How long one model call may take, with all its repetitions. */
  readonly modelSeconds: number;
  readonly sandbox: SandboxDemand;
  /** Folders of tools that a sandbox shows beside those that the search path leads to. */
  readonly tools: readonly string[];
  readonly labels: readonly LabelSetting[];
  readonly fleet: FleetSettings;
  /** Every setting with where its value comes from. */
  readonly settings: ReadonlyMap<string, Resolved>;
}

/** Over http every machine on the way could read the token, so http is allowed for servers on this machine only. */
function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return (
    (protocol === 'https:' || (protocol === 'http:' && isLoopback)) && username === '' && password === ''
  );
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return a === b;
  }
}

interface ConfigFiles {
  /** The user's: for everything, and for this repository. */
  readonly own: readonly ConfigFile[];
  readonly shared: ConfigFile | null;
  readonly layers: Layers;
}

const wordsForAddress = 'has to be an https address without a password, such as https://HOST/api/v3';

function readOwnFile(file: string, userFile: string): ConfigFile {
  return readConfigFile(file, {
    isOwn: true,
    userFile,
    // The value is not shown: it may hold a password.
    judge: (rule, value) =>
      rule.key === 'forge.apiUrl' && typeof value === 'string' && !isSafeAddress(value)
        ? wordsForAddress
        : judgeForUser(rule),
  });
}

/**
 * Reads the user's file, the user's file for this repository, and the file that the repository itself has, which is
 * trusted with less.
 */
function readFiles(base: BaseConfig, repositoryFile: string | null, root: string | null): ConfigFiles {
  const { userFile } = base;
  const localFile = root === null ? null : findLocalFile(root);
  const own = [userFile, ...(localFile === null ? [] : [localFile])].map((file) =>
    readOwnFile(file, userFile),
  );
  const userLayer = new Map(own.flatMap(({ layer }) => [...layer]));
  const layers = { ...base.given, userFile: userLayer, repositoryFile: noLayer };
  if (repositoryFile === null) return { own, shared: null, layers };
  const shared = readConfigFile(repositoryFile, {
    isOwn: false,
    userFile,
    judge: (rule, value) => judgeForRepository(rule, value, layers, userFile),
  });
  return { own, shared, layers: { ...layers, repositoryFile: shared.layer } };
}

function readFilesOf(base: BaseConfig, root: string | null): ConfigFiles {
  return readFiles(base, root === null ? null : join(root, repositoryFileName), root);
}

/** The files as they are, problems and all. A named one counts as a repository's, unless it is the user's own. */
export function inspectConfigFiles(
  base: BaseConfig,
  root: string | null,
  named: string | null = null,
): readonly ConfigFile[] {
  if (named === null) {
    const { own, shared } = readFilesOf(base, root);
    // The local one is rarely there, and needs no line of its own then.
    return [
      ...own.filter(({ exists, file }) => exists || file === base.userFile),
      ...(shared === null ? [] : [shared]),
    ];
  }
  const localFile = root === null ? null : findLocalFile(root);
  const isOwn = [base.userFile, localFile].some((file) => file !== null && isSameFile(named, file));
  if (isOwn) return [readOwnFile(named, base.userFile)];
  return [readFiles(base, named, null).shared].filter((file) => file !== null);
}

function pricesOf(value: Resolved['value']): PriceSettings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PriceSettings) : {};
}

function buildConfig(base: BaseConfig, layers: Layers): Config {
  const settings = new Map(fileSettings.map((rule) => [rule.key, resolveSetting(layers, rule)]));
  const text = (key: string): string => String(settings.get(key)?.value ?? '');
  const planner = settings.get('models.planner');
  if (planner?.from === 'default')
    settings.set('models.planner', { ...planner, value: usualPlanner(text('models.coder')) });
  const limit = (key: string): number => Number(settings.get(key)?.value);
  const limits = (scope: BudgetScope) => ({
    usd: limit(`budget.${scope}.usd`),
    tokens: limit(`budget.${scope}.tokens`),
    turns: limit(`budget.${scope}.turns`),
  });
  const apiUrl = text('forge.apiUrl');
  const labels = settings.get('labels')?.value;
  const tools = settings.get('fleet.tools')?.value;
  const models = authoringWorkflows.map((workflow) => [
    workflow,
    { drafter: text(`models.${workflow}.drafter`), reviewer: text(`models.${workflow}.reviewer`) },
  ]);
  return {
    ...base,
    forge: text('forge.kind') === 'github' ? 'github' : 'local',
    github: {
      apiUrl,
      token: base.githubToken,
      problem: isSafeAddress(apiUrl) ? null : `${settings.get('forge.apiUrl')?.where} ${wordsForAddress}.`,
      repository: text('forge.repository') || null,
    },
    models: Object.fromEntries(models) as Config['models'],
    agentModels: Object.fromEntries(
      agentRoles.map((role) => {
        const { setting } = agentRoleNames[role];
        const isChosen = settings.get(setting)?.from !== 'default';
        return [role, { spec: text(setting), isChosen }];
      }),
    ) as Config['agentModels'],
    budget: {
      ...(Object.fromEntries(
        (Object.keys(defaultBudget) as BudgetScope[]).map((scope) => [scope, limits(scope)]),
      ) as unknown as Budget),
      unpriced: unpricedRules.find((one) => one === text('budget.unpriced')) ?? defaultUnpriced,
    },
    prices: pricesOf(settings.get('prices')?.value ?? null),
    maxIterations: limit('limits.iterations'),
    modelSeconds: limit('limits.modelSeconds'),
    labels: Array.isArray(labels) ? labels.filter((one) => typeof one !== 'string') : [],
    fleet: buildFleet(settings),
    tools: Array.isArray(tools) ? tools.filter((one) => typeof one === 'string') : [],
    sandbox: text('fleet.sandbox') === 'require' ? 'require' : 'prefer',
    settings,
  };
}

/** Reads the files and puts everything together; fails with all problems at once. Without a root only the user's file counts. */
export function loadConfig(base: BaseConfig, root: string | null): Config {
  const { own, shared, layers } = readFilesOf(base, root);
  const config = buildConfig(base, layers);
  refuseProblems([...own, ...(shared === null ? [] : [shared])]);
  return config;
}

/** The configuration without the files that have problems, so that a check can look at everything else. */
export function loadConfigLeniently(base: BaseConfig, root: string | null): Config {
  const { own, shared, layers } = readFilesOf(base, root);
  const sound = (file: ConfigFile | null) =>
    file === null || file.problems.length > 0 ? noLayer : file.layer;
  const userFile = new Map(own.flatMap((file) => [...sound(file)]));
  return buildConfig(base, { ...layers, userFile, repositoryFile: sound(shared) });
}
