/** How the small GitHub shows issues, labels and comments: all the fields that GitHub promises. */
import type { Documented } from './github-documented.ts';
import { apiUrl, nodeId, numberOf, showUser, webUrl } from './github-repository-shape.ts';
import type { StoredComment, StoredIssue, StoredLabel, StoredRepository } from './github-state.ts';

export function associationOf(repository: StoredRepository, login: string): string {
  const role = repository.roles.get(login) ?? 'none';
  if (role === 'admin') return 'OWNER';
  if (role !== 'none') return 'COLLABORATOR';
  return repository.contributors.has(login) ? 'CONTRIBUTOR' : 'NONE';
}

export function readNodeId(id: string): {
  readonly kind: string;
  readonly repository: string;
  readonly number: number;
} {
  const [kind = '', rest = ''] = id.split('_');
  const [repository = '', number] = Buffer.from(rest, 'base64url').toString('utf8').split('#');
  return { kind, repository, number: Number(number) };
}

export function showLabel(repository: StoredRepository, { name, color, description }: StoredLabel) {
  return {
    id: numberOf(name.toLowerCase()),
    node_id: `LA_${numberOf(name.toLowerCase())}`,
    url: `${apiUrl(repository)}/labels/${encodeURIComponent(name)}`,
    name,
    color,
    default: false,
    description,
  } satisfies Documented['label'];
}

export function showNamedLabel(repository: StoredRepository, name: string) {
  const unknown = { name, color: 'ededed', description: null };
  return showLabel(repository, repository.labels.get(name.toLowerCase()) ?? unknown);
}

export function showLabels(repository: StoredRepository, issue: StoredIssue) {
  return issue.labels.map((name) => showNamedLabel(repository, name));
}

const reactionNames = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'] as const;

/** How many reacted, beside what they reacted to. */
function showReactions(repository: StoredRepository, target: string, url: string) {
  const given = repository.reactions.get(target) ?? [];
  const counts = reactionNames.map((name) => [name, given.filter((one) => one.content === name).length]);
  return {
    url: `${url}/reactions`,
    total_count: given.length,
    ...(Object.fromEntries(counts) as Record<(typeof reactionNames)[number], number>),
  };
}

export function showIssue(repository: StoredRepository, issue: StoredIssue) {
  const url = `${apiUrl(repository)}/issues/${issue.number}`;
  const page = `${webUrl(repository)}/${issue.pull === null ? 'issues' : 'pull'}/${issue.number}`;
  return {
    id: repository.id * 1000 + issue.number,
    node_id: nodeId('I', repository, issue.number),
    url,
    repository_url: apiUrl(repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: page,
    number: issue.number,
    title: issue.title,
    body: issue.body === '' ? null : issue.body,
    state: issue.state,
    state_reason: null,
    user: showUser(issue.author),
    author_association: associationOf(repository, issue.author),
    labels: showLabels(repository, issue),
    assignee: issue.assignees[0] === undefined ? null : showUser(issue.assignees[0]),
    assignees: issue.assignees.map(showUser),
    milestone: null,
    locked: false,
    active_lock_reason: null,
    comments: issue.comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    reactions: showReactions(repository, `issue ${issue.number}`, url),
    ...(issue.pull === null
      ? {}
      : {
          draft: issue.pull.isDraft,
          pull_request: {
            url: `${apiUrl(repository)}/pulls/${issue.number}`,
            ...{ html_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` },
            merged_at: issue.pull.mergedAt,
          },
        }),
  } satisfies Documented['issue'];
}

export function showComment(repository: StoredRepository, issue: StoredIssue, comment: StoredComment) {
  const kind = issue.pull === null ? 'issues' : 'pull';
  const url = `${apiUrl(repository)}/issues/comments/${comment.id}`;
  return {
    id: comment.id,
    node_id: `IC_${comment.id}`,
    url,
    body: comment.body,
    user: showUser(comment.author),
    author_association: associationOf(repository, comment.author),
    created_at: comment.at,
    updated_at: comment.updatedAt,
    html_url: `${webUrl(repository)}/${kind}/${issue.number}#issuecomment-${comment.id}`,
    issue_url: `${apiUrl(repository)}/issues/${issue.number}`,
    performed_via_github_app: null,
    reactions: showReactions(repository, `comment ${comment.id}`, url),
  } satisfies Documented['comment'];
}
