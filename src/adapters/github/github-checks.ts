/** Checks and statuses of commits on GitHub. */
import { checkCheckName } from '../../domain/forge-texts.ts';
import { checkCommitName } from '../../domain/git-names.ts';
import type { Check, CodeForge } from '../../ports/forge.ts';
import { checkRunPayload, statusPayload, toCheck, toStatusCheck } from './code-payloads.ts';
import { type GithubCalls, placeOf, repositoryRoute } from './github-calls.ts';

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
      const runs = await client.list(
        `GET ${commitRoute}/check-runs`,
        { ...parameters, filter: 'latest' },
        checkRunPayload,
      );
      const statuses = await client.list(`GET ${commitRoute}/statuses`, parameters, statusPayload);
      return [
        ...newestOf(runs, (run) => run.name).map(toCheck),
        ...newestOf(statuses, (status) => status.context).map(toStatusCheck),
      ].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    });
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
