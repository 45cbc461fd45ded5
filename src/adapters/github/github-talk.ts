/** Comments and reactions on GitHub. */

import { checkComment } from '../../domain/forge/forge-texts.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import type {
  CommitComment,
  Forge,
  ForgeComment,
  ForgeReaction,
  ReactionContent,
  ReactionTarget,
} from '../../ports/forge/forge.ts';
import { checkNumber, type GithubCalls, placeOf, repositoryRoute } from './client/github-calls.ts';
import { commitCommentPayload, toCommitComment } from './payloads/code-payloads.ts';
import {
  commentPayload,
  issuePayload,
  reactionPayload,
  toComment,
  toReaction,
} from './payloads/issue-payloads.ts';

const issueRoute = `${repositoryRoute}/issues/{issue_number}`;
const commentRoute = `${repositoryRoute}/issues/comments/{comment_id}`;
const commitCommentsRoute = `${repositoryRoute}/commits/{sha}/comments`;

type TalkParts = Pick<
  Forge,
  | 'createComment'
  | 'updateComment'
  | 'listComments'
  | 'addReaction'
  | 'listReactions'
  | 'createCommitComment'
  | 'listCommitComments'
>;

/** The route to what is reacted to, and what fills it in. */
function targetOf(repository: string, target: ReactionTarget) {
  const place = placeOf(repository);
  switch (target.kind) {
    case 'issue':
      return {
        route: issueRoute,
        parameters: { ...place, issue_number: checkNumber(repository, target.number) },
      };
    case 'comment':
      return {
        route: commentRoute,
        parameters: { ...place, comment_id: checkNumber(repository, target.id, 'comment') },
      };
    case 'review-comment':
      return {
        route: `${repositoryRoute}/pulls/comments/{comment_id}`,
        parameters: { ...place, comment_id: checkNumber(repository, target.id, 'review comment') },
      };
  }
}

export class GithubTalk implements TalkParts {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async createComment(repository: string, number: number, body: string): Promise<ForgeComment> {
    const parameters = { ...placeOf(repository), issue_number: checkNumber(repository, number) };
    checkComment(body);
    const { client } = this.#calls;
    return this.#calls.written(
      `commenting on ${repository}#${number}`,
      () => client.get(`GET ${issueRoute}`, parameters, issuePayload),
      async () =>
        toComment(
          await client.writeAndRead(`POST ${issueRoute}/comments`, { ...parameters, body }, commentPayload),
        ),
    );
  }

  async updateComment(repository: string, id: number, body: string): Promise<ForgeComment> {
    const parameters = { ...placeOf(repository), comment_id: checkNumber(repository, id, 'comment') };
    checkComment(body);
    const { client } = this.#calls;
    return this.#calls.written(
      `changing comment ${id} in ${repository}`,
      () => client.get(`GET ${commentRoute}`, parameters, commentPayload),
      async () =>
        toComment(
          await client.writeAndRead(`PATCH ${commentRoute}`, { ...parameters, body }, commentPayload),
        ),
    );
  }

  async listComments(repository: string, number: number): Promise<ForgeComment[]> {
    const parameters = { ...placeOf(repository), issue_number: checkNumber(repository, number) };
    const comments = await this.#calls.explained(`comments of ${repository}#${number}`, () =>
      this.#calls.client.list(`GET ${issueRoute}/comments`, parameters, commentPayload),
    );
    return comments.map(toComment);
  }

  /** GitHub itself answers a second time with the first one. */
  async addReaction(repository: string, target: ReactionTarget, content: ReactionContent): Promise<void> {
    const { route, parameters } = targetOf(repository, target);
    await this.#calls.explained(`reacting in ${repository}`, () =>
      this.#calls.client.write(`POST ${route}/reactions`, { ...parameters, content }),
    );
  }

  async listReactions(repository: string, target: ReactionTarget): Promise<ForgeReaction[]> {
    const { route, parameters } = targetOf(repository, target);
    const reactions = await this.#calls.explained(`reactions in ${repository}`, () =>
      this.#calls.client.list(`GET ${route}/reactions`, parameters, reactionPayload),
    );
    return reactions.map(toReaction).filter((reaction) => reaction !== null);
  }

  async createCommitComment(repository: string, sha: string, body: string): Promise<CommitComment> {
    const place = placeOf(repository);
    const parameters = { ...place, sha: checkCommitName(sha), body: checkComment(body) };
    return this.#calls.onCommit(`commenting on a commit of ${repository}`, place, sha, async () =>
      toCommitComment(
        await this.#calls.client.writeAndRead(
          `POST ${commitCommentsRoute}`,
          parameters,
          commitCommentPayload,
        ),
      ),
    );
  }

  async listCommitComments(repository: string, sha: string): Promise<CommitComment[]> {
    const place = placeOf(repository);
    const parameters = { ...place, sha: checkCommitName(sha) };
    const comments = await this.#calls.onCommit(`comments of a commit of ${repository}`, place, sha, () =>
      this.#calls.client.list(`GET ${commitCommentsRoute}`, parameters, commitCommentPayload),
    );
    return comments.map(toCommitComment);
  }
}
