/** What goes in and out of the parts of the small GitHub. */
import { isAtLeast, type Permission } from '../../src/domain/permission.ts';
import type { GithubState, StoredRepository } from './github-state.ts';

export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly unknown[] | undefined;

  constructor(status: number, message: string, errors?: readonly unknown[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
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

export const ok = (data: unknown): Answer => ({ status: 200, data });
export const created = (data: unknown): Answer => ({ status: 201, data });
export const listed = (list: readonly unknown[]): Answer => ({ status: 200, list });

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
