/** How a command ended, as a number. Documented in docs/cli.md, which is made from this table. */
import type { RunStatus } from '../../domain/ledger/run.ts';
import type { ErrorCode } from '../../errors.ts';

export const exitCodes = {
  done: { code: 0, meaning: 'done; or nothing to do; or a person aborted before anything started' },
  failed: {
    code: 1,
    meaning: 'failed, or a check before a run failed; the message says why and what to do',
  },
  misused: { code: 2, meaning: 'cancelled by a person, or the command line is not valid' },
  unauthenticated: {
    code: 4,
    meaning:
      'not authenticated, or not permitted, on the forge; `issue` and `lld` check that before they begin and exit with 1',
  },
  waiting: { code: 10, meaning: 'the run waits at a gate for a person' },
  blocked: { code: 11, meaning: 'the run is blocked; the message names the command that continues it' },
  paused: { code: 12, meaning: 'the run is paused until a time' },
} as const;

const misuse: readonly ErrorCode[] = ['usage', 'cancelled', 'gate-choice-invalid'];
export const accessErrors: readonly ErrorCode[] = [
  'forge-not-authenticated',
  'forge-forbidden',
  'forge-sso-required',
  'forge-app-not-installed',
  'forge-app-refused',
];
const paused: readonly ErrorCode[] = ['forge-rate-limited', 'quota-exhausted'];
const blocked: readonly ErrorCode[] = [
  'iteration-limit',
  'no-progress',
  'run-in-circle',
  'verdict-undecided',
  'budget-exceeded',
  'price-unknown',
  'filing-failed',
];

/** The checks before a run, and a person who gives filing up, fail as any other command does (documents 000 and 001). */
const failures: readonly ErrorCode[] = ['preflight-failed', 'filing-aborted'];

/** @param status of the run that the error stopped, if it stopped one */
export function exitCodeOfError(code: ErrorCode, status: string | null = null): number {
  if (misuse.includes(code)) return exitCodes.misused.code;
  if (accessErrors.includes(code)) return exitCodes.unauthenticated.code;
  if (blocked.includes(code)) return exitCodes.blocked.code;
  if (paused.includes(code)) return exitCodes.paused.code;
  return status === 'blocked' && !failures.includes(code) ? exitCodes.blocked.code : exitCodes.failed.code;
}

export function exitCodeOfStatus(status: RunStatus): number {
  if (status === 'waiting') return exitCodes.waiting.code;
  if (status === 'blocked') return exitCodes.blocked.code;
  if (status === 'paused') return exitCodes.paused.code;
  return status === 'done' ? exitCodes.done.code : exitCodes.failed.code;
}
