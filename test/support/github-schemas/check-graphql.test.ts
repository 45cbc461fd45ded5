import { afterEach, describe, expect, it } from 'vitest';
import { issueTextQuery } from '../../../src/adapters/github/payloads/issue-payloads.ts';
import { mergeStateQuery } from '../../../src/adapters/github/payloads/rule-payloads.ts';
import { GithubServer } from '../github-server.ts';
import { checkGraphql, type GraphqlExchange } from './check-graphql.ts';
import { takeViolations } from './violations.ts';

const variables = { owner: 'acme', name: 'project', number: 1 };
const issue = {
  title: 'T',
  body: '',
  editor: { __typename: 'Bot', login: 'gate' },
  timelineItems: { nodes: [{ actor: { __typename: 'User', login: 'alice' } }, null] },
};
const exchange: GraphqlExchange = {
  body: { query: issueTextQuery, variables },
  ...{ status: 200, answer: { data: { repository: { issue } } } },
};
const of = (change: object) => ({ answer: { data: { repository: { issue: { ...issue, ...change } } } } });
const ask = (query: string, more: object = {}) => ({ body: { query, variables: more } });

function complaints(change: Partial<GraphqlExchange>): string[] {
  checkGraphql({ ...exchange, ...change });
  return takeViolations();
}

afterEach(() => void takeViolations());

describe('what goes over GraphQL', () => {
  const errors = [{ type: 'NOT_FOUND', path: ['repository', 'issue'], message: 'Could not resolve' }];
  it.each<[string, Partial<GraphqlExchange>]>([
    ['it fits', {}],
    ['there is no editor', of({ editor: null })],
    ['the issue is not there', { answer: { data: { repository: { issue: null } }, errors } }],
    ['nothing was done at all', { answer: { errors: [{ type: 'RATE_LIMITED', message: 'No.' }] } }],
    ['the question was not allowed', { status: 401, answer: { message: 'Bad credentials' } }],
    ['there were too many questions', { status: 429, answer: { message: 'Too many requests' } }],
  ])('is left alone when %s', (_, change) => {
    expect(complaints(change)).toEqual([]);
  });

  const { title: _, ...untitled } = issue;
  const rules = { requiredApprovingReviewCount: 1, requiresCodeOwnerReviews: false };
  const strict = { requiresConversationResolution: false, requiresLinearHistory: false };
  const pullRequest = {
    ...{ reviewDecision: 'APPROVED', isMergeQueueEnabled: true, isInMergeQueue: false },
    timelineItems: { nodes: [{ reason: 'x', createdAt: '2026-11-16T09:00:00Z' }] },
    reviewThreads: { nodes: [] },
    baseRef: { refUpdateRule: { ...rules, ...strict, requiresSignatures: false } },
  };
  const merging = (change: object): Partial<GraphqlExchange> => ({
    body: { query: mergeStateQuery, variables },
    answer: { data: { repository: { pullRequest: { ...pullRequest, ...change } } } },
  });
  const enqueue =
    'mutation($input: EnqueuePullRequestInput!) { enqueuePullRequest(input: $input) { clientMutationId } }';
  it.each<[string, Partial<GraphqlExchange>, RegExp]>([
    ['what cannot be read', ask('query {'), /cannot be read/u],
    ['a field that GitHub does not have', ask('query { viewer { name2 } }'), /Cannot query field "name2"/u],
    [
      'an argument of another type',
      ask('query { repository(owner: 1, name: "n") { id } }'),
      /String cannot/u,
    ],
    ['a variable that is missing', { body: { query: issueTextQuery, variables: {} } }, /\$owner/u],
    [
      'a variable of another type',
      { body: { query: issueTextQuery, variables: { ...variables, number: '1' } } },
      /\$number.*Int cannot represent/u,
    ],
    [
      'a variable that nobody declared',
      { body: { query: issueTextQuery, variables: { ...variables, more: 1 } } },
      /"\$more" is sent and not declared/u,
    ],
    ['an input that lacks what is needed', ask(enqueue, { input: {} }), /pullRequestId/u],
    ['an input that nobody takes', ask(enqueue, { input: { pullRequestId: 'x', head: 'y' } }), /"head"/u],
    [
      'a field that is missing',
      { answer: { data: { repository: { issue: untitled } } } },
      /\/repository\/issue\/title is missing/u,
    ],
    ['a field that was not asked for', of({ number: 1 }), /issue\/number was not asked for/u],
    ['null where there is none', of({ title: null }), /title must not be null/u],
    ['a field of another type', of({ title: 1 }), /title is no String: 1/u],
    [
      'a type that cannot be there',
      of({ editor: { __typename: 'Label', login: 'x' } }),
      /no Actor: "Label"/u,
    ],
    ['no list', of({ timelineItems: { nodes: {} } }), /nodes is no list/u],
    ['a word that is not on the list', merging({ reviewDecision: 'OK' }), /no PullRequestReviewDecision/u],
    [
      'half of what is asked of an event',
      merging({ timelineItems: { nodes: [{ reason: 'x' }] } }),
      /nodes\/0\/(?:reason was not asked for|createdAt is missing)/u,
    ],
    [
      'a time that is none',
      merging({ timelineItems: { nodes: [{ reason: 'x', createdAt: 'today' }] } }),
      /createdAt is no DateTime/u,
    ],
    ['a number for a choice', merging({ isInMergeQueue: 0 }), /isInMergeQueue is no Boolean/u],
    ['all of it null', { answer: { data: null, errors } }, /all data is null/u],
    [
      'an error about what is there',
      { answer: { data: { repository: { issue } }, errors } },
      /which is there/u,
    ],
    ['an error without words', { answer: { errors: [{ type: 'NOT_FOUND' }] } }, /says nothing/u],
    ['neither', { answer: {} }, /neither data nor errors/u],
  ])('is told of when it is %s', (_, change, words) => {
    const found = complaints(change);
    expect(found[0]).toMatch(words);
  });

  it('fits where every word is on its list', () => {
    for (const reviewDecision of ['APPROVED', 'CHANGES_REQUESTED', 'REVIEW_REQUIRED', null])
      expect(complaints(merging({ reviewDecision }))).toEqual([]);
  });
});

it('the test GitHub holds what GraphQL is asked to GitHub’s schema', async () => {
  const server = await GithubServer.start();
  try {
    server.addUser('alice', 'a-token');
    const send = async (query: string) =>
      fetch(`${server.url}/graphql`, {
        ...{ method: 'POST', headers: { authorization: 'token a-token' } },
        body: JSON.stringify({ query, variables: {} }),
      });
    await send('mutation($input: X!) { closeAll(input: $input) { id } }');
    expect(takeViolations()).toEqual([
      'GraphQL closeAll: asked wrongly: Unknown type "X".',
      'GraphQL closeAll: asked wrongly: Cannot query field "closeAll" on type "Mutation".',
      expect.stringContaining('$input'),
    ]);
    await send('query { viewer { login } }');
    expect(takeViolations()).toEqual([]);
  } finally {
    await server.close();
  }
});
