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

async function readProblem(response: Response): Promise<Problem> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (isProblem) return (await response.json()) as Problem;
  const detail = `The server answered ${response.status}.`;
  const hint = 'See what the server shows on its terminal.';
  return { ...absent, title: detail, status: response.status, detail, code: 'internal', hint };
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError(absent);
  }
  if (!response.ok) throw new ApiError(await readProblem(response));
  return (await response.json()) as T;
}

export function getJson<T>(path: string): Promise<T> {
  return ask<T>(path, {});
}

export function postJson<T>(path: string, body: unknown, csrf: string): Promise<T> {
  return ask<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gatewright-csrf': csrf },
    body: JSON.stringify(body),
  });
}

export function toProblem(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { ...absent, title: 'The page failed.', detail, code: 'internal', hint: 'Reload the page.' };
}
