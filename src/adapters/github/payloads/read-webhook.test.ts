/** GitHub's deliveries become events of ours; edits and what nobody reacts to do not. */
import type { components } from '@octokit/openapi-webhooks-types';
import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../../../test/support/thrown-code.ts';
import { changeAt, webhookPayloads } from '../../../../test/support/webhook-payloads.ts';
import { eventSchema } from '../../../domain/fleet/event.ts';
import { seeText } from '../../../domain/forge/seen-text.ts';
import { readWebhook } from './read-webhook.ts';

/** The fields that are read, held to what GitHub documents. */
type Some<T> = T extends readonly (infer E)[]
  ? readonly Some<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Some<T[K]> }
    : T;
type Payload<K extends keyof components['schemas']> = Some<components['schemas'][K]>;

const head = 'a'.repeat(40);
const at = '2026-06-01T09:00:00Z';
const common = {
  repository: { full_name: 'o/r' },
  sender: { login: 'alice', type: 'User' as const },
};
const issue = {
  ...{ number: 7, title: 'Export', body: '@gatewright please', created_at: at, updated_at: at },
  user: { login: 'alice', type: 'User' as const },
};
const pull = { number: 8, head: { sha: head }, updated_at: at };

const issueOpened: Payload<'webhook-issues-opened'> = { ...common, action: 'opened', issue };
const issueAssigned: Payload<'webhook-issues-assigned'> = {
  ...common,
  action: 'assigned',
  issue,
  assignee: { login: 'gatewright[bot]' },
};
const issueLabeled: Payload<'webhook-issues-labeled'> = {
  ...common,
  action: 'labeled',
  issue,
  label: { name: 'planning' },
};
const commented: Payload<'webhook-issue-comment-created'> = {
  ...common,
  sender: { login: 'bob', type: 'User' },
  action: 'created',
  issue: { ...issue, pull_request: { url: 'x' } },
  comment: { id: 11, body: 'approve', user: { login: 'bob', type: 'User' }, created_at: at },
};
const reviewed: Payload<'webhook-pull-request-review-submitted'> = {
  ...common,
  sender: { login: 'helper[bot]', type: 'Bot' },
  action: 'submitted',
  pull_request: pull,
  review: { id: 12, body: null, user: { login: 'helper[bot]', type: 'Bot' }, submitted_at: at },
};
const synchronized: Payload<'webhook-pull-request-synchronize'> = {
  ...common,
  ...{ action: 'synchronize', number: 8 },
  pull_request: pull,
};
const closed: Payload<'webhook-pull-request-closed'> = {
  ...common,
  ...{ action: 'closed', number: 8 },
  pull_request: { ...pull, merged: true },
};
const dequeued: Payload<'webhook-pull-request-dequeued'> = {
  ...common,
  ...{ action: 'dequeued', number: 8, reason: 'CI_FAILURE', pull_request: pull },
};
const completed: Payload<'webhook-workflow-run-completed'> = {
  ...common,
  action: 'completed',
  workflow: { id: 3, name: 'CI' },
  workflow_run: { id: 13, name: 'CI', head_sha: head, conclusion: 'timed_out', updated_at: at },
};

const ready: Payload<'webhook-pull-request-ready-for-review'> = {
  ...common,
  ...{ action: 'ready_for_review', number: 8 },
  pull_request: pull,
};
const retargeted: Payload<'webhook-pull-request-edited'> = {
  ...common,
  ...{ action: 'edited', number: 8 },
  pull_request: { ...pull, base: { ref: 'next' } },
  changes: { base: { ref: { from: 'main' }, sha: { from: head } } },
};
const dismissed: Payload<'webhook-pull-request-review-dismissed'> = {
  ...common,
  action: 'dismissed',
  pull_request: pull,
  review: { id: 12, body: 'No', user: { login: 'bob', type: 'User' }, submitted_at: at },
};
const checkRun: Payload<'webhook-check-run-completed'> = {
  ...common,
  action: 'completed',
  check_run: { name: 'lint', head_sha: head, conclusion: 'neutral', completed_at: at },
};
const checkSuite: Payload<'webhook-check-suite-completed'> = {
  ...common,
  action: 'completed',
  check_suite: { head_sha: head, conclusion: 'success', app: { name: 'Builder' }, updated_at: at },
};
const status: Payload<'webhook-status'> = {
  ...common,
  ...{
    id: 4,
    name: 'o/r',
    target_url: null,
    description: null,
    branches: [],
    commit: { sha: head },
    created_at: at,
  },
  sha: head,
  context: 'ci/build',
  state: 'success',
  updated_at: at,
};

describe('readWebhook', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    [
      'issues',
      issueOpened,
      { kind: 'issue-opened', number: 7, text: 'Export\n\n@gatewright please', actor: 'alice' },
    ],
    ['issues', issueAssigned, { kind: 'issue-assigned', assignee: 'gatewright[bot]' }],
    ['issues', issueLabeled, { kind: 'labeled', label: 'planning', isPullRequest: false }],
    [
      'issue_comment',
      commented,
      { kind: 'comment-created', comment: 11, isPullRequest: true, actor: 'bob', text: 'approve' },
    ],
    [
      'pull_request_review',
      reviewed,
      { kind: 'review-submitted', head, review: 12, actorKind: 'bot', text: '' },
    ],
    ['pull_request', synchronized, { kind: 'pull-request-synchronized', number: 8, head }],
    [
      'pull_request',
      { ...synchronized, action: 'labeled', label: { name: 'hold' } },
      { kind: 'labeled', isPullRequest: true },
    ],
    ['pull_request', closed, { kind: 'pull-request-closed', isMerged: true }],
    ['pull_request', dequeued, { kind: 'pull-request-dequeued', number: 8, head, reason: 'CI_FAILURE' }],
    [
      'pull_request',
      { ...dequeued, reason: undefined },
      { kind: 'pull-request-dequeued', number: 8, head, reason: '' },
    ],
    ['pull_request', ready, { kind: 'pull-request-ready', number: 8, head, actor: 'alice' }],
    ['pull_request', retargeted, { kind: 'pull-request-retargeted', number: 8, head, base: 'next' }],
    ['pull_request_review', dismissed, { kind: 'review-dismissed', review: 12, head, actor: 'alice' }],
    ['check_run', checkRun, { kind: 'check-completed', name: 'lint', head, conclusion: 'other' }],
    ['check_suite', checkSuite, { kind: 'check-completed', name: 'Builder', head, conclusion: 'success' }],
    ['status', status, { kind: 'check-completed', name: 'ci/build', head, conclusion: 'success' }],
    ['status', { ...status, state: 'error' }, { kind: 'check-completed', conclusion: 'failure' }],
    ['status', { ...status, context: 'x'.repeat(9000) }, { name: 'x'.repeat(1000) }],
    ['workflow_run', completed, { kind: 'workflow-completed', run: 13, conclusion: 'other' }],
  ])('%s becomes an event', (name, payload, wanted) => {
    const event = readWebhook(name, 'd-1', payload);
    expect(event).toMatchObject({
      ...wanted,
      delivery: 'd-1',
      repository: 'o/r',
      at: '2026-06-01T09:00:00.000Z',
    });
    expect(eventSchema.parse(event)).toEqual(event);
  });

  it.each<[string, unknown]>([
    ['issues', issueOpened],
    ['issues', issueAssigned],
    ['issues', issueLabeled],
    ['issue_comment', { ...commented, issue }],
  ])('%s keeps what was seen of the issue', (name, payload) =>
    expect(readWebhook(name, 'd-1', payload)).toMatchObject({ seen: seeText(issue) }),
  );

  it.each<[string, unknown, string]>([
    ['issue_comment', { ...commented, action: 'edited' }, 'issue_comment.edited'],
    ['issue_comment', { ...commented, action: 'deleted' }, 'issue_comment.deleted'],
    ['issue_comment', { ...commented, ...common }, 'issue_comment.created of another'],
    ['pull_request_review', { ...reviewed, ...common }, 'pull_request_review.submitted of another'],
    ['issues', { ...issueOpened, action: 'edited' }, 'issues.edited'],
    // Moved here from another repository, or in another's name: whoever sent it did not write it.
    ['issues', { ...issueOpened, changes: { old_issue: issue } }, 'issues.opened of another'],
    [
      'issues',
      { ...issueOpened, issue: { ...issue, user: { login: 'mallory' } } },
      'issues.opened of another',
    ],
    ['issues', { ...issueOpened, issue: { ...issue, user: null } }, 'issues.opened of another'],
    ['pull_request_review', { ...reviewed, action: 'edited' }, 'pull_request_review.edited'],
    ['pull_request', { ...synchronized, action: 'constructor' }, 'pull_request.constructor'],
    ['workflow_run', { ...completed, action: 'requested' }, 'workflow_run.requested'],
    ['pull_request', { ...retargeted, changes: { title: { from: 'x' } } }, 'pull_request.edited'],
    ['pull_request', { ...ready, action: 'converted_to_draft' }, 'pull_request.converted_to_draft'],
    ['check_run', { ...checkRun, action: 'created' }, 'check_run.created'],
    ['check_suite', { ...checkSuite, action: 'requested' }, 'check_suite.requested'],
    ['status', { ...status, state: 'pending' }, 'status.pending'],
    ['star', {}, 'star'],
    ['toString', {}, 'toString'],
  ])('%s that nobody reacts to is named', (name, payload, ignored) =>
    expect(readWebhook(name, 'd-1', payload)).toEqual({ ignored }),
  );

  it.each<[string, string, unknown]>([
    ['no object', 'issues', 'x'],
    ['nothing', 'issues', null],
    ['no repository', 'issues', { ...issueOpened, repository: undefined }],
    [
      'a head that is no commit',
      'pull_request',
      { ...synchronized, pull_request: { ...pull, head: { sha: 'main' } } },
    ],
    ['a status of no commit', 'status', { ...status, sha: 'main' }],
    // Written down, it could never be read again, and nothing after it would be settled.
    ['a number that no issue has', 'issues', { ...issueOpened, issue: { ...issue, number: 0 } }],
    ['a number that is a text', 'issue_comment', { ...commented, issue: { ...issue, number: '7; rm -rf' } }],
  ])('refuses %s', (_, name, payload) =>
    expect(thrownCode(() => readWebhook(name, 'd-1', payload))).toBe('event-invalid'),
  );

  it.each<[string, string, string, unknown]>([
    ['an issue numbered 0', 'issues.opened', 'issue.number', 0],
    ['a comment numbered -1', 'issue_comment.created', 'comment.id', -1],
    ['no sender', 'issues.opened', 'sender', undefined],
    ['no sender of a comment', 'issue_comment.created', 'sender', undefined],
    ['a sender without a name', 'pull_request.opened', 'sender.login', ''],
    ['a time that no calendar has', 'issues.opened', 'issue.created_at', '+275760-09-13T00:00:00.000Z'],
  ])('with %s is refused', (_, which, path, value) => {
    const found = webhookPayloads('o/r', 7).find(
      ({ name, payload }) => `${name}.${String(payload.action)}` === which,
    );
    const payload = changeAt(found?.payload, path.split('.'), value === undefined ? null : { put: value });
    expect(thrownCode(() => readWebhook(found?.name ?? '', 'd-1', payload))).toBe('event-invalid');
  });

  it('reads every trigger of the fleet, also a pull request that was opened again', () => {
    const kinds = webhookPayloads('o/r', 7).map(({ name, payload }) => {
      const event = readWebhook(name, 'd-1', payload);
      return 'kind' in event ? event.kind : event.ignored;
    });
    expect(kinds).toEqual([
      ...['issue-opened', 'issue-assigned', 'labeled', 'unlabeled', 'comment-created'],
      ...['pull-request-opened', 'pull-request-synchronized', 'pull-request-reopened', 'pull-request-closed'],
      ...['labeled', 'review-submitted', 'workflow-completed'],
    ]);
  });
});
