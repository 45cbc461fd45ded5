/** Workflow runs on GitHub and what their failed steps printed. */
import { checkBranchName, checkCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { CodeForge, FailedLog, WorkflowRun, WorkflowRunFilter } from '../../ports/forge/forge.ts';
import { explainNoAnswer } from '../network/explain-connection.ts';
import { hasStatus } from './client/explain-github-error.ts';
import {
  checkNumber,
  type GithubCalls,
  type Place,
  placeOf,
  repositoryRoute,
} from './client/github-calls.ts';
import { jobPayload, toCheckState, toWorkflowRun, workflowRunPayload } from './payloads/code-payloads.ts';
import { readStepLogs, type StepTimes } from './step-logs.ts';

const downloadTimeout = 300_000;

/** Logs come from a storage server. The token is GitHub's alone, so this request carries nothing; and it stays encrypted. */
async function download(
  location: string,
  { apiUrl, fetch }: GithubCalls['client'],
): Promise<ReadableStream<Uint8Array> | null> {
  const url = URL.canParse(location) ? new URL(location) : null;
  // Only a GitHub on this machine, which is one of a test, may send us to an address without TLS.
  if (url === null || (url.protocol !== 'https:' && new URL(apiUrl).protocol === 'https:'))
    throw new GatewrightError('forge-unavailable', 'GitHub keeps the log at an address that is not safe.');
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(downloadTimeout) });
  } catch (error) {
    if (error instanceof GatewrightError) throw error;
    // The address itself opens the log to everybody, so it is not shown.
    throw explainNoAnswer(error, 'forge-unavailable', `The log could not be loaded from ${url.host}`);
  }
  if (response.status === 404 || response.status === 410) return null;
  if (!response.ok)
    throw new GatewrightError('forge-unavailable', `${url.host} answered ${response.status} (log of a job).`);
  return response.body;
}

export class GithubRuns implements Pick<CodeForge, 'listWorkflowRuns' | 'readFailedLogs'> {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async listWorkflowRuns(repository: string, filter: WorkflowRunFilter = {}): Promise<WorkflowRun[]> {
    const place = placeOf(repository);
    const { branch, headSha, conclusion } = filter;
    const since = filter.since === undefined ? null : Date.parse(filter.since);
    const payloads = await this.#calls.explained(`workflow runs of ${repository}`, () =>
      this.#calls.client.list(
        `GET ${repositoryRoute}/actions/runs`,
        {
          ...place,
          ...(branch === undefined ? {} : { branch: checkBranchName(branch) }),
          ...(headSha === undefined ? {} : { head_sha: checkCommitName(headSha) }),
        },
        workflowRunPayload,
        (last) => since !== null && Date.parse(last.created_at) < since,
      ),
    );
    const runs = new Map<number, WorkflowRun>();
    for (const payload of payloads) {
      const run = toWorkflowRun(payload);
      const isWanted =
        (since === null || Date.parse(run.createdAt) >= since) &&
        (conclusion === undefined || (run.conclusion ?? 'pending') === conclusion);
      if (isWanted) runs.set(run.id, run);
    }
    return [...runs.values()].sort((a, b) => b.id - a.id);
  }

  async readFailedLogs(repository: string, run: number): Promise<FailedLog[]> {
    const place = placeOf(repository);
    const parameters = { ...place, run_id: checkNumber(repository, run, 'workflow run') };
    return this.#calls.explained(`logs of run ${run} in ${repository}`, async () => {
      const jobs = await this.#calls.client.list(
        `GET ${repositoryRoute}/actions/runs/{run_id}/jobs`,
        { ...parameters, filter: 'latest' },
        jobPayload,
      );
      const logs: FailedLog[] = [];
      for (const job of jobs) {
        const isFailed = job.status === 'completed' && toCheckState(job.conclusion ?? '') === 'failure';
        if (!isFailed) continue;
        const failed = (job.steps ?? [])
          .filter((step) => step.conclusion != null && toCheckState(step.conclusion) === 'failure')
          .map((step) => ({
            name: step.name,
            startedAt: step.started_at ?? null,
            completedAt: step.completed_at ?? null,
          }));
        // A runner that was lost or took too long fails its job and none of the steps.
        const steps = failed.length > 0 ? failed : [{ name: '', startedAt: null, completedAt: null }];
        const texts = await this.#readJobLog(place, job.id, steps);
        logs.push(
          ...steps.map(({ name }, index) => ({ job: job.name, step: name, log: texts[index] ?? '' })),
        );
      }
      return logs;
    });
  }

  /** Empty texts when the log is not kept any more. */
  async #readJobLog(place: Place, id: number, steps: readonly StepTimes[]): Promise<string[]> {
    const nothing = steps.map(() => '');
    try {
      const route = `GET ${repositoryRoute}/actions/jobs/{job_id}/logs` as const;
      const location = await this.#calls.client.locate(route, { ...place, job_id: id });
      if (location === null) return nothing;
      const body = await download(location, this.#calls.client);
      return body === null ? nothing : await readStepLogs(body, steps);
    } catch (error) {
      if (hasStatus(error, 404, 410)) return nothing;
      throw error;
    }
  }
}
