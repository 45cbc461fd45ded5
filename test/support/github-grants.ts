/** Tokens of the small GitHub with limits: what they were not granted is refused, with what it would have taken. */
import type { Permission } from '../../src/domain/forge/permission.ts';
import type { Answer } from './github-answer.ts';

type Level = 'read' | 'write';

/** What a token may do, by the names of the API. */
export type Limits =
  | { readonly holder: 'personal access token'; readonly granted: readonly string[] }
  | { readonly holder: 'integration'; readonly granted: Readonly<Record<string, Level>> };

/** By what comes after `/repos/OWNER/NAME`, the permissions of which one is needed. */
const permissions: readonly (readonly [path: RegExp, ...permissions: string[]])[] = [
  [/^\/commits\/[^/]+\/check-runs/u, 'checks'],
  [/^\/commits\/[^/]+\/statuses|^\/statuses\//u, 'statuses'],
  [/^\/actions\/(?:organization-)?(?:secrets|variables)/u, 'secrets'],
  [/^\/actions\/permissions|^\/branches\/[^/]+\/protection/u, 'administration'],
  [/^\/actions\//u, 'actions'],
  [/^\/issues/u, 'issues'],
  [/^\/labels/u, 'issues', 'pull_requests'],
  [/^\/pulls\/\d+\/merge$/u, 'contents'],
  [/^\/pulls/u, 'pull_requests'],
  [/^\/(?:commits|git|branches|compare|dispatches)/u, 'contents'],
  [/^\/(?:rules|rulesets|collaborators|$)/u, 'metadata'],
];

/** Not named by people who make fine-grained tokens, or granted to all of them. */
const unasked = ['metadata', 'administration', 'secrets'];

interface Asked {
  readonly method: string;
  readonly path: readonly string[];
  /** Whether a number is that of a pull request: its comments and labels are asked for as those of issues. */
  readonly isPull: (number: number) => boolean;
}

function neededFor({ path, isPull }: Asked): readonly string[] | null {
  const rest = `/${path.slice(3).join('/')}`;
  const [, number] = /^\/issues\/(\d+)(?:\/|$)/u.exec(rest) ?? [];
  if (number !== undefined && isPull(Number(number))) return ['pull_requests'];
  return (permissions.find(([one]) => one.test(rest))?.slice(1) as string[] | undefined) ?? null;
}

function refuse(holder: string, needed: readonly string[], level: Level): Answer {
  return {
    status: 403,
    data: {
      message: `Resource not accessible by ${holder}`,
      documentation_url: 'https://docs.github.com/rest',
      status: '403',
    },
    headers: { 'x-accepted-github-permissions': needed.map((one) => `${one}=${level}`).join('; ') },
  };
}

/** Null when the token is not limited, or may do that. A job may do only what is on the list. */
export function refuseUngranted(limits: Limits | undefined, asked: Asked): Answer | null {
  if (limits === undefined || asked.path[0] !== 'repos') return null;
  const level = asked.method === 'GET' ? 'read' : 'write';
  const { holder } = limits;
  if (holder === 'personal access token') {
    const needed = neededFor({ ...asked, isPull: () => false }) ?? [];
    if (needed.every((one) => unasked.includes(one)) || needed.some((one) => limits.granted.includes(one)))
      return null;
    return refuse(holder, needed, level);
  }
  const needed = neededFor(asked);
  const has = (one: string): boolean => limits.granted[one] === 'write' || limits.granted[one] === level;
  return needed?.some(has) === true ? null : refuse(holder, needed ?? ['unknown'], level);
}

/** What the token of a job may do with git. */
export function roleWithin(limits: Limits | undefined, role: Permission): Permission {
  if (limits?.holder !== 'integration' || role === 'none') return role;
  const { contents } = limits.granted;
  return contents === 'write' ? role : contents === 'read' ? 'read' : 'none';
}

/** The same for GraphQL, by what a request begins with. */
const queries: readonly (readonly [query: RegExp, permission: string, level: Level])[] = [
  [/^query \{ viewer \{/u, 'metadata', 'read'],
  [/^query\b[^{]*\{\s*repository\(.*\) \{\s*pullRequest\(/u, 'pull_requests', 'read'],
  [/^query\b[^{]*\{\s*repository\(.*\) \{\s*issue\(/u, 'issues', 'read'],
  [/^mutation\(.*\) \{ updateRefs\(/u, 'contents', 'write'],
  [
    /^mutation\(.*\) \{ (?:enqueuePullRequest|convertPullRequestToDraft|markPullRequestReadyForReview)\(/u,
    'pull_requests',
    'write',
  ],
];

export function refuseUngrantedQuery(limits: Limits | undefined, query: string): Answer | null {
  if (limits?.holder !== 'integration') return null;
  const [, permission = '', level] = queries.find(([one]) => one.test(query)) ?? [];
  const has = limits.granted[permission];
  if (has === 'write' || (has !== undefined && has === level)) return null;
  const message = 'Resource not accessible by integration';
  return { status: 200, data: { data: null, errors: [{ type: 'FORBIDDEN', path: [], message }] } };
}
