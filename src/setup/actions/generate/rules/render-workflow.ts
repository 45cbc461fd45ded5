/** The text of the workflow file of an agent. */
import type { AgentName } from '../../../../domain/fleet/agent-names.ts';
import { workersBeside, workflowFileOf } from '../../../../domain/fleet/workflow-files.ts';
import { minutesToAsk } from '../../../../domain/proposals/job-minutes.ts';
import { type ActionsAgent, needsHistory, slotsOf } from './actions-agent.ts';
import { usesOf } from './pinned.ts';
import { readingPermissions, type TokenPermissions, writingPermissions } from './token-permissions.ts';
import { conditionsOf, cronsOf, type Waker, type WakingOptions, wakersOf } from './wakers.ts';
import { namesWatchedBy, workflowNameOf } from './workflow-names.ts';

export interface WorkflowOptions extends WakingOptions {
  /** Labels of the machine; one of GitHub's own is a single label. */
  readonly runner: readonly string[];
  /** What keeps labels as they may be set; it acts wherever label events go. */
  readonly labelKeeper: ActionsAgent;
}

/** Where the action that installs the program is, beside the workflow files. */
export const actionFolder = '.github/actions/gatewright';

const place = '${{ runner.temp }}/gatewright-proposal';

/** These are no texts in YAML, unless they stand in quotes. */
const words = /^(?:true|false|null)$/iu;

/** A text as YAML, in quotes only where it needs them. */
function scalar(text: string): string {
  return /^[A-Za-z][\w -]*\w$/u.test(text) && !words.test(text) ? text : JSON.stringify(text);
}

const list = (texts: readonly string[]): string => `[${texts.map(scalar).join(', ')}]`;

function indent(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`));
}

function renderEvents(
  agent: ActionsAgent<AgentName>,
  wakers: readonly Waker[],
  options: WorkflowOptions,
): string[] {
  const crons = cronsOf(agent);
  const events = [...new Set(wakers.map(({ event }) => event))].flatMap((event) => {
    const types = wakers.filter((one) => one.event === event).flatMap((one) => one.types);
    return [
      `${event}:`,
      ...(types.length === 0 ? [] : [`  types: ${list([...new Set(types)])}`]),
      ...(event === 'workflow_run'
        ? [
            '  workflows:',
            ...namesWatchedBy(agent.name, options.agents, options.builds).map(
              (name) => `    - ${scalar(name)}`,
            ),
          ]
        : []),
    ];
  });
  const schedule = crons.length === 0 ? [] : ['schedule:', ...crons.map((cron) => `  - cron: "${cron}"`)];
  // By hand, and by the other workflows when they hand work on.
  return [...events, ...schedule, 'workflow_dispatch:'];
}

/** Events about one issue or pull request wait for each other; none of them is dropped. */
function renderConcurrency(agent: ActionsAgent<AgentName>): string[] {
  const name = `gatewright-${workflowFileOf(agent.name).replace('.yml', '')}`;
  const isOfNumbers = slotsOf(agent).length === 0 && agent.may['merge-pull-request'] === undefined;
  const subject = "-${{ github.event.issue.number || github.event.pull_request.number || 'open' }}";
  return ['concurrency:', `  group: ${name}${isOfNumbers ? subject : ''}`, '  queue: max'];
}

/** One line for each event: they come together again as one. */
function startsWhen(agent: ActionsAgent, wakers: readonly Waker[]): string[] {
  if (wakers.length === 0) return [];
  const free = ['workflow_dispatch', ...(slotsOf(agent).length > 0 ? ['schedule'] : [])];
  const parts = [...free.map((event) => `github.event_name == '${event}'`), ...conditionsOf(wakers)];
  const lines = parts.map((part) => (part.includes(' && ') ? `(${part})` : part));
  return ['if: >-', ...lines.map((line, index) => `  ${line}${index + 1 < lines.length ? ' ||' : ''}`)];
}

function renderPermissions(permissions: TokenPermissions): string[] {
  return ['permissions:', ...Object.entries(permissions).map(([name, level]) => `  ${name}: ${level}`)];
}

/** What only an administrator may set: a repository file cannot, since a pull request changes it. */
const settings = [
  ...['GATEWRIGHT_VERIFY', 'GATEWRIGHT_SETUP', 'GATEWRIGHT_SETUP_HOSTS', 'GATEWRIGHT_AGENT_COMMANDS'],
  ...['GATEWRIGHT_TEMPLATE', 'GATEWRIGHT_BOTS'],
];

/** Nothing secret: every step of the workflow can read it. */
const environment = [
  'env:',
  '  GATEWRIGHT_FORGE: github',
  '  GATEWRIGHT_LEDGER: ref',
  // Code that models wrote runs beside keys: never without a sandbox, unless an administrator says so.
  "  GATEWRIGHT_SANDBOX: ${{ vars.GATEWRIGHT_SANDBOX || 'require' }}",
  ...settings.map((name) => `  ${name}: \${{ vars.${name} }}`),
];

/** Of the one step of a job that runs the program. */
const secrets = (...names: readonly string[]): string[] => [
  'env:',
  '  GITHUB_TOKEN: ${{ github.token }}',
  ...['GATEWRIGHT_LEDGER_KEY', ...names].map((name) => `  ${name}: \${{ secrets.${name} }}`),
];

/** The base of the repository and nothing else: what a pull request changed is read as data. */
function checkOut(agent: ActionsAgent): string[] {
  return [
    `- uses: ${usesOf('actions/checkout')}`,
    '  with:',
    '    ref: ${{ github.event.repository.default_branch }}',
    '    persist-credentials: false',
    ...(needsHistory(agent) ? ['    fetch-depth: 0'] : []),
  ];
}

interface JobPlan {
  readonly id: string;
  readonly head: readonly string[];
  readonly minutes: number;
  readonly permissions: TokenPermissions;
  readonly steps: readonly string[];
}

function renderJob(agent: ActionsAgent, { runner }: WorkflowOptions, plan: JobPlan): string[] {
  return [
    `${plan.id}:`,
    ...indent(
      [
        ...plan.head,
        `runs-on: ${runner.length === 1 ? scalar(runner[0] ?? '') : list(runner)}`,
        `timeout-minutes: ${plan.minutes}`,
        ...renderPermissions(plan.permissions),
        'steps:',
        ...indent([...checkOut(agent), ...plan.steps], 2),
      ],
      2,
    ),
  ];
}

const install = (withClaude: boolean): string[] => [
  `- uses: ./${actionFolder}`,
  ...(withClaude ? ['  with:', '    claude-code: true'] : []),
];

const hearsLabels = (wakers: readonly Waker[]): boolean =>
  wakers.some(({ types }) => types.includes('labeled'));

/** The same for all jobs of a workflow: each goes on with what the one before it left. */
function workersIn({ name }: ActionsAgent<AgentName>, wakers: readonly Waker[]): string {
  return [...workersBeside(name), ...(hearsLabels(wakers) ? ['label-keeper'] : [])].join(',');
}

/** Setting up and testing the work of an agent takes most of it. */
const minutesToApply = 60;

/** Records the event, and does what needs no model. */
function beginJob(
  agent: ActionsAgent<AgentName>,
  options: WorkflowOptions,
  wakers: readonly Waker[],
  isOnly: boolean,
): string[] {
  const agents = hearsLabels(wakers) ? [agent, options.labelKeeper] : [agent];
  return renderJob(agent, options, {
    id: isOnly ? 'apply' : 'begin',
    head: [
      ...startsWhen(agent, wakers),
      ...(isOnly ? [] : ['outputs:', '  next: ${{ steps.gatewright.outputs.next }}']),
    ],
    // It takes up runs that an earlier job left before their tests, which then run here.
    minutes: needsHistory(agent) ? minutesToApply : 15,
    permissions: writingPermissions(agents),
    steps: [
      ...install(false),
      '- name: Record the event, and do what needs no model',
      ...(isOnly ? [] : ['  id: gatewright']),
      `  run: gatewright actions apply --agents ${workersIn(agent, wakers)}`,
      ...indent(secrets(), 2),
    ],
  });
}

/** Asks models, with a token that can change nothing. */
function proposeJob(
  agent: ActionsAgent<AgentName>,
  options: WorkflowOptions,
  wakers: readonly Waker[],
): string[] {
  return renderJob(agent, options, {
    id: 'propose',
    head: ['needs: begin', "if: needs.begin.outputs.next == 'propose'"],
    minutes: minutesToAsk[agent.model === 'coder' ? 'coder' : 'model'],
    permissions: readingPermissions([agent]),
    steps: [
      ...install(true),
      '- name: Ask the models',
      `  run: gatewright actions propose --agents ${workersIn(agent, wakers)} --out "$RUNNER_TEMP/gatewright-proposal/proposal.json"`,
      ...indent(secrets('CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_API_KEY'), 2),
      `- uses: ${usesOf('actions/upload-artifact')}`,
      '  with:',
      '    name: gatewright-proposal',
      `    path: ${place}`,
      '    if-no-files-found: error',
      // A job that is run again is of the same workflow run, where the name is taken: what models said would be lost.
      '    overwrite: true',
      '    retention-days: 1',
    ],
  });
}

/** Checks what was proposed, and carries it out. */
function applyJob(
  agent: ActionsAgent<AgentName>,
  options: WorkflowOptions,
  wakers: readonly Waker[],
): string[] {
  return renderJob(agent, options, {
    id: 'apply',
    head: ['needs: [begin, propose]'],
    minutes: minutesToApply,
    permissions: writingPermissions([agent]),
    steps: [
      ...install(false),
      `- uses: ${usesOf('actions/download-artifact')}`,
      '  with:',
      '    name: gatewright-proposal',
      `    path: ${place}`,
      '- name: Check what was proposed, and carry it out',
      `  run: gatewright actions apply --agents ${workersIn(agent, wakers)} --proposal "$RUNNER_TEMP/gatewright-proposal/proposal.json"`,
      ...indent(secrets(), 2),
    ],
  });
}

/** Without the header that says where it comes from. */
export function renderWorkflow(agent: ActionsAgent<AgentName>, options: WorkflowOptions): string {
  const wakers = wakersOf(agent, options);
  const isOnly = agent.model === 'none';
  const jobs = isOnly
    ? [beginJob(agent, options, wakers, true)]
    : [
        beginJob(agent, options, wakers, false),
        proposeJob(agent, options, wakers),
        applyJob(agent, options, wakers),
      ];
  return [
    `# ${agent.purpose}`,
    `name: ${workflowNameOf(agent.name)}`,
    'on:',
    ...indent(renderEvents(agent, wakers, options), 2),
    'permissions: {}',
    ...environment,
    ...renderConcurrency(agent),
    'jobs:',
    ...indent(
      jobs.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
      2,
    ),
    '',
  ].join('\n');
}
