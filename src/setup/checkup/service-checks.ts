/** Checks of what is outside: the forge, the models and their credentials, the Claude Code CLI. */

import { agentRoleNames, agentRoles } from '../../domain/fleet/agent-models.ts';
import type { NeededPermission } from '../../domain/forge/github-permissions.ts';
import {
  describeMissingWrite,
  howToGetWrite,
  isAtLeast,
  type Permission,
} from '../../domain/forge/permission.ts';
import { isSameRepository } from '../../domain/ledger/subject.ts';
import { areIndependent } from '../../domain/models/model-family.ts';
import { countOf } from '../../domain/text/count-of.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';
import type { Model } from '../../ports/model.ts';
import { type Check, explainFailure, type Finding, ok, problem, warning } from './run-checkup.ts';

/** Scopes of a classic token that let it write issues. */
const filingScopes = ['repo', 'public_repo'];
const mostSkew = 60;

function mayNotWrite(
  forge: 'local' | 'github',
  login: string,
  permission: Permission,
  repository: string,
): Finding {
  const fix = howToGetWrite(forge, login, repository);
  return problem(describeMissingWrite(login, permission, repository), `A${fix.slice(1)}`, {
    ...{ forge, permission },
  });
}

function checkLocalForge({ actor, readLocalForge }: CheckupWorld): Finding[] {
  if (actor === '')
    return [problem('the local forge does not know your login', 'Set GATEWRIGHT_ACTOR to your login.')];
  const { repository, permission } = readLocalForge();
  if (repository === null) return [ok(`the local forge; ${actor} will administer this repository`)];
  if (isAtLeast(permission, 'write'))
    return [
      ok(`the local forge; ${actor} may write to ${repository} (${permission})`, {
        forge: 'local',
        permission,
      }),
    ];
  return [mayNotWrite('local', actor, permission, repository)];
}

/** Without some of them only a part does not work. */
function describeMissing(
  { title, level, use, isVital, isForAppsOnly }: NeededPermission,
  isApp: boolean,
): Finding {
  const whose = isApp ? 'the App' : 'the token';
  const what = `${whose} lacks ${title}: ${level}, which is for ${use}`;
  const tell = isVital ? problem : warning;
  if (!isApp && isForAppsOnly)
    return tell(
      what,
      'Fine-grained tokens cannot have it. Jobs of GitHub Actions are read instead; for checks of others use a GitHub App or a classic token.',
    );
  return isApp
    ? tell(what, 'Grant it in the settings of the App, and accept that in its installation.')
    : tell(what, 'Grant it in the settings of the token.');
}

async function checkGithub(world: CheckupWorld): Promise<Finding[]> {
  const facts = await world.readGithub();
  const { host, repository, name, login, permission, scopes, clockAhead, missing, isApp } = facts;
  const findings: Finding[] = [];
  if (isAtLeast(permission, 'write'))
    findings.push(
      ok(`${host}; ${login} may write to ${repository} (${permission})`, { forge: 'github', permission }),
    );
  else findings.push(mayNotWrite('github', login, permission, repository));
  if (!isSameRepository(name, repository))
    findings.push(
      warning(
        `${repository} has the new name ${name}`,
        'Open runs continue under the former name. When no run is open any more, point the remote at the new one: git remote set-url origin ADDRESS',
      ),
    );
  if (scopes !== null && !scopes.some((scope) => filingScopes.includes(scope)))
    findings.push(
      problem(
        `the token has ${scopes.length === 0 ? 'no scope' : `only: ${scopes.join(', ')}`}`,
        'Use a classic token with "repo" (or "public_repo"), or a fine-grained one with Issues: read and write.',
      ),
    );
  for (const one of missing ?? []) findings.push(describeMissing(one, isApp));
  if (clockAhead !== null && Math.abs(clockAhead) > mostSkew)
    findings.push(
      warning(
        `your clock is ${countOf(Math.abs(clockAhead), 'second')} ${clockAhead > 0 ? 'ahead of' : 'behind'} that of ${host}`,
        'Set the clock; limits and signatures depend on it.',
      ),
    );
  return findings;
}

interface Use {
  /** By which it is chosen. */
  readonly option: string;
  /** Whether a person chose it; a mere default may be of no interest here. */
  readonly isChosen: boolean;
  /** The role, with the workflows that need it. */
  readonly use: string;
  readonly spec: string;
  readonly make: () => Pick<Model, 'checkReady'>;
  /** Whether it works in the sandbox. */
  readonly isCoding: boolean;
}

/**
 * The models of the fleet. If the Claude CLI is not installed, the roles that only have it as their default are left
 * out: another check reports the missing CLI.
 */
function listFleetUses({ agentModels, machine, makeModel, makeCodingAgent }: CheckupWorld): Use[] {
  const hasClaude = machine.findProgram('claude') !== null;
  return agentRoles.flatMap((role) => {
    const { spec, isChosen } = agentModels[role];
    if (!isChosen && !hasClaude && spec.startsWith('claude:')) return [];
    const { title, option } = agentRoleNames[role];
    const make = (): Use['make'] => {
      if (role === 'reviewer') return () => makeModel(spec, 'code reviewer');
      return role === 'writer' ? () => makeModel(spec, role) : () => makeCodingAgent(spec);
    };
    const isCoding = role !== 'reviewer' && role !== 'writer';
    return [{ option, isChosen, use: title, spec, make: make(), isCoding }];
  });
}

/** Each model once for each role, with the workflows that use it. */
export function listUses(world: CheckupWorld): Use[] {
  const { models, makeModel } = world;
  const uses = new Map<
    string,
    { role: 'drafter' | 'reviewer'; spec: string; workflows: readonly string[] }
  >();
  for (const [workflow, choice] of Object.entries(models)) {
    for (const role of ['drafter', 'reviewer'] as const) {
      const spec = choice[role];
      const known = uses.get(`${role} ${spec}`)?.workflows ?? [];
      uses.set(`${role} ${spec}`, { role, spec, workflows: [...known, workflow] });
    }
  }
  return [
    ...[...uses.values()].map(({ role, spec, workflows }) => ({
      ...{ option: role, isChosen: true, isCoding: false, spec, use: `${role} of ${workflows.join(', ')}` },
      make: () => makeModel(spec, role),
    })),
    ...listFleetUses(world),
  ];
}

/** `init` asks for the models of the authoring workflows only. */
function adviseOnModel(option: string): string {
  const one = `--${option} PROVIDER:MODEL`;
  if (option === 'drafter' || option === 'reviewer') {
    const builtin = option === 'drafter' ? 'builtin:outline' : 'builtin:checklist';
    return `Fix that, or choose another with ${one} (${builtin} needs no model), for good with: gatewright init ${one}`;
  }
  const role = agentRoles.find((name) => agentRoleNames[name].option === option);
  const setting =
    role === undefined ? '' : `, for good with ${agentRoleNames[role].setting} in a configuration file`;
  return `Fix that, or choose another with ${one}${setting}`;
}

async function checkModels(world: CheckupWorld): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { option, isChosen, use, spec, make } of listUses(world)) {
    const advice = adviseOnModel(option);
    const tell = isChosen ? problem : warning;
    try {
      const why = await make().checkReady();
      findings.push(
        why === null
          ? ok(`${use}: ${spec}${spec.startsWith('builtin:') ? ', rules without a model' : ''}`, {
              model: spec,
            })
          : tell(`${use}: ${why.startsWith(spec) ? why : `${spec}: ${why}`}`, advice, { model: spec }),
      );
    } catch (error) {
      findings.push(explainFailure(error));
    }
  }
  return findings;
}

function checkIndependence({ models, makeModel }: CheckupWorld): Finding[] {
  return Object.entries(models).map(([workflow, { drafter, reviewer }]) => {
    let pair: readonly [Model, Model];
    try {
      pair = [makeModel(drafter, 'drafter'), makeModel(reviewer, 'reviewer')];
    } catch {
      return warning(`${workflow}: not known, see "models"`, 'Correct the models first.');
    }
    const [one, other] = pair;
    if (areIndependent(one, other)) return ok(`${workflow}: ${drafter} is reviewed by ${reviewer}`);
    return problem(
      `${workflow}: ${drafter} and ${reviewer} are both of the family "${one.family ?? ''}"`,
      'Choose a reviewer of another family, or accept it for one run with --waive-independence "REASON".',
    );
  });
}

function checkCredentials({ listCredentials, credentialsFile, machine }: CheckupWorld): Finding[] {
  const names = listCredentials().map(({ name, provider }) => `${name} (${provider})`);
  const file = machine.inspectFile(credentialsFile) === null ? '' : `; ${credentialsFile} is private`;
  return [
    ok(names.length === 0 ? `no keys of providers${file}` : `${names.join(', ')}${file}`, {
      count: names.length,
    }),
  ];
}

async function checkClaude(
  { machine, models, agentModels }: CheckupWorld,
  signal: AbortSignal,
): Promise<Finding[]> {
  const needing = [
    ...Object.values(models).map(({ drafter }) => ({ spec: drafter, title: 'drafter', isChosen: true })),
    ...agentRoles.map((role) => ({ ...agentModels[role], title: agentRoleNames[role].title })),
  ].filter(({ spec }) => spec.startsWith('claude:'));
  const needed = needing.find(({ isChosen }) => isChosen);
  const isNeeded = needed !== undefined;
  const program = machine.findProgram('claude');
  if (program === null) {
    return isNeeded
      ? [
          problem(
            'the Claude Code CLI is not installed',
            `Install it and log in, or choose another ${needed.title}.`,
          ),
        ]
      : [
          ok(
            `the Claude Code CLI is not installed; ${needing.length > 0 ? 'only agents that write and review code would need it' : 'nothing here needs it'}`,
          ),
        ];
  }
  const version = await machine.ask(program, ['--version'], signal);
  if (version !== null)
    return [
      ok(`${version.split('\n')[0] ?? ''}, ${program}`, {
        version: /^\d+(?:\.\d+)+/u.exec(version)?.[0] ?? '',
      }),
    ];
  const broken = `${program} cannot be run`;
  const advice = 'Install it again.';
  return [isNeeded ? problem(broken, advice) : warning(broken, advice)];
}

export const serviceChecks: readonly Check[] = [
  {
    name: 'forge',
    look: (world) => (world.forge === 'github' ? checkGithub(world) : checkLocalForge(world)),
  },
  { name: 'models', look: checkModels },
  { name: 'independence', look: checkIndependence },
  { name: 'credentials', look: checkCredentials },
  { name: 'claude', look: checkClaude },
];
