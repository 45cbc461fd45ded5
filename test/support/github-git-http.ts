/** Git over HTTP on the small GitHub: git's own server behind GitHub's ways of signing in and saying no. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { isAtLeast, type Permission } from '../../src/domain/forge/permission.ts';
import { Refusal } from './github-answer.ts';
import type { StoredRepository } from './github-state.ts';

export interface GitRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The name of the repository that a request for git is about; null for every other request. */
export function readGitPath(path: string): string | null {
  return /^\/([^/]+\/[^/]+?)(?:\.git)?\/(?:info\/refs|git-(?:upload|receive)-pack)$/u.exec(path)?.[1] ?? null;
}

/** The token that somebody signs in with. As on GitHub the name before it may be any: `gh` says the login, others `x-access-token`. */
export function readBasicToken(authorization: string | undefined): string {
  const encoded = /^basic (\S+)$/iu.exec(authorization ?? '')?.[1] ?? '';
  return /^[^:]+:(.*)$/su.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1] ?? '';
}

/** GitHub keeps the heads of pull requests by number, also when their branches are gone. */
function keepPullHeads({ git, issues }: StoredRepository): void {
  for (const { number, pull } of issues)
    if (pull !== null) git.run('update-ref', `refs/pull/${number}/head`, pull.headSha);
}

/** Lets nobody push to a branch, as a rule of the repository does. */
export function protectBranch({ git }: StoredRepository, branch: string, words: string): void {
  const file = join(git.folder, 'hooks', 'update');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$1" = 'refs/heads/${branch}' ]; then\n  echo '${words}' >&2\n  exit 1\nfi\n`,
  );
  chmodSync(file, 0o755);
}

/** The token of a job changes no workflow files, on whatever ref. */
function protectWorkflows({ git }: StoredRepository): void {
  const file = join(git.folder, 'hooks', 'pre-receive');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh
[ -n "$PUSHED_BY_JOB" ] || exit 0
while read -r old new ref; do
  case "$new" in 0000000*) continue ;; esac
  path=$(git log --format= --name-only -m "$new" --not --all -- .github/workflows | head -n 1)
  [ -z "$path" ] && continue
  echo "refusing to allow a GitHub App to create or update workflow $path without workflows permission" >&2
  exit 1
done
`,
  );
  chmodSync(file, 0o755);
}

function runBackend(environment: Record<string, string>, body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['http-backend'],
      { env: environment, encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
      // What git refuses it tells its other side, and then ends with an error here.
      (error, output) => (error === null || output.length > 0 ? resolve(output) : reject(error)),
    );
    child.stdin?.on('error', () => undefined).end(body);
  });
}

/** What git's server prints: headers, an empty line, the answer. */
export async function answerGit(
  repository: StoredRepository,
  login: string,
  role: Permission,
  { method, url, headers, body }: GitRequest,
  isJob = false,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  const isPush = url.pathname.endsWith('/git-receive-pack') || url.search.includes('git-receive-pack');
  if (isPush && !isAtLeast(role, 'write'))
    throw new Refusal(403, `Permission to ${repository.name}.git denied to ${login}.`);
  keepPullHeads(repository);
  if (isJob && isPush) protectWorkflows(repository);
  const service = /^\/[^/]+\/[^/]+(\/.*)$/u.exec(url.pathname)?.[1] ?? '';
  const output = await runBackend(
    {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROJECT_ROOT: dirname(repository.git.folder),
      PATH_INFO: `/${basename(repository.git.folder)}${service}`,
      REQUEST_METHOD: method,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      REMOTE_USER: login,
      ...(isJob ? { PUSHED_BY_JOB: '1' } : {}),
      // As on GitHub, every object can be asked for by its hash, and files can be left out.
      ...{
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: 'uploadpack.allowAnySHA1InWant',
        GIT_CONFIG_VALUE_0: 'true',
        GIT_CONFIG_KEY_1: 'uploadpack.allowFilter',
        GIT_CONFIG_VALUE_1: 'true',
      },
    },
    body,
  );
  const end = output.indexOf('\r\n\r\n');
  const lines = output.subarray(0, end).toString('latin1').split('\r\n');
  const all = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const { status = '200', ...rest } = all;
  return { status: Number.parseInt(status, 10), headers: rest, body: output.subarray(end + 4) };
}

/** GitHub says no in plain words here. */
export function refuseGit(response: ServerResponse, { status, message }: Refusal): void {
  const asks = status === 401 ? { 'www-authenticate': 'Basic realm="GitHub"' } : {};
  response.writeHead(status, { 'content-type': 'text/plain', ...asks }).end(`${message}\n`);
}
