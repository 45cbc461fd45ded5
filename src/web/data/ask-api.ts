/** One question to the API. Whatever does not come to an answer becomes a problem with a hint, as the API itself tells them. */
import type { Problem } from './answers.ts';

/** The API refused, or did not answer. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const absent: Problem = {
  type: 'about:blank',
  title: 'The server does not answer.',
  status: 0,
  detail: 'The server does not answer.',
  code: 'server-absent',
  hint: 'See whether "gatewright serve" still runs in its terminal. This page tries again by itself.',
};

/** What was sent is not sent again by itself: it may have arrived. */
const unsure: Problem = {
  ...absent,
  hint: 'It is not known whether the answer arrived. See whether "gatewright serve" still runs in its terminal, then look at this page again: if the gate is still open, send the answer again.',
};

/** A server that hangs says nothing at all: from then on it counts as absent. */
const longestWait = 20_000;

async function readProblem(response: Response): Promise<Problem> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (isProblem) return (await response.json()) as Problem;
  const detail = `The server answered ${response.status}.`;
  const hint = 'See what the server shows on its terminal.';
  return { ...absent, title: detail, status: response.status, detail, code: 'internal', hint };
}

async function ask<T>(path: string, init: RequestInit, silence: Problem): Promise<T> {
  let problem: Problem;
  try {
    const response = await fetch(path, { ...init, signal: AbortSignal.timeout(longestWait) });
    if (response.ok) return (await response.json()) as T;
    problem = await readProblem(response);
  } catch {
    // No answer, or half of one.
    problem = silence;
  }
  throw new ApiError(problem);
}

export function getJson<T>(path: string): Promise<T> {
  return ask<T>(path, {}, absent);
}

export function postJson<T>(path: string, body: unknown, csrf: string): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-gatewright-csrf': csrf };
  return ask<T>(path, { method: 'POST', headers, body: JSON.stringify(body) }, unsure);
}

/** Asks nothing of the session, and nothing of the ledger. */
export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { signal: AbortSignal.timeout(longestWait) })).ok;
  } catch {
    return false;
  }
}

export function toProblem(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { ...absent, title: 'The page failed.', detail, code: 'internal', hint: 'Reload the page.' };
}
