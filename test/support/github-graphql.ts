/** The few GraphQL mutations and the one query of the small GitHub. Refusals are answered with 200, as GraphQL does. */
import { isAtLeast } from '../../src/domain/forge/permission.ts';
import { type Answer, ok, textOf } from './github-answer.ts';
import { branchTip } from './github-git.ts';
import { findPull } from './github-pull-routes.ts';
import { enqueue, showMergeState } from './github-rules.ts';
import { readNodeId } from './github-shapes.ts';
import type { GithubState, StoredPullRequest, StoredRepository } from './github-state.ts';

/** @param path to what is null for that reason; what leads there is there */
function refuse(type: string, message: string, ...path: readonly string[]): Answer {
  const data = path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), null);
  return ok({ data, errors: [{ type, path, locations: [{ line: 1, column: 1 }], message }] });
}

interface GraphqlCall {
  readonly state: GithubState;
  readonly login: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly roleIn: (repository: StoredRepository) => Parameters<typeof isAtLeast>[0];
}

interface Input {
  readonly pullRequestId?: string;
  readonly repositoryId?: string;
  readonly expectedHeadOid?: string;
  readonly refUpdates?: readonly { name: string; beforeOid: string; afterOid: string }[];
}

/** As GraphQL calls people: a program by its name alone. */
function showActor(login: string | null | undefined) {
  if (login == null) return null;
  const isBot = login.endsWith('[bot]');
  return { __typename: isBot ? 'Bot' : 'User', login: isBot ? login.slice(0, -5) : login };
}

/** An issue's words and who changed them last; GitHub answers with the fields that were asked for, and only those. */
function answerIssueText(state: GithubState, variables: Readonly<Record<string, unknown>>): Answer {
  const { owner, name, number } = variables;
  const asked = `${textOf(owner)}/${textOf(name)}`;
  const repository = state.repositories.get(state.renamed.get(asked) ?? asked);
  const issue = repository?.issues.find(
    (one) => one.number === number && one.pull === null && one.gone === null,
  );
  if (issue === undefined) return refuse('NOT_FOUND', 'Could not resolve to an Issue', 'repository', 'issue');
  const renamed = issue.events.filter(({ event }) => event === 'renamed').slice(-1);
  const nodes = renamed.map(({ actor }) => ({ actor: showActor(actor) }));
  const { title, body, editor } = issue;
  const shown = { title, body, editor: showActor(editor), timelineItems: { nodes } };
  return ok({ data: { repository: { issue: shown } } });
}

/** What the rules of its base make of a pull request. */
function answerMergeState(state: GithubState, variables: Readonly<Record<string, unknown>>): Answer {
  const { owner, name, number } = variables;
  const repository = state.repositories.get(`${textOf(owner)}/${textOf(name)}`);
  const issue = repository?.issues.find((one) => one.number === number && one.pull !== null);
  if (repository === undefined || issue === undefined)
    return refuse('NOT_FOUND', 'Could not resolve to a PullRequest', 'repository', 'pullRequest');
  const pullRequest = showMergeState(repository, issue as StoredPullRequest);
  return ok({ data: { repository: { pullRequest } } });
}

function answerQuery({ state, login, body }: GraphqlCall): Answer | null {
  const query = textOf(body.query);
  const variables = (body.variables ?? {}) as Record<string, unknown>;
  const asksFor = (what: string) =>
    new RegExp(`^query\\b[^{]*\\{\\s*repository\\(.*\\) \\{\\s*${what}\\(number: \\$number\\)`, 'u').test(
      query,
    );
  if (asksFor('pullRequest')) return answerMergeState(state, variables);
  if (asksFor('issue')) return answerIssueText(state, variables);
  return /^query \{ viewer \{ login \} \}$/u.test(query) ? ok({ data: { viewer: { login } } }) : null;
}

function answerEnqueue(
  { login }: GraphqlCall,
  repository: StoredRepository,
  number: number,
  input: Input,
  canWrite: boolean,
): Answer {
  if (!canWrite)
    return refuse('FORBIDDEN', `${login} does not have the correct permissions`, 'enqueuePullRequest');
  const refusal = enqueue(repository, findPull(repository, number), login, input.expectedHeadOid ?? '');
  if (refusal !== null) return refuse('UNPROCESSABLE', refusal, 'enqueuePullRequest');
  const position = repository.rules.queue.length;
  return ok({ data: { enqueuePullRequest: { mergeQueueEntry: { position } } } });
}

export function answerGraphql(call: GraphqlCall): Answer {
  const answer = answerQuery(call);
  if (answer !== null) return answer;
  const { state, login, body, roleIn } = call;
  const name = /^mutation\(\$input: \w+!\) \{ (\w+)\(input: \$input\)/u.exec(textOf(body.query))?.[1] ?? '';
  const { input = {} } = (body.variables ?? {}) as { input?: Input };
  const id = readNodeId(input.pullRequestId ?? input.repositoryId ?? '');
  const repository = state.repositories.get(id.repository);
  if (repository === undefined) return refuse('NOT_FOUND', 'Could not resolve to a node', name);
  const canWrite = isAtLeast(roleIn(repository), 'write');
  if (name === 'updateRefs') {
    if (!canWrite) return refuse('FORBIDDEN', `${login} does not have the correct permissions`, name);
    for (const { name: ref, beforeOid, afterOid } of input.refUpdates ?? []) {
      const branch = ref.replace(/^refs\/heads\//u, '');
      if (branchTip(repository.git, branch) !== beforeOid)
        return refuse('UNPROCESSABLE', 'Reference cannot be updated', name);
      if (/^0+$/u.test(afterOid)) repository.git.run('update-ref', '-d', ref, beforeOid);
      else repository.git.run('update-ref', ref, afterOid, beforeOid);
    }
    return ok({ data: { updateRefs: { clientMutationId: null } } });
  }
  if (name === 'enqueuePullRequest') return answerEnqueue(call, repository, id.number, input, canWrite);
  if (name !== 'convertPullRequestToDraft' && name !== 'markPullRequestReadyForReview')
    return ok({ errors: [{ message: `Field '${name}' doesn't exist on type 'Mutation'` }] });
  const issue = findPull(repository, id.number);
  if (!canWrite && issue.author !== login) return refuse('FORBIDDEN', 'You may not do this.', name);
  if (issue.state === 'closed') return refuse('UNPROCESSABLE', 'Pull request is closed', name);
  issue.pull.isDraft = name === 'convertPullRequestToDraft';
  issue.updatedAt = state.now();
  return ok({ data: { [name]: { pullRequest: { isDraft: issue.pull.isDraft } } } });
}
