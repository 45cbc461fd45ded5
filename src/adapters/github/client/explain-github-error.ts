/** Turns what Octokit throws into an error of the catalogue. Nothing of the request is kept: it holds the token. */
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { explainNoAnswer } from '../../network/explain-connection.ts';
import { findKnownRefusal } from './known-refusals.ts';
import { readLimit } from './wait-window.ts';
import { githubApiSetting } from './web-base.ts';

export interface ErrorContext {
  readonly host: string;
  /** What may not be shown, as of now: tokens are renewed. */
  readonly secrets: () => readonly string[];
  readonly now: () => number;
}

interface Failure {
  readonly status: number;
  /** Null when there was no answer at all. */
  readonly response: { readonly headers: Headers; readonly data: unknown } | null;
}

function readFailure(error: unknown): Failure | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  const response = 'response' in error ? error.response : undefined;
  if (typeof response !== 'object' || response === null) return { status: error.status, response: null };
  const { headers, data } = response as { headers?: Record<string, unknown>; data?: unknown };
  const known = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const);
  return { status: error.status, response: { headers: new Headers(known.map(([...pair]) => pair)), data } };
}

/** The words of the answer: message, and what is wrong with which field. */
function wordsOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  const { message, errors } = data as { message?: unknown; errors?: unknown };
  const parts = Array.isArray(errors)
    ? errors.map((one: unknown) => {
        if (typeof one !== 'object' || one === null) return String(one);
        const { field, code, message: said } = one as Record<string, unknown>;
        return [field, said ?? code].filter((part) => typeof part === 'string').join(' ');
      })
    : [];
  return [typeof message === 'string' ? message : '', ...parts].filter((part) => part !== '').join('; ');
}

/** What GitHub said when it refused; empty when it did not answer. For telling refusals apart, never for showing. */
export function refusalWords(error: unknown): string {
  return wordsOf(readFailure(error)?.response?.data);
}

/** What looks like a token of GitHub, also one with a signed part in it, or a signed request of an App. */
const tokenForm = /\b(?:gh[a-z]_|github_pat_)\w+(?:[.-]\w+)*|\beyJ[\w-]+\.[\w-]+\.[\w-]+/gu;

/** The longest first: one may hold another. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return known
    .reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), text)
    .replaceAll(tokenForm, '[secret]');
}

/** Octokit wraps what was thrown below it: the reason, if it is one that we can tell. */
function unwrap(error: unknown): unknown {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof GatewrightError) return one;
    if (readFailure(one)?.response != null) return one;
  }
  return error;
}

/** Whether GitHub refused a thing because one of that name is there. */
export function isAlreadyThere(error: unknown): boolean {
  const failure = readFailure(error);
  if (failure?.status !== 422) return false;
  const { errors } = (failure.response?.data ?? {}) as { errors?: unknown };
  return (
    Array.isArray(errors) && errors.some((one: { code?: unknown } | null) => one?.code === 'already_exists')
  );
}

export function isMissing(error: unknown): boolean {
  return hasStatus(error, 404);
}

/** Whether GitHub itself answered with one of these. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  const failure = readFailure(error);
  return failure !== null && failure.response !== null && statuses.includes(failure.status);
}

export function explainGithubError(thrown: unknown, what: string, context: ErrorContext): GatewrightError {
  const error = unwrap(thrown);
  if (error instanceof GatewrightError) return error;
  const failure = readFailure(error);
  const { host } = context;
  if (failure === null || failure.response === null) {
    return explainNoAnswer(error, 'forge-unavailable', `${host} did not answer (${what})`, githubApiSetting);
  }
  const { status, response } = failure;
  // An answer may repeat anything that was sent to it.
  const words = escapeForLine(hideSecrets(wordsOf(response.data), context.secrets()), 300);
  const said = `${host} answered ${status} (${what})${words === '' ? '.' : `: ${words}`}`;
  const limit = readLimit(status, response.headers, words, context.now());
  if (limit !== null) {
    const moment = new Date(limit.until).toISOString();
    return new GatewrightError(
      'forge-rate-limited',
      `${host} takes no more requests from you until ${moment} (${what}).`,
      { until: moment },
    );
  }
  const known = findKnownRefusal({ status, headers: response.headers, words: wordsOf(response.data) });
  if (known !== null) return new GatewrightError(known.code, said, { hint: known.hint });
  if (status === 401) {
    return new GatewrightError('forge-not-authenticated', said, {
      hint: 'The token is wrong or has expired: set GITHUB_TOKEN to a good one, or run: gh auth login',
    });
  }
  if (status === 403) {
    return new GatewrightError('forge-forbidden', said, {
      hint: 'The token or its owner may not do this; docs/github.md lists what is needed.',
    });
  }
  if (status === 410 && /\bdeleted\b/iu.test(words)) return new GatewrightError('forge-gone', said);
  if (status === 404 || status === 410) {
    return new GatewrightError('forge-not-found', said, {
      hint: 'Check the name; GitHub also says this about private repositories that the token cannot see.',
    });
  }
  if (status >= 500 || status === 408) return new GatewrightError('forge-unavailable', said);
  return new GatewrightError('forge-rejected', said);
}
