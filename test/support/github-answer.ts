/** What goes in and out of the parts of the small GitHub. */
import type { IncomingMessage } from 'node:http';
import { isAtLeast, type Permission } from '../../src/domain/forge/permission.ts';
import type { GithubState, StoredIssue, StoredRepository } from './github-state.ts';

/** GitHub Enterprise Server has REST below /api/v3 and GraphQL beside it. */
export function pathOf({ pathname }: URL): string {
  return pathname.replace(/^\/api\/v3(?=\/)|^\/api(?=\/graphql$)/u, '');
}

export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', reject);
  });
}

export function readToken(authorization: string): string {
  const [, word = '', token = ''] = /^(token|bearer) (.+)$/iu.exec(authorization) ?? [];
  return word.toLowerCase() === 'token' && token.startsWith('ghs_') ? '' : token;
}

export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly unknown[] | undefined;
  /** Where to ask instead, as a path. */
  location: string | null = null;

  constructor(status: number, message: string, errors?: readonly unknown[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** An issue that was transferred is sent on to, and one that was deleted is not forgotten. */
export function requirePresent(issue: StoredIssue): void {
  if (issue.gone === 'deleted') throw new Refusal(410, 'This issue was deleted');
  if (issue.gone === null) return;
  const refusal = new Refusal(301, 'Moved Permanently');
  refusal.location = `/repositories/${issue.gone.repository}/issues/${issue.gone.number}`;
  throw refusal;
}

export const notFound = () => new Refusal(404, 'Not Found');
export const invalid = (resource: string, field: string, code: string, message?: string) =>
  new Refusal(422, 'Validation Failed', [
    { resource, field, code, ...(message === undefined ? {} : { message }) },
  ]);

export interface Answer {
  readonly status: number;
  readonly data?: unknown;
  /** Cut into pages; below this name when it is not the whole answer. */
  readonly list?: readonly unknown[];
  readonly listName?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request about one repository. */
export interface Call {
  readonly login: string;
  readonly method: string;
  /** What comes after `/repos/OWNER/NAME`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly state: GithubState;
  readonly repository: StoredRepository;
  readonly role: Permission;
}

/** Answers a request, or leaves it to the next part. */
export type Route = (call: Call) => Answer | null;

export function requireRole(call: Call, needed: Permission): void {
  if (!isAtLeast(call.role, needed))
    throw new Refusal(403, 'Resource not accessible by personal access token');
}

/** A path to which somebody is sent on, as a whole address below the one that they asked at. */
export function withWholeAddress(answer: Answer, { origin, pathname }: URL): Answer {
  const { location } = answer.headers ?? {};
  if (location?.startsWith('/') !== true) return answer;
  const base = `${origin}${pathname.startsWith('/api/v3/') ? '/api/v3' : ''}`;
  return { ...answer, headers: { ...answer.headers, location: `${base}${location}` } };
}

export const ok = (data: unknown): Answer => ({ status: 200, data });
export const created = (data: unknown): Answer => ({ status: 201, data });
export const listed = (list: readonly unknown[]): Answer => ({ status: 200, list });

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
