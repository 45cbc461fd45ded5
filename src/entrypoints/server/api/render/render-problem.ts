/** An error of the catalogue as an HTTP answer. What a reader without rights must not know is not in it. */
import { type ErrorCode, errorCatalogue, toGatewrightError } from '../../../../errors.ts';
import { writeJson } from '../routes/route.ts';
import type { Problem } from '../schemas/problem.ts';

/** What is not listed is a conflict with how things are, or an error of ours. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  'request-invalid': 400,
  'gate-choice-invalid': 400,
  usage: 400,
  'session-missing': 401,
  'link-spent': 401,
  'request-foreign': 403,
  'forge-forbidden': 403,
  'route-unknown': 404,
  'run-not-found': 404,
  'gate-not-found': 404,
  'subject-not-found': 404,
  'forge-not-found': 404,
  'gate-answered': 409,
  'gate-content-changed': 409,
  'gate-content-gone': 409,
  'verdict-not-approved': 409,
  'lease-held': 409,
  'path-outside-root': 409,
  'file-conflict': 409,
  'request-too-large': 413,
  'host-unknown': 421,
  'request-limit': 429,
  internal: 500,
  'forge-unavailable': 502,
  'forge-rate-limited': 503,
  'database-busy': 503,
};

/** Errors of ours say to a page only that they happened: the terminal of the server shows the rest. */
const oursToTell = 500;

export function renderProblem(thrown: unknown): { readonly response: Response; readonly isOurs: boolean } {
  const { code, message, hint, details, facts, retry } = toGatewrightError(thrown);
  const status = statuses[code] ?? (retry === 'later' ? 503 : 500);
  const isOurs = status === oursToTell;
  const problem: Problem = {
    type: `urn:gatewright:error:${code}`,
    title: errorCatalogue[code].meaning,
    status,
    detail: isOurs ? 'The server could not do it. Its terminal says why.' : message,
    code,
    hint: isOurs ? 'See what the server shows on its terminal.' : hint,
    ...(details.length === 0 || isOurs ? {} : { details: [...details] }),
    ...(Object.keys(facts).length === 0 || isOurs ? {} : { facts: { ...facts } }),
  };
  const { retryAfter } = facts;
  const response = writeJson(problem, status, {
    'content-type': 'application/problem+json',
    ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}),
  });
  return { response, isOurs };
}
