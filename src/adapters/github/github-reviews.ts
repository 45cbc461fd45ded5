/** Reviews of pull requests on GitHub. */
import { checkBody, checkComment } from '../../domain/forge/forge-texts.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  CodeForge,
  ForgeReview,
  NewReview,
  ReviewComment,
  ReviewDecision,
} from '../../ports/forge/forge.ts';
import { hasStatus, refusalWords } from './client/explain-github-error.ts';
import type { GithubCalls } from './client/github-calls.ts';
import { pullOf, pullRoute, readPull } from './github-pulls.ts';
import { reviewCommentPayload, reviewPayload, toReview, toReviewComment } from './payloads/pull-payloads.ts';

const events: Readonly<Record<ReviewDecision, string>> = {
  comment: 'COMMENT',
  approve: 'APPROVE',
  'request-changes': 'REQUEST_CHANGES',
};

/** What GitHub says of a remark on a line or a file that its diff does not show. It keeps nothing of the review then. */
const outsideWords =
  /must be part of the diff|\b(?:line|path|position|diff hunk|commit)\b[^;]*(?:could not be resolved|is invalid|can't be blank|must be part of)/iu;

type ReviewParts = Pick<CodeForge, 'createReview' | 'listReviews' | 'listReviewComments'>;

export class GithubReviews implements ReviewParts {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  /** GitHub takes a review of any commit of the pull request; ours counts for its head only, so that is looked at first. */
  async createReview(repository: string, number: number, review: NewReview): Promise<ForgeReview> {
    const parameters = pullOf(repository, number);
    checkCommitName(review.commit);
    const isApproval = review.decision === 'approve';
    const body =
      isApproval || review.comments.length > 0 ? checkBody(review.body) : checkComment(review.body);
    const comments = review.comments.map(({ path, line, body: words }) => ({
      path,
      line,
      side: 'RIGHT',
      body: checkComment(words),
    }));
    const read = () => readPull(this.#calls, parameters);
    return this.#calls.written(`reviewing ${repository}#${number}`, read, async () => {
      const { head } = await read();
      if (head.sha !== review.commit)
        throw new GatewrightError(
          'head-moved',
          `${repository}#${number} is at ${head.sha}; ${review.commit} was reviewed.`,
        );
      const sent = {
        ...{ ...parameters, commit_id: review.commit, event: events[review.decision] },
        ...{ body, comments },
      };
      const made = toReview(await this.#post(sent, comments.length > 0));
      if (made !== null) return made;
      throw new GatewrightError(
        'forge-unavailable',
        `GitHub kept the review of ${repository}#${number} back.`,
      );
    });
  }

  async #post(sent: Readonly<Record<string, unknown>>, hasComments: boolean) {
    try {
      return await this.#calls.client.writeAndRead(`POST ${pullRoute}/reviews`, sent, reviewPayload);
    } catch (error) {
      const isOutside = hasComments && hasStatus(error, 422) && outsideWords.test(refusalWords(error));
      if (!isOutside) throw error;
      const { message } = this.#calls.client.explain(error, 'remarks of a review');
      throw new GatewrightError('remark-outside-diff', message);
    }
  }

  async listReviews(repository: string, number: number): Promise<ForgeReview[]> {
    const parameters = pullOf(repository, number);
    const reviews = await this.#calls.explained(`reviews of ${repository}#${number}`, () =>
      this.#calls.client.list(`GET ${pullRoute}/reviews`, parameters, reviewPayload),
    );
    return reviews.map(toReview).filter((review) => review !== null);
  }

  async listReviewComments(repository: string, number: number): Promise<ReviewComment[]> {
    const parameters = pullOf(repository, number);
    const comments = await this.#calls.explained(`review comments of ${repository}#${number}`, () =>
      this.#calls.client.list(
        `GET ${pullRoute}/comments`,
        { ...parameters, sort: 'created', direction: 'asc' },
        reviewCommentPayload,
      ),
    );
    return comments.map(toReviewComment);
  }
}
