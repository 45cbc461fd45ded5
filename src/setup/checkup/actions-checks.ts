/** Checks of what GitHub Actions mode needs: settings, secrets by name, labels, and the files as they were generated. */
import { countOf } from '../../domain/text/count-of.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';
import type { ActionsSettings, Seen } from '../../ports/forge/actions-settings.ts';
import type { PlannedActionsFile } from '../actions/generate/plan-files.ts';
import { actionsInUse } from '../actions/generate/rules/pinned.ts';
import { type Check, type Finding, ok, problem, warning } from './run-checkup.ts';

export interface ActionsNeeds {
  /** The files as they would be generated, compared with those that are there. */
  readonly files: readonly PlannedActionsFile[];
  /** Of the workflows among them. */
  readonly workflows: readonly string[];
  readonly labels: readonly string[];
  readonly asksModels: boolean;
  readonly opensPullRequests: boolean;
}

const ledgerKey = 'GATEWRIGHT_LEDGER_KEY';
const modelKeys = ['CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_API_KEY'];
const setPermissions =
  'gh api --method PUT repos/{owner}/{repo}/actions/permissions/workflow -f default_workflow_permissions=read -F can_approve_pull_request_reviews=true';

/** A setting that may not be read is never fine. */
function look<T>(one: Seen<T>, judge: (value: T) => readonly Finding[]): readonly Finding[] {
  if ('seen' in one) return judge(one.seen);
  return [
    warning(
      `cannot see ${one.unseen} with this credential`,
      'Run it as an administrator, with a token that may read Administration, Secrets and Variables of the repository.',
    ),
  ];
}

const listed = (names: readonly string[]): string => names.map((name) => escapeForLine(name, 200)).join(', ');

function checkActions({ isEnabled, allowedActions }: ActionsSettings): readonly Finding[] {
  return [
    ...look(isEnabled, (is) => [
      is
        ? ok('GitHub Actions is on')
        : problem('GitHub Actions is off', 'Turn it on: Settings, Actions, General, Actions permissions.'),
    ]),
    ...look(allowedActions, (allowed) => {
      if (allowed === 'all') return [];
      const how = `Allow ${listed(actionsInUse)}: Settings, Actions, General, Actions permissions.`;
      return allowed === 'local_only'
        ? [problem('only actions of this owner may run', how)]
        : [warning('only listed actions may run; cannot see whether ours are among them', how)];
    }),
  ];
}

function checkTokens({ workflowPermissions }: ActionsSettings, needs: ActionsNeeds): readonly Finding[] {
  return look(workflowPermissions, ({ usual, mayOpenPullRequests }) => [
    usual === 'read'
      ? ok('workflows that declare nothing may only read')
      : warning('workflows that declare nothing may write to everything', setPermissions),
    ...(!needs.opensPullRequests
      ? []
      : [
          mayOpenPullRequests
            ? ok('jobs may open pull requests')
            : problem(
                'jobs may not open pull requests, so no work of an agent can be proposed',
                setPermissions,
              ),
        ]),
  ]);
}

function checkSecrets({ secrets }: ActionsSettings, { asksModels }: ActionsNeeds): readonly Finding[] {
  return look(secrets, (names) => {
    const has = (name: string): boolean => names.some((one) => one.toUpperCase() === name);
    const keys = modelKeys.filter(has);
    return [
      has(ledgerKey)
        ? ok(`${ledgerKey} is set`)
        : problem(
            `${ledgerKey} is not set, so no job can write to the ledger`,
            `gatewright init --actions --ledger-key | gh secret set ${ledgerKey}`,
          ),
      ...(!asksModels
        ? []
        : keys.length > 0
          ? [ok(`${keys.join(' and ')} ${keys.length === 1 ? 'is' : 'are'} set`)]
          : [
              problem(
                'no key of a model is set',
                modelKeys.map((name) => `gh secret set ${name}`).join(', or: '),
              ),
            ]),
    ];
  });
}

function checkVariables(
  { variables }: ActionsSettings,
  { opensPullRequests }: ActionsNeeds,
): readonly Finding[] {
  if (!opensPullRequests) return [];
  return look(variables, (names) => [
    names.some((name) => name.toUpperCase() === 'GATEWRIGHT_VERIFY')
      ? ok('GATEWRIGHT_VERIFY is set')
      : warning(
          'GATEWRIGHT_VERIFY is not set, so the work of agents is not tested before it is proposed',
          'gh variable set GATEWRIGHT_VERIFY --body "npm test"',
        ),
  ]);
}

function checkLabels({ labels }: ActionsSettings, needs: ActionsNeeds): readonly Finding[] {
  return look(labels, (there) => {
    const known = new Set(there.map((name) => name.toLowerCase()));
    const missing = needs.labels.filter((name) => !known.has(name.toLowerCase()));
    return missing.length === 0
      ? [ok('all labels are there')]
      : [
          warning(
            `${countOf(missing.length, 'label')} missing: ${listed(missing)}`,
            'gatewright labels sync',
          ),
        ];
  });
}

function checkBranch({ defaultBranch, isProtected }: ActionsSettings): readonly Finding[] {
  const name = escapeForLine(defaultBranch, 200);
  return look(isProtected, (is) => [
    is
      ? ok(`${name} is protected`)
      : warning(
          `${name} has no rule, so whatever may push to it can go around reviews`,
          'Add a ruleset that asks for a pull request and for the checks of your builds: Settings, Rules.',
        ),
  ]);
}

const fileWords = {
  new: ['is not there', 'gatewright init --actions'],
  changes: ['is of another version or of other options', 'gatewright init --actions'],
  edited: ['was changed by a person, or is not ours', 'gatewright init --actions --check'],
  unfit: ['cannot be read or changed', 'gatewright init --actions --check'],
} as const;

function checkFiles({ files }: ActionsNeeds): readonly Finding[] {
  const wrong = files.flatMap(({ path, state }) => {
    if (state === 'there') return [];
    const [what, fix] = fileWords[state];
    const tell = state === 'new' ? problem : warning;
    return [tell(`${path} ${what}`, fix)];
  });
  return wrong.length > 0 ? wrong : [ok(`${countOf(files.length, 'file')} as generated`)];
}

function checkWorkflows(
  { workflows, defaultBranch }: ActionsSettings,
  needs: ActionsNeeds,
): readonly Finding[] {
  return look(workflows, (there) => {
    const wrong = needs.workflows.flatMap((path) => {
      const found = there.find((one) => one.path === path);
      if (found === undefined)
        return [
          problem(
            `GitHub does not know ${path}`,
            `Commit it and push it to ${escapeForLine(defaultBranch, 200)}.`,
          ),
        ];
      const name = path.replace('.github/workflows/', '');
      return found.isActive
        ? []
        : [problem(`${path} is switched off on GitHub`, `gh workflow enable ${name}`)];
    });
    return wrong.length > 0
      ? wrong
      : [ok(`GitHub knows ${countOf(needs.workflows.length, 'workflow')} of ours`)];
  });
}

export function makeActionsChecks(needs: ActionsNeeds): readonly Check[] {
  const parts: readonly (readonly [
    string,
    (settings: ActionsSettings, needs: ActionsNeeds) => readonly Finding[],
  ])[] = [
    ['actions', checkActions],
    ['job tokens', checkTokens],
    ['secrets', checkSecrets],
    ['variables', checkVariables],
    ['labels', checkLabels],
    ['base branch', checkBranch],
    ['workflows', checkWorkflows],
  ];
  // Asked for once, whichever check is first; when nothing can be asked, the first of them says why for all.
  let asked: Promise<ActionsSettings> | null = null;
  const ask = (world: CheckupWorld): Promise<ActionsSettings> => {
    asked ??= world.readActionsSettings();
    return asked;
  };
  return [
    { name: 'files', look: () => checkFiles(needs) },
    ...parts.map(([name, judge], index) => ({
      name,
      look: async (world: CheckupWorld) => {
        const settings = index === 0 ? await ask(world) : await ask(world).catch(() => null);
        return settings === null ? [] : judge(settings, needs);
      },
    })),
  ];
}
