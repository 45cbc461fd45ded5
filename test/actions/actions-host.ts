/**
 * GitHub Actions for the small GitHub: it starts runs for what happens there, gives each job a machine and a token, and
 * keeps what they leave. Where it differs from GitHub, `test/actions/README.md` says so.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActionsService, Dispatch } from '../support/github-actions-routes.ts';
import type { StoredRun } from '../support/github-actions-settings.ts';
import { listDeliveries } from '../support/github-deliveries.ts';
import { jobLogin } from '../support/github-job-tokens.ts';
import { showRepositoryPart, showUser } from '../support/github-repository-shape.ts';
import type { GithubServer } from '../support/github-server.ts';
import type { StoredRepository } from '../support/github-state.ts';
import { ArtifactStore, CacheStore } from './action-stores.ts';
import { ConcurrencyGroups } from './concurrency-groups.ts';
import { grantJob } from './job-permissions.ts';
import { readInputs, startsFor, type WorkflowEvent } from './match-event.ts';
import { type EventPlace, listWorkflowFiles, placeEvent, type ToldPull } from './place-event.ts';
import { type Job, readWorkflow, type Workflow } from './read-workflow.ts';
import { type JobEnd, runJob } from './run-job.ts';
import type { Conclusion, StepHook } from './run-steps.ts';
import { type GroupWish, readConcurrency, runWorkflow } from './workflow-run.ts';

export interface FinishedRun {
  readonly id: number;
  readonly path: string;
  readonly event: string;
  readonly conclusion: Conclusion | 'action_required';
  readonly jobs: readonly JobEnd[];
}

interface PlannedRun {
  readonly id: number;
  readonly path: string;
  readonly workflow: Workflow;
  readonly event: WorkflowEvent;
  readonly place: EventPlace;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly actor: string;
  readonly stop: AbortController;
  /** How many workflows led to it by `workflow_run`. */
  readonly depth: number;
}

interface HostOptions {
  readonly server: GithubServer;
  readonly repository: StoredRepository;
  /** Jobs that run at once. */
  readonly machines?: number;
  /** How long a minute of a timeout is, in milliseconds. */
  readonly minute?: number;
  /** Folders of actions by their name, for those that are not GitHub's own. */
  readonly actions?: Readonly<Record<string, string>>;
  /** What machines have beside GitHub's variables, such as the address of a registry. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A workflow is not started by the third one in a row. */
const deepest = 3;

/** The one kind of event by a job that makes runs which wait for a person. */
const isWaiting = ({ name, payload }: WorkflowEvent): boolean =>
  name === 'pull_request' && ['opened', 'synchronize', 'reopened'].includes(String(payload.action));

export class ActionsHost implements ActionsService {
  readonly runs: FinishedRun[] = [];
  /** What files say that the runner cannot do. A test that expects none looks here. */
  readonly problems: string[] = [];
  readonly artifacts: ArtifactStore;
  readonly caches: CacheStore;
  hook: StepHook | null = null;
  /** Tokens that were given to jobs: none of them may be seen anywhere. */
  readonly tokens: string[] = [];
  readonly #options: HostOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'gw-actions-'));
  readonly #groups = new ConcurrencyGroups();
  readonly #known = new Set<string>();
  readonly #active = new Map<number, Promise<void>>();
  readonly #stops = new Map<number, AbortController>();
  readonly #waiting = new Map<number, PlannedRun>();
  readonly #depths = new Map<string, number>();
  readonly #machines: (() => void)[] = [];
  #free: number;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#free = options.machines ?? 2;
    this.artifacts = new ArtifactStore(join(this.#folder, 'artifacts'));
    this.caches = new CacheStore(join(this.#folder, 'caches'));
    options.server.actions = this;
    this.passOver();
  }

  get #repository(): StoredRepository {
    return this.#options.repository;
  }

  /** What has happened until now starts nothing. */
  passOver(): void {
    for (const { id } of listDeliveries(this.#repository)) this.#known.add(id);
  }

  close(): void {
    this.kill();
    this.#options.server.actions = null;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Starts what is to be started, until nothing runs and nothing waits. */
  async settle(): Promise<void> {
    for (;;) {
      this.#takeDeliveries();
      if (this.#active.size === 0) return;
      await Promise.race(this.#active.values());
    }
  }

  /** The moment of a schedule has come. */
  tick(cron: string): void {
    const payload = { schedule: cron, repository: showRepositoryPart(this.#repository), workflow: '' };
    this.#start({ name: 'schedule', payload }, 'alice', 0);
  }

  #takeDeliveries(): void {
    const fresh = listDeliveries(this.#repository, (id) => !this.#known.has(id));
    for (const { id, name, payload } of fresh) {
      this.#known.add(id);
      const actor = (payload.sender as { readonly login: string }).login;
      const depth = name === 'workflow_run' ? (this.#depths.get(id) ?? 0) + 1 : 0;
      if (depth > deepest) continue;
      this.#start({ name, payload }, actor, depth);
      if (name === 'pull_request') this.#start({ name: 'pull_request_target', payload }, actor, depth);
    }
  }

  #read(files: Readonly<Record<string, string>>): { readonly path: string; readonly workflow: Workflow }[] {
    return Object.entries(files).flatMap(([path, text]) => {
      try {
        return [{ path, workflow: readWorkflow(text, path) }];
      } catch (error) {
        this.problems.push((error as Error).message);
        return [];
      }
    });
  }

  /** What a job does starts nothing but what it dispatches; a pull request of a job has runs that wait. */
  #start(event: WorkflowEvent, actor: string, depth: number): void {
    const finished = event.payload.workflow_run as
      | { readonly actor?: { readonly login: string } }
      | undefined;
    const by = finished?.actor?.login ?? actor;
    if (by === jobLogin && event.name !== 'repository_dispatch' && !isWaiting(event)) return;
    const place = placeEvent(this.#repository, event, null);
    if (place === null) return;
    for (const { path, workflow } of this.#read(listWorkflowFiles(this.#repository, place.workflowSha))) {
      if (!startsFor(workflow, event)) continue;
      const run = this.#plan({ path, workflow, event, place, inputs: {}, actor: by, depth });
      if (this.#mustWait(event, place, by)) {
        this.#waiting.set(run.id, run);
        this.#keep(run, 'completed', 'action_required', []);
        this.runs.push({ id: run.id, path, event: event.name, conclusion: 'action_required', jobs: [] });
      } else this.#begin(run);
    }
  }

  #mustWait({ name }: WorkflowEvent, { isFork }: EventPlace, actor: string): boolean {
    if (actor === jobLogin) return name !== 'repository_dispatch';
    if (!isFork) return false;
    const { actions, contributors, roles } = this.#repository;
    if (actions.forkApproval === 'none') return false;
    const isKnown = roles.has(actor) || contributors.has(actor);
    return actions.forkApproval === 'all_external_contributors' ? !roles.has(actor) : !isKnown;
  }

  listWorkflows(repository: StoredRepository): { readonly name: string; readonly path: string }[] {
    const files = listWorkflowFiles(repository, repository.git.run('rev-parse', 'refs/heads/main'));
    return this.#read(files).map(({ path, workflow }) => ({ name: workflow.name ?? path, path }));
  }

  dispatch({ repository, path, ref, inputs, login }: Dispatch): number {
    const event: WorkflowEvent = {
      name: 'workflow_dispatch',
      payload: {
        ...{ inputs, ref: `refs/heads/${ref.replace(/^refs\/heads\//u, '')}`, workflow: path },
        ...{ repository: showRepositoryPart(repository), sender: showUser(login) },
      },
    };
    const place = placeEvent(repository, event, ref);
    const text = place === null ? undefined : listWorkflowFiles(repository, place.workflowSha)[path];
    if (place === null || text === undefined) throw new Error(`No ref found for: ${ref}`);
    const workflow = readWorkflow(text, path);
    const read = readInputs(workflow, inputs);
    const run = this.#plan({ path, workflow, event, place, inputs: read, actor: login, depth: 0 });
    this.#begin(run);
    return run.id;
  }

  dispatchRepository(repository: StoredRepository, type: string, payload: unknown, login: string): void {
    const about = { repository: showRepositoryPart(repository), sender: showUser(login) };
    const told = { action: type, branch: 'main', client_payload: payload, ...about };
    this.#start({ name: 'repository_dispatch', payload: told }, login, 0);
  }

  approve(_repository: StoredRepository, id: number): boolean {
    const run = this.#waiting.get(id);
    if (run === undefined) return false;
    this.#waiting.delete(id);
    this.#begin(run);
    return true;
  }

  /** The machines that are at work go away, without a word. */
  kill(): void {
    for (const stop of this.#stops.values()) stop.abort('killed');
  }

  cancel(_repository: StoredRepository, id: number): boolean {
    const stop = this.#stops.get(id);
    stop?.abort('cancelled');
    return stop !== undefined;
  }

  listArtifacts(): ArtifactStore['artifacts'] {
    return this.artifacts.artifacts;
  }

  #plan(run: Omit<PlannedRun, 'id' | 'stop'>): PlannedRun {
    return { ...run, id: this.#options.server.state.nextId(), stop: new AbortController() };
  }

  #begin(run: PlannedRun): void {
    this.#stops.set(run.id, run.stop);
    this.#keep(run, 'in_progress', null, []);
    const work = this.#run(run)
      .catch((error: Error) => {
        this.problems.push(`${run.path}: ${error.message}`);
        return { conclusion: 'failure' as const, jobs: [] };
      })
      .then(({ conclusion, jobs }) => {
        this.#depths.set(`delivery-${run.id}`, run.depth);
        this.#keep(run, 'completed', conclusion, jobs);
        this.runs.push({ id: run.id, path: run.path, event: run.event.name, conclusion, jobs });
        this.#stops.delete(run.id);
        this.#active.delete(run.id);
      });
    this.#active.set(run.id, work);
  }

  async #run(
    run: PlannedRun,
  ): Promise<{ readonly conclusion: Conclusion; readonly jobs: readonly JobEnd[] }> {
    const { workflow, stop } = run;
    const contexts = this.#contextsOf(run);
    const plan = {
      ...{ workflow, contexts, stop },
      runJob: (id: string, job: Job, needs: Readonly<Record<string, unknown>>, stopJob: AbortController) =>
        this.#runJob(run, { ...contexts, needs }, id, job, stopJob),
      enterGroup: (wish: GroupWish, cancel: () => void) => this.#groups.enter({ ...wish, cancel }),
    };
    if (workflow.concurrency === undefined) return runWorkflow(plan);
    const wish = readConcurrency(workflow.concurrency, { contexts, status: null, hashFiles: null });
    const leave = await this.#groups.enter({ ...wish, cancel: () => stop.abort('cancelled') });
    if (leave === null) return { conclusion: 'cancelled', jobs: [] };
    try {
      return await runWorkflow(plan);
    } finally {
      leave();
    }
  }

  #contextsOf({ id, path, workflow, event, place, inputs, actor }: PlannedRun): Record<string, unknown> {
    const { server } = this.#options;
    const { name, id: number, actions } = this.#repository;
    const [owner = ''] = name.split('/');
    const github = {
      ...{ event: event.payload, event_name: event.name, actor, triggering_actor: actor },
      actor_id: String(showUser(actor).id),
      ...{ repository: name, repository_owner: owner, repository_id: String(number) },
      repository_owner_id: String(showUser(owner).id),
      ...{ ref: place.ref, ref_name: place.ref.replace(/^refs\/(?:heads|pull)\//u, ''), ref_type: 'branch' },
      ...{ ref_protected: false, sha: place.sha, head_ref: place.headRef, base_ref: place.baseRef },
      ...{ run_id: String(id), run_number: '1', run_attempt: '1', retention_days: '90' },
      ...{ workflow: workflow.name ?? path, workflow_ref: `${name}/${path}@${place.ref}` },
      workflow_sha: place.workflowSha,
      ...{ server_url: server.url, api_url: server.url, graphql_url: `${server.url}/graphql` },
    };
    return { github, inputs, vars: Object.fromEntries(actions.variables) };
  }

  async #takeMachine(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#machines.push(resolve));
  }

  #returnMachine(): void {
    const next = this.#machines.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  async #runJob(
    run: PlannedRun,
    contexts: Readonly<Record<string, unknown>>,
    id: string,
    job: Job,
    stop: AbortController,
  ): Promise<JobEnd> {
    const { server, environment = {}, minute = 60_000, actions = {} } = this.#options;
    const { place } = run;
    const repository = this.#repository;
    // What Dependabot does to a pull request has the rights of a fork.
    const isLimited =
      place.isFork || (run.event.name.startsWith('pull_request') && run.actor === 'dependabot[bot]');
    await this.#takeMachine();
    const granted = grantJob({
      ...{ workflow: run.workflow.permissions, job: job.permissions, isFork: isLimited },
      default: repository.actions.defaultPermissions,
    });
    const serial = String(this.tokens.length).padStart(8, '0');
    const token = `ghs_canaryjob${serial}abcdefghijklmnopqr`;
    this.tokens.push(token);
    server.jobs.add(token, repository.name, granted);
    try {
      return await runJob({
        ...{ id, workflow: run.workflow, job, contexts, token, granted, minute, stop, environment },
        folder: mkdtempSync(join(this.#folder, 'machine-')),
        secrets: isLimited ? {} : Object.fromEntries(repository.actions.secrets),
        event: run.event.payload,
        findAction: (name) => actions[name] ?? null,
        hook: this.hook,
        use: {
          ...{
            serverUrl: server.url,
            repository: repository.name,
            ref: place.ref,
            sha: place.sha,
            run: run.id,
          },
          ...{ artifacts: this.artifacts, caches: this.caches },
          nextId: () => server.state.nextId(),
          now: () => server.state.now(),
        },
      });
    } finally {
      server.jobs.drop(token);
      this.#returnMachine();
    }
  }

  /** What GitHub's API tells of the run. */
  #keep(run: PlannedRun, status: string, conclusion: string | null, jobs: readonly JobEnd[]): void {
    const { state } = this.#options.server;
    const { runs } = this.#repository;
    const { place } = run;
    const pull = run.event.payload.pull_request as ToldPull | undefined;
    const kept: StoredRun = {
      ...{ id: run.id, name: run.workflow.name ?? run.path, path: run.path, actor: run.actor },
      ...{ event: run.event.name, status, conclusion, at: state.now() },
      // Of a pull request, the run is told with its head, and not with the merge that its jobs see.
      ...{
        sha: pull?.head.sha ?? place.sha,
        branch: place.headRef || place.ref.replace(/^refs\/heads\//u, ''),
      },
      ...(pull?.head.repo == null || !place.isFork ? {} : { fork: pull.head.repo.full_name }),
      jobs: jobs
        .filter((one) => one.conclusion !== 'skipped')
        .map((one) => ({
          ...{ id: state.nextId(), name: one.name, conclusion: one.conclusion, startedAt: Date.now() },
          steps: one.steps.map(({ name, conclusion: how, log }) => ({ name, conclusion: how, log })),
        })),
    };
    const index = runs.findIndex(({ id }) => id === run.id);
    if (index === -1) runs.push(kept);
    else runs[index] = kept;
  }
}
