/** Fine-grained tokens of the small GitHub: what they were not granted is refused, with what it would have taken. */
import type { Answer } from './github-answer.ts';

/** By what comes after `/repos/OWNER/NAME`, the permission that reading it takes. */
const permissions: readonly (readonly [path: RegExp, permission: string])[] = [
  [/^\/commits\/[^/]+\/check-runs/u, 'checks'],
  [/^\/commits\/[^/]+\/statuses|^\/statuses\//u, 'statuses'],
  [/^\/actions\//u, 'actions'],
  [/^\/issues/u, 'issues'],
  [/^\/pulls/u, 'pull_requests'],
  [/^\/(?:commits|git|branches|compare)/u, 'contents'],
];

/** Null when the token is not limited, or may do that. */
export function refuseUngranted(
  granted: readonly string[] | undefined,
  method: string,
  path: readonly string[],
): Answer | null {
  if (granted === undefined || path[0] !== 'repos') return null;
  const rest = `/${path.slice(3).join('/')}`;
  const needed = permissions.find(([one]) => one.test(rest))?.[1];
  if (needed === undefined || granted.includes(needed)) return null;
  return {
    status: 403,
    data: {
      message: 'Resource not accessible by personal access token',
      documentation_url: 'https://docs.github.com/rest',
      status: '403',
    },
    headers: { 'x-accepted-github-permissions': `${needed}=${method === 'GET' ? 'read' : 'write'}` },
  };
}
