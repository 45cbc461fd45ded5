/**
 * The one catalogue of errors. Every failure a user can meet has a code here, says whether trying again helps, and
 * how to fix it. Code is what callers test for; messages are for people and may change.
 * Entrypoints, and only they, turn a code into an exit or HTTP status.
 */

import type { CatalogueEntry, Retry } from './errors/catalogue-entry.ts';
import { forgeErrors } from './errors/forge-errors.ts';
import { modelErrors } from './errors/model-errors.ts';
import { networkErrors } from './errors/network-errors.ts';
import { notificationErrors } from './errors/notification-errors.ts';
import { runErrors } from './errors/run-errors.ts';
import { serverErrors } from './errors/server-errors.ts';
import { setupErrors } from './errors/setup-errors.ts';
import { storageErrors } from './errors/storage-errors.ts';

const catalogue = {
  ...setupErrors,
  ...runErrors,
  ...storageErrors,
  ...forgeErrors,
  ...modelErrors,
  ...networkErrors,
  ...serverErrors,
  ...notificationErrors,
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = catalogue;

interface ErrorDetails {
  readonly hint?: string;
  readonly cause?: unknown;
  /** Further lines shown under the message, one fact each. */
  readonly details?: readonly string[];
  /** What a program needs to know beside the message, such as the hashes that differ; no secrets. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What the command printed that failed, as it came: untrusted. */
  readonly output?: string;
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
  readonly facts: Readonly<Record<string, unknown>>;
  readonly output: string | null;
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
    this.facts = more.facts ?? {};
    this.output = more.output ?? null;
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

/** Control flow: this process goes no further with the run, and leaves it as it is. Nothing failed, and nothing is told. */
export function isPause(error: unknown): boolean {
  return isGatewrightError(error, 'lease-lost', 'effect-held-back', 'waits-for-model');
}

const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE']);

/** Whether there was no room left to write, wherever in the chain of causes that is said. */
function findFullDisk(error: unknown): Error | null {
  let cause = error;
  // Bounded: nothing keeps an error from being its own cause.
  for (let depth = 0; cause instanceof Error && depth < 10; depth += 1) {
    if (fullDisk.has(systemErrorCode(cause))) return cause;
    cause = cause.cause;
  }
  return null;
}

/**
 * An error of the catalogue, whatever was thrown. What nobody foresaw is `internal`; a full disk can be met at any line
 * that writes, and is told as what it is.
 */
export function toGatewrightError(error: unknown, about = ''): GatewrightError {
  if (error instanceof GatewrightError) return error;
  const full = findFullDisk(error);
  if (full !== null) {
    const path = 'path' in full && typeof full.path === 'string' ? `: ${full.path}` : '';
    return new GatewrightError('disk-full', `No room left to write${path}.`, { cause: error });
  }
  const said = error instanceof Error ? error.message : String(error);
  return new GatewrightError('internal', `${about}${said}`, { cause: error });
}

/** The operating system's code of an error (`ENOENT` …), or '' when it has none. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
