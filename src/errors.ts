/**
 * The one catalogue of errors. Every failure a user can meet has a code here, says whether trying again helps, and
 * how to fix it. Code is what callers test for; messages are for people and may change.
 * Entrypoints, and only they, turn a code into an exit or HTTP status.
 */

import type { CatalogueEntry, Retry } from './errors/catalogue-entry.ts';
import { forgeErrors } from './errors/forge-errors.ts';
import { modelErrors } from './errors/model-errors.ts';
import { runErrors } from './errors/run-errors.ts';
import { setupErrors } from './errors/setup-errors.ts';
import { storageErrors } from './errors/storage-errors.ts';

const catalogue = {
  ...setupErrors,
  ...runErrors,
  ...storageErrors,
  ...forgeErrors,
  ...modelErrors,
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = catalogue;

interface ErrorDetails {
  readonly hint?: string;
  readonly cause?: unknown;
  /** Further lines shown under the message, one fact each. */
  readonly details?: readonly string[];
  /** Options to add to the command that resumes a run, when resuming as before would only stop again. */
  readonly resumeWith?: string;
  /** When trying again may succeed, ISO 8601, if that is known. */
  readonly until?: string;
}

/** The only error class that is thrown on purpose. */
export class GatewrightError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: readonly string[];
  readonly resumeWith: string;
  readonly until: string | null;
  /** Set when the error stopped a run: what became of it and how to go on. */
  stop: {
    readonly run: string;
    readonly status: string;
    readonly owner: string;
    readonly resume: string;
  } | null = null;

  constructor(code: ErrorCode, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'GatewrightError';
    this.code = code;
    this.hint = more.hint ?? errorCatalogue[code].hint;
    this.details = more.details ?? [];
    this.resumeWith = more.resumeWith ?? '';
    this.until = more.until ?? null;
  }

  get retry(): Retry {
    return errorCatalogue[this.code].retry;
  }
}

export function isGatewrightError(error: unknown, ...codes: ErrorCode[]): error is GatewrightError {
  return error instanceof GatewrightError && (codes.length === 0 || codes.includes(error.code));
}

/** The operating system's code of an error (`ENOENT` …), or '' when it has none. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
