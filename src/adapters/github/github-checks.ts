/** Checks and statuses of commits on GitHub. */
import type { z } from 'zod';
import { checkCheckName } from '../../domain/forge/forge-texts.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import type { Check, CodeForge } from '../../ports/forge/forge.ts';
import { hasStatus, refusalWords } from './client/explain-github-error.ts';
import { type GithubCalls, type Place, placeOf, repositoryRoute } from './client/github-calls.ts';
import {
  checkRunPayload,
  jobPayload,
  statusPayload,
  toCheck,
  toCheckState,
  toStatusCheck,
  workflowRunPayload,
} from './payloads/code-payloads.ts';

const commitRoute = `${repositoryRoute}/commits/{sha}`;

/** The newest of each name; ids grow. */
function newestOf<T extends { readonly id: number }>(
  entries: readonly T[],
  nameOf: (entry: T) => string,
): T[] {
  const newest = new Map<string, T>();
  for (const entry of entries) {
    const known = newest.get(nameOf(entry));
    if (known === undefined || known.id < entry.id) newest.set(nameOf(entry), entry);
  }
  return [...newest.values()];
}

/** Null when our credential has no right to read it. A resource that does not exist is still an error. */
async function orUnreadable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const isRefused = hasStatus(error, 403) && /^resource not accessible by\b/iu.test(refusalWords(error));
    if (!isRefused) throw error;
    return null;
  }
}

function unreadable(name: string, kind: Check['kind']): Check {
  return {
    name,
    kind,
    state: 'unreadable',
    description: 'The credential has no permission to read them.',
    url: '',
  };
}

export class GithubChecks implements Pick<CodeForge, 'listChecks' | 'setStatus'> {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async listChecks(repository: string, sha: string): Promise<Check[]> {
    const place = placeOf(repository);
    const parameters = { ...place, sha: checkCommitName(sha) };
    const { client } = this.#calls;
    return this.#calls.onCommit(`checks in ${repository}`, place, sha, async () => {
      const runs = await orUnreadable(() =>
        client.list(`GET ${commitRoute}/check-runs`, { ...parameters, filter: 'latest' }, checkRunPayload),
      );
      const statuses = await orUnreadable(() =>
        client.list(`GET ${commitRoute}/statuses`, parameters, statusPayload),
      );
      return [
        ...(runs === null
          ? [unreadable('check runs', 'check'), ...(await this.#listJobs(place, sha))]
          : newestOf(runs, (run) => run.name).map(toCheck)),
        ...(statuses === null
          ? [unreadable('commit statuses', 'status')]
          : newestOf(statuses, (status) => status.context).map(toStatusCheck)),
      ].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    });
  }

  /** Jobs of GitHub Actions are check runs that can be read in another way, with another permission. */
  async #listJobs(place: Place, sha: string): Promise<Check[]> {
    const { client } = this.#calls;
    const route = `GET ${repositoryRoute}/actions/runs` as const;
    const runs = await orUnreadable(() =>
      client.list(route, { ...place, head_sha: checkCommitName(sha) }, workflowRunPayload),
    );
    const jobs: (z.infer<typeof jobPayload> & { readonly url: string })[] = [];
    for (const { id, html_url: url } of runs ?? []) {
      const found = await client.list(
        `GET ${repositoryRoute}/actions/runs/{run_id}/jobs`,
        { ...place, run_id: id, filter: 'latest' },
        jobPayload,
      );
      jobs.push(...found.map((job) => ({ ...job, url })));
    }
    return newestOf(jobs, (job) => job.name).map(({ name, status, conclusion, url }) => ({
      ...{ name, kind: 'check' as const, description: '', url },
      state: status === 'completed' ? toCheckState(conclusion ?? '') : 'pending',
    }));
  }

  async setStatus(
    repository: string,
    sha: string,
    status: Parameters<CodeForge['setStatus']>[2],
  ): Promise<void> {
    const place = placeOf(repository);
    const parameters = {
      ...place,
      sha: checkCommitName(sha),
      context: checkCheckName(status.name),
      state: status.state,
      description: status.description,
      ...(status.url === undefined ? {} : { target_url: status.url }),
    };
    await this.#calls.onCommit(`setting a status in ${repository}`, place, sha, () =>
      this.#calls.client.write(`POST ${repositoryRoute}/statuses/{sha}`, parameters),
    );
  }
}
