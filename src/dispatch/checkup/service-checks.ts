/** Checks of what is outside: the forge, the models and their credentials, the Claude Code CLI. */
import { areIndependent } from '../../domain/model-family.ts';
import { describeMissingWrite, howToGetWrite, isAtLeast, type Permission } from '../../domain/permission.ts';
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
  return problem(describeMissingWrite(login, permission, repository), `A${fix.slice(1)}`);
}

function checkLocalForge({ actor, readLocalForge }: CheckupWorld): Finding[] {
  if (actor === '')
    return [problem('the local forge does not know who you are', 'Set GATEWRIGHT_ACTOR to your login.')];
  const { repository, permission } = readLocalForge();
  if (repository === null) return [ok(`the local forge; ${actor} will administer this repository`)];
  if (isAtLeast(permission, 'write'))
    return [ok(`the local forge; ${actor} may write to ${repository} (${permission})`)];
  return [mayNotWrite('local', actor, permission, repository)];
}

async function checkGithub(world: CheckupWorld): Promise<Finding[]> {
  const { host, repository, login, permission, scopes, clockAhead } = await world.readGithub();
  const findings: Finding[] = [];
  if (isAtLeast(permission, 'write'))
    findings.push(ok(`${host}; ${login} may write to ${repository} (${permission})`));
  else findings.push(mayNotWrite('github', login, permission, repository));
  if (scopes !== null && !scopes.some((scope) => filingScopes.includes(scope)))
    findings.push(
      problem(
        `the token has ${scopes.length === 0 ? 'no scope' : `only: ${scopes.join(', ')}`}`,
        'Use a classic token with "repo" (or "public_repo"), or a fine-grained one with Issues: read and write.',
      ),
    );
  if (clockAhead !== null && Math.abs(clockAhead) > mostSkew)
    findings.push(
      warning(
        `your clock is ${Math.abs(clockAhead)} seconds ${clockAhead > 0 ? 'ahead of' : 'behind'} that of ${host}`,
        'Set the clock; limits and signatures depend on it.',
      ),
    );
  return findings;
}

interface Use {
  readonly role: string;
  /** The role, with the workflows that need it. */
  readonly use: string;
  readonly spec: string;
  readonly make: () => Pick<Model, 'checkReady'>;
}

/** Each model once for each role, with the workflows that use it; a coder only if somebody chose one. */
function listUses({ models, coder, makeModel, makeCodingAgent }: CheckupWorld): Use[] {
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
      ...{ role, spec, use: `${role} of ${workflows.join(', ')}` },
      make: () => makeModel(spec, role),
    })),
    ...(coder === null
      ? []
      : [{ role: 'coder', use: 'coder', spec: coder, make: () => makeCodingAgent(coder) }]),
  ];
}

async function checkModels(world: CheckupWorld): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { role, use, spec, make } of listUses(world)) {
    const advice = `Put that right, or choose another with --${role} PROVIDER:MODEL or: gatewright init`;
    try {
      const why = await make().checkReady();
      findings.push(
        why === null
          ? ok(`${use}: ${spec}`)
          : problem(`${use}: ${why.startsWith(spec) ? why : `${spec}: ${why}`}`, advice),
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
      return warning(`${workflow}: cannot be told, see "models"`, 'Correct the models first.');
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
  return [ok(names.length === 0 ? `no keys of providers${file}` : `${names.join(', ')}${file}`)];
}

async function checkClaude(
  { machine, models, coder }: CheckupWorld,
  signal: AbortSignal,
): Promise<Finding[]> {
  const isNeeded =
    coder?.startsWith('claude:') === true ||
    Object.values(models).some(({ drafter }) => drafter.startsWith('claude:'));
  const program = machine.findProgram('claude');
  if (program === null) {
    return isNeeded
      ? [
          problem(
            'the Claude Code CLI is not installed',
            `Install it and log in, or choose another ${coder?.startsWith('claude:') === true ? 'coder' : 'drafter'}.`,
          ),
        ]
      : [
          ok(
            `the Claude Code CLI is not installed; ${coder === null ? 'only agents that write and review code would need it' : 'nothing here needs it'}`,
          ),
        ];
  }
  const version = await machine.ask(program, ['--version'], signal);
  if (version !== null) return [ok(`${version.split('\n')[0] ?? ''}, ${program}`)];
  const broken = `${program} cannot be run`;
  const advice = 'Install it anew.';
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
