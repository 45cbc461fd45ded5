/** Small payloads of every kind that agents react to, with what GitHub calls them. Held to what GitHub documents elsewhere. */
const head = 'a'.repeat(40);
const at = '2026-06-01T09:00:00Z';

export interface Delivered {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function webhookPayloads(repository: string, number: number): readonly Delivered[] {
  const common = { repository: { full_name: repository }, sender: { login: 'alice', type: 'User' } };
  const author = { login: 'alice', type: 'User' };
  const issue = { number, title: 'T', body: '@claude please', user: author, created_at: at, updated_at: at };
  const pull = { number, head: { sha: head }, merged: false, updated_at: at };
  const user = author;
  const label = { name: 'auto-merge' };
  const of = (name: string, action: string, more: object): Delivered => ({
    name,
    payload: { ...common, action, ...more },
  });
  return [
    of('issues', 'opened', { issue }),
    of('issues', 'assigned', { issue, assignee: user }),
    of('issues', 'labeled', { issue, label }),
    of('issues', 'unlabeled', { issue, label }),
    of('issue_comment', 'created', { issue, comment: { id: 5, body: '@claude go', user, created_at: at } }),
    of('pull_request', 'opened', { number, pull_request: pull }),
    of('pull_request', 'synchronize', { number, pull_request: pull }),
    of('pull_request', 'reopened', { number, pull_request: pull }),
    of('pull_request', 'closed', { number, pull_request: pull }),
    of('pull_request', 'labeled', { number, pull_request: pull, label }),
    of('pull_request_review', 'submitted', {
      pull_request: pull,
      review: { id: 6, body: '@claude fix', user, submitted_at: at },
    }),
    of('workflow_run', 'completed', {
      workflow: { id: 3, name: 'CI' },
      workflow_run: { id: 7, name: 'CI', head_sha: head, conclusion: 'failure', updated_at: at },
    }),
  ];
}

/** The same with one thing in it replaced, or left out. */
export function changeAt(
  value: unknown,
  [first, ...rest]: readonly string[],
  to: { readonly put: unknown } | null,
): unknown {
  if (first === undefined || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (rest.length > 0)
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, key === first ? changeAt(inner, rest, to) : inner]),
    );
  return Object.fromEntries(
    entries.flatMap(([key, inner]) => (key !== first ? [[key, inner]] : to === null ? [] : [[key, to.put]])),
  );
}
