/** How the small GitHub shows things: the fields of GitHub's own answers that anybody could read. */

import { isAtLeast, type Permission } from '../../src/domain/permission.ts';
import type { Documented } from './github-documented.ts';
import type { StoredComment, StoredIssue, StoredRepository } from './github-state.ts';

export const webUrl = (repository: StoredRepository): string => `https://github.com/${repository.name}`;
export const apiUrl = (repository: StoredRepository): string =>
  `https://api.github.com/repos/${repository.name}`;

export function showUser(login: string) {
  const isBot = login.endsWith('[bot]');
  return {
    login,
    id: 1,
    node_id: `U_${login}`,
    html_url: `https://github.com/${isBot ? `apps/${login.slice(0, -5)}` : login}`,
    type: isBot ? 'Bot' : 'User',
    site_admin: false,
  } satisfies Documented['user'];
}

export function associationOf(repository: StoredRepository, login: string): string {
  const role = repository.roles.get(login) ?? 'none';
  if (role === 'admin') return 'OWNER';
  if (role !== 'none') return 'COLLABORATOR';
  return repository.contributors.has(login) ? 'CONTRIBUTOR' : 'NONE';
}

export function showRepository(repository: StoredRepository, role: Permission) {
  const [owner = '', name = ''] = repository.name.split('/');
  return {
    id: repository.id,
    node_id: nodeId('R', repository),
    name,
    full_name: repository.name,
    owner: showUser(owner),
    private: false,
    html_url: webUrl(repository),
    has_issues: true,
    default_branch: 'main',
    permissions: {
      admin: isAtLeast(role, 'admin'),
      maintain: isAtLeast(role, 'maintain'),
      push: isAtLeast(role, 'write'),
      triage: isAtLeast(role, 'triage'),
      // Everybody may read a public repository.
      pull: true,
    },
  } satisfies Documented['repository'];
}

/** Opaque to clients, and found again by GraphQL. */
export function nodeId(kind: string, repository: StoredRepository, number = 0): string {
  return `${kind}_${Buffer.from(`${repository.name}#${number}`).toString('base64url')}`;
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

export function showLabels(
  repository: StoredRepository,
  issue: StoredIssue,
): Extract<Documented['label'], object>[] {
  return issue.labels.map((name) => ({
    id: 1,
    default: false,
    ...repository.labels.get(name.toLowerCase()),
  }));
}

export function showIssue(repository: StoredRepository, issue: StoredIssue): unknown {
  const kind = issue.pull === null ? 'issues' : 'pull';
  return {
    id: 1000 + issue.number,
    node_id: nodeId('I', repository, issue.number),
    number: issue.number,
    title: issue.title,
    body: issue.body === '' ? null : issue.body,
    state: issue.state,
    user: showUser(issue.author),
    author_association: associationOf(repository, issue.author),
    labels: showLabels(repository, issue),
    assignee: issue.assignees[0] === undefined ? null : showUser(issue.assignees[0]),
    assignees: issue.assignees.map(showUser),
    locked: false,
    comments: issue.comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    html_url: `${webUrl(repository)}/${kind}/${issue.number}`,
    ...(issue.pull === null
      ? {}
      : { draft: issue.pull.isDraft, pull_request: { url: `${apiUrl(repository)}/pulls/${issue.number}` } }),
  } satisfies Documented['issue'];
}

export function showComment(
  repository: StoredRepository,
  issue: StoredIssue,
  comment: StoredComment,
): unknown {
  const kind = issue.pull === null ? 'issues' : 'pull';
  return {
    id: comment.id,
    body: comment.body,
    user: showUser(comment.author),
    author_association: associationOf(repository, comment.author),
    created_at: comment.at,
    updated_at: comment.updatedAt,
    html_url: `${webUrl(repository)}/${kind}/${issue.number}#issuecomment-${comment.id}`,
    issue_url: `${apiUrl(repository)}/issues/${issue.number}`,
  } satisfies Documented['comment'];
}
