/** What machines say of commits on the local forge: statuses, check runs, workflow runs and what failed in them. */
import { checkBody, checkCheckName } from '../../domain/forge/forge-texts.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import { keepLogEnd } from '../../domain/forge/log-end.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  Check,
  CheckState,
  FailedLog,
  Forge,
  WorkflowRun,
  WorkflowRunFilter,
} from '../../ports/forge/forge.ts';
import { type ForgeRecords, toMoment } from './forge-records.ts';
import type { LocalRepositories } from './local-repositories.ts';

/** A check run that a machine reports. */
export interface RecordedCheck {
  readonly name: string;
  readonly state: CheckState;
  readonly description?: string;
  readonly url?: string;
}

/** A workflow run that a machine reports; of its logs, the ends of failed steps are kept. */
export interface RecordedRun
  extends Pick<WorkflowRun, 'name' | 'headSha' | 'branch' | 'event' | 'status' | 'conclusion'> {
  readonly attempt?: number;
  readonly jobs?: readonly {
    readonly name: string;
    readonly steps: readonly {
      readonly name: string;
      readonly conclusion: 'success' | 'failure' | 'skipped';
      readonly log: string;
    }[];
  }[];
}

interface RunRow {
  readonly id: number;
  readonly repository: string;
  readonly name: string;
  readonly head_sha: string;
  readonly branch: string;
  readonly event: string;
  readonly status: WorkflowRun['status'];
  readonly conclusion: CheckState | null;
  readonly attempt: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Of one run: a build that fails everywhere is told by its first failures. */
const mostFailedLogs = 100;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function urlOfRun({ repository, id }: RunRow): string {
  return `local://${repository}/actions/runs/${id}`;
}

/** What is not known to have ended is pending: only a reported conclusion says how a build came out. */
function toCheck(run: RunRow): Check & { readonly at: string } {
  const state = run.status === 'completed' ? (run.conclusion ?? 'pending') : 'pending';
  return {
    name: run.name,
    kind: 'check',
    state,
    description: 'build',
    url: urlOfRun(run),
    at: run.updated_at,
  };
}

function checkUrl(url: string): string {
  if (url !== '' && !/^https?:\/\/\S+$/u.test(url))
    throw new GatewrightError(
      'forge-rejected',
      'The address of a check has to begin with http:// or https://.',
    );
  return url;
}

export class LocalChecks {
  readonly #records: ForgeRecords;
  readonly #repositories: LocalRepositories;

  constructor(records: ForgeRecords, repositories: LocalRepositories) {
    this.#records = records;
    this.#repositories = repositories;
  }

  async requireCommit(repository: string, sha: string): Promise<void> {
    checkCommitName(sha);
    if (!(await this.#repositories.gitOf(repository).hasCommit(sha)))
      throw new GatewrightError('forge-not-found', `${repository} has no commit ${sha}.`);
  }

  /**
   * Statuses, check runs and builds. A build is a check of its name: if it counted for nothing, a change whose build
   * failed could be merged. Of a check run and a build of one name, the newer one counts.
   */
  list(repository: string, sha: string): Check[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      const known = this.#records.all<Check & { readonly at: string }>(
        'SELECT name, kind, state, description, url, at FROM forge_checks WHERE repository = ? AND sha = ?',
        ...[repository, checkCommitName(sha)],
      );
      // The newest of each name.
      const builds = this.#records.all<RunRow>(
        `SELECT r.* FROM forge_workflow_runs r WHERE r.repository = ? AND r.head_sha = ? AND r.id = (
           SELECT max(id) FROM forge_workflow_runs
           WHERE repository = r.repository AND head_sha = r.head_sha AND name = r.name)`,
        ...[repository, sha],
      );
      const newest = new Map(known.map((check) => [`${check.kind} ${check.name}`, check]));
      for (const build of builds) {
        const check = toCheck(build);
        const key = `check ${check.name}`;
        const other = newest.get(key);
        if (other === undefined || other.at <= check.at) newest.set(key, check);
      }
      return [...newest.values()]
        .map(({ at: _, ...check }) => check)
        .sort((a, b) => compare(a.name, b.name) || compare(a.kind, b.kind));
    });
  }

  setStatus(repository: string, sha: string, status: Parameters<Forge['setStatus']>[2]): Promise<void> {
    return this.#put(repository, sha, 'status', status);
  }

  recordCheckRun(repository: string, sha: string, check: RecordedCheck): Promise<void> {
    return this.#put(repository, sha, 'check', check);
  }

  async #put(repository: string, sha: string, kind: Check['kind'], check: RecordedCheck): Promise<void> {
    this.#records.look(() => this.#records.require(repository, 'write'));
    await this.requireCommit(repository, sha);
    this.#records.transact(() =>
      this.#records.run(
        `INSERT OR REPLACE INTO forge_checks (repository, sha, kind, name, state, description, url, at, actor)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        repository,
        sha,
        kind,
        checkCheckName(check.name),
        check.state,
        checkBody(check.description ?? ''),
        checkUrl(check.url ?? ''),
        this.#records.now(),
        this.#records.actor,
      ),
    );
  }

  /** Returns the id of the run. */
  async recordWorkflowRun(repository: string, run: RecordedRun): Promise<number> {
    this.#records.look(() => this.#records.require(repository, 'write'));
    await this.requireCommit(repository, run.headSha);
    return this.#records.transact(() => {
      const now = this.#records.now();
      const { id } = this.#records.run(
        `INSERT INTO forge_workflow_runs
           (repository, name, head_sha, branch, event, status, conclusion, attempt, created_at, updated_at, actor)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        repository,
        checkCheckName(run.name),
        run.headSha,
        run.branch,
        run.event,
        run.status,
        run.status === 'completed' ? run.conclusion : null,
        run.attempt ?? 1,
        now,
        now,
        this.#records.actor,
      );
      const failed = (run.jobs ?? []).flatMap((job) =>
        job.steps
          .filter((step) => step.conclusion === 'failure')
          .map((step) => ({ job: job.name, step: step.name, log: keepLogEnd(step.log) })),
      );
      for (const [position, { job, step, log }] of failed.slice(0, mostFailedLogs).entries())
        this.#records.run(
          'INSERT INTO forge_failed_logs (run, position, job, step, log) VALUES (?, ?, ?, ?, ?)',
          id,
          position,
          job,
          step,
          log,
        );
      return id;
    });
  }

  listWorkflowRuns(repository: string, filter: WorkflowRunFilter = {}): WorkflowRun[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records
        .all<RunRow>(
          `SELECT * FROM forge_workflow_runs
           WHERE repository = @repository AND (@branch IS NULL OR branch = @branch)
             AND (@headSha IS NULL OR head_sha = @headSha) AND (@since IS NULL OR created_at >= @since)
             AND (@conclusion IS NULL OR conclusion = @conclusion)
           ORDER BY id DESC`,
          {
            repository,
            branch: filter.branch ?? null,
            headSha: filter.headSha ?? null,
            since: toMoment(filter.since),
            conclusion: filter.conclusion ?? null,
          },
        )
        .map((row) => ({
          id: row.id,
          name: row.name,
          headSha: row.head_sha,
          branch: row.branch,
          event: row.event,
          status: row.status,
          conclusion: row.conclusion,
          attempt: row.attempt,
          createdAt: row.created_at,
          updatedAt: row.updated_at,
          url: urlOfRun(row),
        }));
    });
  }

  readFailedLogs(repository: string, run: number): FailedLog[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      const known = this.#records.one(
        'SELECT 1 FROM forge_workflow_runs WHERE repository = ? AND id = ?',
        repository,
        run,
      );
      if (known === undefined)
        throw new GatewrightError('forge-not-found', `${repository} has no workflow run ${run}.`);
      return this.#records.all<FailedLog>(
        'SELECT job, step, log FROM forge_failed_logs WHERE run = ? ORDER BY position',
        run,
      );
    });
  }
}
