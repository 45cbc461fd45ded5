/** How the small GitHub shows people, programs and repositories, with all the addresses that GitHub adds to them. */
import { isAtLeast, type Permission } from '../../src/domain/forge/permission.ts';
import type { Documented } from './github-documented.ts';
import type { StoredRepository } from './github-state.ts';

export const webUrl = (repository: StoredRepository): string => `https://github.com/${repository.name}`;
export const apiUrl = (repository: StoredRepository): string =>
  `https://api.github.com/repos/${repository.name}`;

/** When everything began. */
export const longAgo = '2026-01-01T00:00:00Z';

/** The same name has the same number everywhere. */
export function numberOf(name: string): number {
  let number = 7;
  for (const letter of name) number = (number * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return number + 1;
}

export function showUser(login: string) {
  const isBot = login.endsWith('[bot]');
  const url = `https://api.github.com/users/${encodeURIComponent(login)}`;
  return {
    login,
    id: numberOf(login),
    node_id: `U_${login}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${numberOf(login)}?v=4`,
    gravatar_id: '',
    url,
    html_url: `https://github.com/${isBot ? `apps/${login.slice(0, -5)}` : encodeURIComponent(login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: isBot ? 'Bot' : 'User',
    user_view_type: 'public',
    site_admin: false,
  } satisfies Documented['user'];
}

/** What `GET /user` adds for oneself. */
export function showMyself(login: string) {
  return {
    ...showUser(login),
    ...{ name: null, company: null, blog: '', location: null, email: null, hireable: null, bio: null },
    ...{ public_repos: 0, public_gists: 0, followers: 0, following: 0 },
    ...{ created_at: longAgo, updated_at: longAgo },
  } satisfies Documented['myself'];
}

function addressesOf(repository: StoredRepository) {
  const url = apiUrl(repository);
  return {
    url,
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
    clone_url: `${webUrl(repository)}.git`,
    git_url: `git://github.com/${repository.name}.git`,
    ssh_url: `git@github.com:${repository.name}.git`,
    svn_url: webUrl(repository),
  };
}

/** As it stands in other answers and in deliveries: what one may do there is not told. */
export function showRepositoryPart(repository: StoredRepository) {
  const [owner = '', name = ''] = repository.name.split('/');
  return {
    id: repository.id,
    node_id: nodeId('R', repository),
    name,
    full_name: repository.name,
    owner: showUser(owner),
    private: false,
    html_url: webUrl(repository),
    description: null,
    fork: false,
    ...addressesOf(repository),
    ...{ created_at: longAgo, updated_at: longAgo, pushed_at: longAgo },
    ...{ homepage: null, language: null, license: null, mirror_url: null },
    ...{ size: 1, forks: 0, forks_count: 0, stargazers_count: 0, watchers: 0, watchers_count: 0 },
    ...{ open_issues: repository.issues.length, open_issues_count: repository.issues.length },
    ...{ has_issues: true, has_projects: true, has_wiki: true, has_pages: false, has_downloads: true },
    ...{ has_discussions: false, archived: false, disabled: false, is_template: false },
    ...{ allow_forking: true, web_commit_signoff_required: false, topics: [], visibility: 'public' },
    default_branch: 'main',
  } satisfies Documented['repository'];
}

export function showRepository(repository: StoredRepository, role: Permission) {
  return {
    ...showRepositoryPart(repository),
    ...{ network_count: 0, subscribers_count: 0 },
    allow_squash_merge: repository.rules.methods.squash,
    allow_merge_commit: repository.rules.methods.merge,
    allow_rebase_merge: repository.rules.methods.rebase,
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
