/**
 * Which values of a run are harmless as text. The list says what is trusted; everything else is not. A value stands here
 * when GitHub makes it, when its form allows no harmful character (numbers, hashes, logins, names of repositories), or
 * when only an administrator can set it.
 */

/** `*` is any one key, `**` any number of keys. Each with why it may be trusted. */
export const trustedPaths: readonly (readonly [why: string, paths: readonly string[]])[] = [
  [
    'GitHub makes it',
    [
      ...['action', 'action_path', 'action_repository', 'action_status', 'api_url', 'env', 'event_name'],
      ...[
        'event_path',
        'graphql_url',
        'job',
        'job_workflow_sha',
        'output',
        'path',
        'ref_protected',
        'ref_type',
      ],
      ...['repositoryurl', 'retention_days', 'run_attempt', 'run_id', 'run_number', 'secret_source'],
      ...['server_url', 'sha', 'state', 'step_summary', 'token', 'workflow_sha', 'workspace'],
    ].map((name) => `github.${name}`),
  ],
  ['it stands in the file', ['github.workflow', 'github.event.schedule']],
  [
    'logins and names of repositories contain only letters, digits and `-._/[]`',
    [
      ...['actor', 'actor_id', 'triggering_actor', 'repository', 'repository_id', 'repository_owner'].map(
        (name) => `github.${name}`,
      ),
      'github.repository_owner_id',
      'github.event.**.login',
      'github.event.**.full_name',
      'github.event.repository.name',
      'github.event.organization.name',
      'github.event.**.head.repo.name',
      'github.event.**.base.repo.name',
    ],
  ],
  [
    'it is a number, a hash, a truth value, a date or one of a few words',
    [
      ...['action', 'number', 'before', 'after', 'forced', 'created', 'deleted'].map(
        (name) => `github.event.${name}`,
      ),
      ...[
        'id',
        'node_id',
        'number',
        'sha',
        'head_sha',
        'merge_commit_sha',
        'state',
        'draft',
        'merged',
        'fork',
      ],
      ...[
        'private',
        'author_association',
        'created_at',
        'updated_at',
        'closed_at',
        'merged_at',
        'conclusion',
      ],
      ...['run_number', 'run_attempt', 'additions', 'deletions', 'changed_files', 'prerelease'],
      ...['commits', 'comments', 'review_comments'].map((name) => `github.event.pull_request.${name}`),
    ].map((name) => (name.includes('.') ? name : `github.event.**.${name}`)),
  ],
  [
    'it is an address that GitHub makes of names and numbers',
    [
      ...['repository', 'pull_request', 'issue', 'comment', 'workflow_run', 'sender'].flatMap((name) =>
        ['url', 'html_url'].map((key) => `github.event.${name}.${key}`),
      ),
      'github.event.pull_request.head.repo.clone_url',
      'github.event.repository.clone_url',
      'github.event.pull_request.*_url',
    ],
  ],
  [
    'GitHub names it',
    ['github.event.workflow_run.event', 'github.event.sender.type', 'github.event.*.user.type'],
  ],
  ['an administrator sets it', ['secrets.*', 'vars.*', 'github.event.repository.default_branch']],
  [
    'the runner makes it',
    [
      ...['name', 'os', 'arch', 'temp', 'tool_cache', 'debug', 'environment', 'workspace'].map(
        (name) => `runner.${name}`,
      ),
      ...[
        'runner',
        'strategy',
        'job.status',
        'job.check_run_id',
        'job.container.*',
        'job.services.**',
        'strategy.*',
      ],
      ...['steps.*.outcome', 'steps.*.conclusion', 'needs.*.result', 'jobs.*.result'],
    ],
  ],
];

/** Texts that a stranger writes: an issue, a comment, a branch of a fork, a commit. */
export const strangersPaths: readonly string[] = [
  'github.head_ref',
  ...['issue', 'pull_request', 'discussion'].flatMap((name) => [
    `github.event.${name}.title`,
    `github.event.${name}.body`,
  ]),
  ...['comment', 'review', 'review_comment'].map((name) => `github.event.${name}.body`),
  'github.event.comment.path',
  'github.event.comment.diff_hunk',
  'github.event.changes.*.from',
  ...['ref', 'label'].map((name) => `github.event.pull_request.head.${name}`),
  ...['default_branch', 'description', 'homepage'].map(
    (name) => `github.event.pull_request.head.repo.${name}`,
  ),
  ...['message', 'author.name', 'author.email', 'committer.name', 'committer.email'].flatMap((name) => [
    `github.event.commits.*.${name}`,
    `github.event.head_commit.${name}`,
    `github.event.workflow_run.head_commit.${name}`,
  ]),
  'github.event.pages.*.page_name',
  'github.event.pages.*.title',
  ...['head_branch', 'display_title', 'head_repository.description', 'pull_requests.*.head.ref'].map(
    (name) => `github.event.workflow_run.${name}`,
  ),
  'github.event.check_suite.head_branch',
  'github.event.check_run.check_suite.head_branch',
  'github.event.forkee.description',
];

/** What a checkout may name in a run that a stranger can start: commits that a person with write access put there. */
export const basePaths: readonly string[] = [
  ...[
    'sha',
    'ref',
    'ref_name',
    'base_ref',
    'workflow_sha',
    'repository',
    'repository_owner',
    'server_url',
  ].map((name) => `github.${name}`),
  'github.event.pull_request.base.**',
  'github.event.repository.**',
  'github.event.workflow_run.repository.**',
  'vars.*',
];

/** What names the code of a pull request. */
const headPaths: readonly string[] = [
  'github.head_ref',
  ...['head.**', 'merge_commit_sha'].map((name) => `github.event.pull_request.${name}`),
  ...['head_sha', 'head_branch', 'head_repository.**', 'head_commit.id', 'pull_requests.**'].map(
    (name) => `github.event.workflow_run.${name}`,
  ),
  ...['check_run', 'check_suite', 'check_run.check_suite'].flatMap((name) => [
    `github.event.${name}.head_sha`,
    `github.event.${name}.head_branch`,
    `github.event.${name}.pull_requests.**`,
  ]),
];

/** Outputs of well-known actions that are a number, a hash, a truth value or a secret. */
const safeOutputs: Readonly<Record<string, readonly string[]>> = {
  'actions/cache': ['cache-hit'],
  'actions/cache/restore': ['cache-hit'],
  'actions/checkout': ['commit'],
  'actions/create-github-app-token': ['token', 'installation-id', 'app-slug'],
  'actions/setup-node': ['cache-hit', 'node-version'],
  'actions/setup-python': ['cache-hit', 'python-version', 'python-path'],
  'actions/setup-go': ['cache-hit', 'go-version'],
  'actions/setup-java': ['cache-hit', 'version', 'path'],
  'actions/upload-artifact': ['artifact-id', 'artifact-digest', 'artifact-url'],
  'actions/upload-pages-artifact': ['artifact_id'],
  'docker/build-push-action': ['digest', 'imageid'],
  'peter-evans/create-pull-request': ['pull-request-number', 'pull-request-head-sha'],
};

export function isSafeOutput(action: string, output: string): boolean {
  return safeOutputs[action]?.includes(output) ?? false;
}

function keyFits(pattern: string, key: string): boolean {
  if (pattern === '*' || pattern === key) return true;
  return pattern.startsWith('*') && key.endsWith(pattern.slice(1));
}

function fitsFrom(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**')
    return Array.from({ length: path.length + 1 }, (_, count) => path.slice(count)).some((tail) =>
      fitsFrom(rest, tail),
    );
  const [key, ...tail] = path;
  return key !== undefined && keyFits(first, key) && fitsFrom(rest, tail);
}

const fits = (pattern: string, path: readonly string[]): boolean => fitsFrom(pattern.split('.'), path);

/** Data of any form that the sender of an event chooses, whatever its keys are called. */
const freeForms = ['github.event.client_payload', 'github.event.inputs', 'github.event.deployment.payload'];

export function isTrustedPath(path: readonly string[]): boolean {
  if (freeForms.includes(path.slice(0, 3).join('.')) || freeForms.includes(path.slice(0, 4).join('.')))
    return false;
  // A key that is not known can be any, so it is trusted only where every key is.
  return trustedPaths.some(([, patterns]) => patterns.some((pattern) => fits(pattern, path)));
}

export function isBasePath(path: readonly string[]): boolean {
  return basePaths.some((pattern) => fits(pattern, path));
}

export function isHeadPath(path: readonly string[]): boolean {
  return headPaths.some((pattern) => fits(pattern, path));
}

/** Whether it is, contains, or is a part of, a text that a stranger writes. */
export function isStrangersPath(path: readonly string[]): boolean {
  return strangersPaths.some((pattern) => {
    const keys = pattern.split('.');
    const length = Math.min(keys.length, path.length);
    return keys.slice(0, length).every((key, index) => {
      const given = path[index] ?? '';
      return given === '*' || keyFits(key, given);
    });
  });
}
