/** Opening, finding and changing pull requests on GitHub. */
import { checkBody, checkTitle } from '../../domain/forge/forge-texts.ts';
import { checkBranchName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  ChangedFile,
  CodeForge,
  PullRequest,
  PullRequestDetail,
  PullRequestFilter,
} from '../../ports/forge/forge.ts';
import { hasStatus, refusalWords } from './client/explain-github-error.ts';
import {
  checkNumber,
  type GithubCalls,
  type Place,
  placeOf,
  repositoryRoute,
} from './client/github-calls.ts';
import {
  comparisonPayload,
  filePayload,
  type PullDetailPayload,
  pullDetailPayload,
  pullPayload,
  toFile,
  toPull,
  toPullDetail,
} from './payloads/pull-payloads.ts';

export const pullRoute = `${repositoryRoute}/pulls/{pull_number}`;

/** What GitHub says of a branch that it has not seen yet, or not seen move. */
const lateWords =
  /\b(?:head|base) invalid\b|\b(?:head|base)_sha missing_field\b|\b(?:sha|repository) can't be blank|\bno commits between\b|\bref must be a branch\b/iu;

function isLate(error: unknown): boolean {
  return hasStatus(error, 422) && lateWords.test(refusalWords(error));
}

type PullParts = Pick<
  CodeForge,
  'createPullRequest' | 'getPullRequest' | 'listPullRequests' | 'editPullRequest' | 'listFiles'
>;

export function pullOf(repository: string, number: number) {
  return { ...placeOf(repository), pull_number: checkNumber(repository, number, 'pull request') };
}

/** As GitHub has it now. */
export function readPull(
  calls: GithubCalls,
  parameters: ReturnType<typeof pullOf>,
): Promise<PullDetailPayload> {
  return calls.client.get(`GET ${pullRoute}`, parameters, pullDetailPayload);
}

export class GithubPulls implements PullParts {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async createPullRequest(
    repository: string,
    pull: Parameters<CodeForge['createPullRequest']>[1],
  ): Promise<PullRequest> {
    const place = placeOf(repository);
    const parameters = {
      ...place,
      title: checkTitle(pull.title),
      body: checkBody(pull.body),
      head: checkBranchName(pull.head),
      base: checkBranchName(pull.base),
      draft: pull.isDraft ?? false,
    };
    return this.#calls.written(
      `opening a pull request in ${repository}`,
      () => this.#calls.readRepository(place),
      async () => {
        const { client } = this.#calls;
        const route = `POST ${repositoryRoute}/pulls` as const;
        const open = () => client.writeAndRead(route, parameters, pullPayload);
        try {
          const made = toPull(await client.catchUp.retry(open, isLate));
          client.catchUp.noteMade(`${repository}#${made.number}`);
          return made;
        } catch (error) {
          // GitHub says 422 to everything that is wrong here, with words only.
          if (hasStatus(error, 422)) await this.#refuseSecond(repository, pull.head, pull.base, 0);
          if (isLate(error)) await this.#pauseIfPushed(place, pull, error);
          throw error;
        }
      },
    );
  }

  /** Gives up for now when the branch is there with something on it: GitHub only has to notice that. */
  async #pauseIfPushed(
    place: Place,
    { head, base }: { readonly head: string; readonly base: string },
    error: unknown,
  ): Promise<void> {
    const { client } = this.#calls;
    const name = `${place.owner}/${place.repo}`;
    if (!client.catchUp.isNew(`${name}:${head}`) && !(await this.#isAhead(place, head, base))) return;
    throw client.catchUp.explain(`opening a pull request from ${head}`, client.explain(error, name).message);
  }

  async #isAhead(place: Place, head: string, base: string): Promise<boolean> {
    try {
      const basehead = `${base}...${head}`;
      const route = `GET ${repositoryRoute}/compare/{basehead}` as const;
      const compared = await this.#calls.client.get(
        route,
        { ...place, basehead, per_page: 1 },
        comparisonPayload,
      );
      return compared.ahead_by > 0;
    } catch (error) {
      if (hasStatus(error, 404, 422)) return false;
      throw error;
    }
  }

  /** Refuses when another one from that branch to that base is open. */
  async #refuseSecond(repository: string, head: string, base: string, except: number): Promise<void> {
    const open = await this.listPullRequests(repository, { head, base });
    const other = open.find((pull) => pull.number !== except);
    if (other !== undefined)
      throw new GatewrightError(
        'pull-request-exists',
        `${repository}#${other.number} from ${head} to ${base} is open already.`,
      );
  }

  async getPullRequest(repository: string, number: number): Promise<PullRequestDetail> {
    const parameters = pullOf(repository, number);
    return this.#calls.explained(`${repository}#${number}`, async () =>
      toPullDetail(await readPull(this.#calls, parameters)),
    );
  }

  async listPullRequests(repository: string, filter: PullRequestFilter = {}): Promise<PullRequest[]> {
    const place = placeOf(repository);
    const { head, base, author, label, updatedSince } = filter;
    const since = updatedSince === undefined ? null : Date.parse(updatedSince);
    const payloads = await this.#calls.explained(`pull requests of ${repository}`, () =>
      this.#calls.client.list(
        `GET ${repositoryRoute}/pulls`,
        {
          ...place,
          state: filter.state ?? 'open',
          sort: since === null ? 'created' : 'updated',
          direction: 'desc',
          ...(head === undefined ? {} : { head: `${place.owner}:${checkBranchName(head)}` }),
          ...(base === undefined ? {} : { base: checkBranchName(base) }),
        },
        pullPayload,
        (last) => since !== null && Date.parse(last.updated_at) < since,
      ),
    );
    const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
    // What is opened while we turn pages moves others to the next page, where they come a second time.
    const pulls = new Map<number, PullRequest>();
    for (const payload of payloads) {
      const pull = toPull(payload);
      const isWanted =
        (author === undefined || isSame(pull.author, author)) &&
        (label === undefined || pull.labels.some((one) => isSame(one, label))) &&
        // GitHub leaves out the filter instead of the pull requests when it does not know the branch's owner.
        (head === undefined || pull.head.branch === head) &&
        (since === null || Date.parse(pull.updatedAt) >= since);
      if (isWanted) pulls.set(pull.number, pull);
    }
    return [...pulls.values()].sort((a, b) => b.number - a.number);
  }

  async editPullRequest(
    repository: string,
    number: number,
    change: Parameters<CodeForge['editPullRequest']>[2],
  ): Promise<PullRequest> {
    const parameters = pullOf(repository, number);
    // All of it is checked first: the draft is changed by another request.
    const fields = {
      ...(change.title === undefined ? {} : { title: checkTitle(change.title) }),
      ...(change.body === undefined ? {} : { body: checkBody(change.body) }),
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.base === undefined ? {} : { base: checkBranchName(change.base) }),
    };
    const read = () => readPull(this.#calls, parameters);
    return this.#calls.written(`changing ${repository}#${number}`, read, async () => {
      const before = await read();
      const isTurned = change.isDraft !== undefined && change.isDraft !== (before.draft ?? false);
      const turn = async () => {
        if (isTurned) await this.#changeDraft(before.node_id, change.isDraft === true);
      };
      // Only an open one can become a draft or stop being one.
      if (change.state !== 'open') await turn();
      if (Object.keys(fields).length > 0) await this.#patch(parameters, before, fields, number);
      if (change.state === 'open') await turn();
      return toPull(await read());
    });
  }

  async #patch(
    parameters: ReturnType<typeof pullOf>,
    before: PullDetailPayload,
    fields: Readonly<Record<string, unknown>>,
    number: number,
  ): Promise<void> {
    try {
      await this.#calls.client.write(`PATCH ${pullRoute}`, { ...parameters, ...fields });
    } catch (error) {
      const { owner, repo } = parameters;
      if (hasStatus(error, 422) && (fields.state === 'open' || fields.base !== undefined))
        await this.#refuseSecond(
          `${owner}/${repo}`,
          before.head.ref,
          String(fields.base ?? before.base.ref),
          number,
        );
      throw error;
    }
  }

  /** REST cannot do this. */
  async #changeDraft(pullRequestId: string, isDraft: boolean): Promise<void> {
    const [name, input] = isDraft
      ? ['convertPullRequestToDraft', 'ConvertPullRequestToDraftInput']
      : ['markPullRequestReadyForReview', 'MarkPullRequestReadyForReviewInput'];
    await this.#calls.client.mutate(name, input, { pullRequestId }, 'pullRequest { isDraft }');
  }

  async listFiles(repository: string, number: number): Promise<ChangedFile[]> {
    const parameters = pullOf(repository, number);
    const files = await this.#calls.explained(`files of ${repository}#${number}`, () =>
      this.#calls.client.list(`GET ${pullRoute}/files`, parameters, filePayload),
    );
    return files.map(toFile);
  }
}
