/** One job on a machine of its own that is thrown away afterwards. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ActionUse } from './builtin-actions.ts';
import { fillText, fillTexts, type Scope } from './evaluate-expression.ts';
import { type Annotation, JobLog } from './job-log.ts';
import type { Granted } from './job-permissions.ts';
import type { Job, Workflow } from './read-workflow.ts';
import { type Conclusion, type JobSite, type StepHook, type StepRecord, StepsRunner } from './run-steps.ts';

export interface JobOrder {
  readonly id: string;
  readonly workflow: Workflow;
  readonly job: Job;
  readonly folder: string;
  /** `github` without what belongs to the machine; `needs`, `inputs`, `vars`, `secrets`. */
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly token: string;
  readonly granted: Granted;
  readonly event: unknown;
  readonly environment: Readonly<Record<string, string>>;
  readonly use: Omit<ActionUse, 'inputs' | 'environment' | 'workspace' | 'log' | 'addPath' | 'token'>;
  readonly minute: number;
  readonly stop: AbortController;
  readonly findAction: (name: string) => string | null;
  readonly hook: StepHook | null;
}

export interface JobEnd {
  readonly id: string;
  readonly name: string;
  readonly conclusion: Conclusion;
  readonly outputs: Readonly<Record<string, string>>;
  readonly steps: readonly StepRecord[];
  readonly annotations: readonly Annotation[];
  readonly log: string;
  readonly summary: string;
  readonly granted: Granted;
  readonly milliseconds: number;
}

const usualMinutes = 360;

/** What a step is given, and nothing of what the tests run with. */
function makeBase(
  order: JobOrder,
  github: Readonly<Record<string, unknown>>,
  home: string,
): Record<string, string> {
  const names = [
    ...['action', 'actor', 'actor_id', 'api_url', 'base_ref', 'event_name', 'event_path', 'graphql_url'],
    ...['head_ref', 'job', 'ref', 'ref_name', 'ref_protected', 'ref_type', 'repository', 'repository_id'],
    ...[
      'repository_owner',
      'repository_owner_id',
      'run_attempt',
      'run_id',
      'run_number',
      'server_url',
      'sha',
    ],
    ...['triggering_actor', 'workflow', 'workflow_ref', 'workflow_sha', 'workspace'],
  ];
  const given = names.map((name) => [`GITHUB_${name.toUpperCase()}`, String(github[name] ?? '')]);
  return {
    ...order.environment,
    ...Object.fromEntries(given),
    ...{ CI: 'true', GITHUB_ACTIONS: 'true', HOME: home, LANG: 'C.UTF-8' },
    // As on GitHub's machines: programs are there, and Node.js is one of them.
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    ...{ RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64', RUNNER_NAME: 'GitHub Actions 1' },
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_TEMP: join(order.folder, '_temp'),
    RUNNER_TOOL_CACHE: join(order.folder, '_tool'),
    RUNNER_WORKSPACE: dirname(String(github.workspace)),
  };
}

export async function runJob(order: JobOrder): Promise<JobEnd> {
  const { workflow, job, folder } = order;
  const began = Date.now();
  const [, project = 'project'] = order.use.repository.split('/');
  const [workspace, temp, home] = [
    join(folder, project, project),
    join(folder, '_temp'),
    join(folder, 'home'),
  ];
  for (const one of [workspace, temp, home, join(folder, '_tool')]) mkdirSync(one, { recursive: true });
  const eventPath = join(temp, '_github_workflow', 'event.json');
  mkdirSync(dirname(eventPath), { recursive: true });
  writeFileSync(eventPath, JSON.stringify(order.event));
  const github = {
    ...(order.contexts.github as Record<string, unknown>),
    ...{ event_path: eventPath, workspace, token: order.token, job: order.id, action: '__run' },
  };
  const base = makeBase(order, github, home);
  const log = new JobLog();
  for (const secret of [...Object.values(order.secrets), order.token]) log.mask(secret);
  const contexts = {
    ...order.contexts,
    github,
    secrets: { ...order.secrets, GITHUB_TOKEN: order.token },
    runner: {
      os: 'Linux',
      arch: 'X64',
      name: 'GitHub Actions 1',
      temp,
      tool_cache: base.RUNNER_TOOL_CACHE,
      environment: 'github-hosted',
      debug: '',
    },
    job: { status: 'success' },
    strategy: { 'fail-fast': true, 'job-index': 0, 'job-total': 1, 'max-parallel': 1 },
    matrix: null,
  };
  const bare: Scope = { contexts: { ...contexts, env: {} }, status: null, hashFiles: null };
  const workflowEnv = fillTexts(workflow.env, bare);
  const env = {
    ...workflowEnv,
    ...fillTexts(job.env, { ...bare, contexts: { ...contexts, env: workflowEnv } }),
  };
  const minutes = Number(fillText(job['timeout-minutes'] ?? usualMinutes, bare));
  const site: JobSite = {
    workflow: workflow.name ?? '',
    ...{ job: order.id, runId: order.use.run, workspace, temp, base, log, minute: order.minute },
    ...{ variables: {}, paths: [], posts: [], count: 0, deadline: began + minutes * order.minute },
    ...{ stop: order.stop, findAction: order.findAction, hook: order.hook },
    use: { ...order.use, token: order.token },
  };
  const runner = new StepsRunner(site, {
    ...{ contexts, env, isComposite: false },
    defaults: { ...workflow.defaults?.run, ...job.defaults?.run },
  });
  const end = await runner.run(job.steps);
  const isSuccess = end.conclusion === 'success';
  if (order.stop.signal.reason !== 'killed') for (const post of site.posts.toReversed()) post(isSuccess);
  const outputs = Object.entries(fillTexts(job.outputs, runner.scope)).filter(([name, value]) => {
    if (value !== '' && !log.holdsSecret(value)) return true;
    if (value !== '') log.add(`::warning::Skip output '${name}' since it may contain secret.`);
    return false;
  });
  rmSync(folder, { recursive: true, force: true });
  return {
    id: order.id,
    name: job.name ?? order.id,
    conclusion: order.stop.signal.reason === 'killed' ? 'failure' : end.conclusion,
    // A machine that is gone has told nothing.
    outputs: order.stop.signal.reason === 'killed' ? {} : Object.fromEntries(outputs),
    steps: end.records,
    annotations: log.annotations,
    log: log.text,
    summary: end.records
      .map(({ summary }) => summary)
      .join('\n')
      .trim(),
    granted: order.granted,
    milliseconds: Date.now() - began,
  };
}
