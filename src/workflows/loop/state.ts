/** What a loop knows between two nodes. Texts are kept in the ledger; the state holds their hashes. */
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { RunResult } from '../../domain/ledger/run.ts';
import { noRetries, type RetryCounters } from './rules/judging/stale-plan.ts';

export type LoopRoute =
  | 'scope'
  | 'plan'
  | 'ask-plan'
  | 'approve'
  | 'wait'
  | 'select'
  | 'work'
  | 'replan'
  | 'blocked'
  | 'skip'
  | 'check'
  | 'testing'
  | 'debug'
  | 'verified'
  | 'ask-close'
  | 'close'
  | 'ask-merge'
  | 'merge'
  | 'done';

/** One attempt at a task, from what the agent is told to the commit that is judged. */
export interface TaskAttempt {
  readonly id: string;
  readonly attempt: number;
  /** Which call of the coding agent in this run it is. */
  readonly call: number;
  readonly context: Sha256;
  /** What the agent reported; null when it ran out of turns. */
  readonly report: Sha256 | null;
  /** The commit that is judged; null when the agent changed nothing. */
  readonly commit: string | null;
  /** Why the attempt fails before any command is run. */
  readonly obstacles: readonly string[];
}

/** A problem that a person found while testing. */
export interface TestReport {
  readonly type: string;
  readonly location: string;
  readonly description: string;
  readonly by: string;
}

export interface LoopState {
  /** Counts nodes; part of the keys that make effects and gates happen once. */
  readonly step: number;
  readonly route: LoopRoute;
  /** The words of the issue as the plan was made for them, as JSON. */
  readonly issue: Sha256 | null;
  /** `.issueloop.config.json` of the base branch; null where there is none. */
  readonly config: Sha256 | null;
  readonly base: { readonly branch: string; readonly commit: string } | null;
  readonly questions: readonly string[];
  readonly answers: string;
  /** Calls of the planner. */
  readonly plans: number;
  readonly proposal: Sha256 | null;
  /** The prd.json that it would give. */
  readonly candidate: Sha256 | null;
  /** The plan as people read it. */
  readonly planText: Sha256 | null;
  /** What code found in the proposal that a person should look at. */
  readonly remarks: readonly string[];
  readonly feedback: string;
  /** The plan is made anew because work went stale, and not because a person asked for it. */
  readonly isStale?: boolean;
  readonly planComment: number | null;
  /** The commands and hosts that the approved plan grants, as JSON. */
  readonly grants: Sha256 | null;
  readonly branch: string;
  readonly head: string | null;
  /** The text of prd.json at that head. */
  readonly prd: Sha256 | null;
  readonly pace: 'next' | 'loop';
  /** Attempts that a task may use; a person who has it retried adds to them. */
  readonly ceiling: number;
  readonly calls: number;
  readonly attempt: TaskAttempt | null;
  /** What the last attempt at a task left when it failed: the next one goes on from there. */
  readonly left: { readonly id: string; readonly commit: string } | null;
  readonly retries: RetryCounters;
  readonly logsSinceSummary: number;
  /** Tasks that passed since all commands were run. */
  readonly passedSinceFull: number;
  readonly debugAttempts: number;
  readonly report: TestReport | null;
  /** Why a person closes it before every task has passed and was tested; null when it is closed in its turn. */
  readonly forced: string | null;
  /** Why a person is asked, where that is not plain. */
  readonly because: string;
  /** The person who gave the last answer. */
  readonly answeredBy: string;
  readonly result: RunResult | null;
}

export const initialState: LoopState = {
  step: 0,
  route: 'scope',
  issue: null,
  config: null,
  base: null,
  questions: [],
  answers: '',
  plans: 0,
  proposal: null,
  candidate: null,
  planText: null,
  remarks: [],
  feedback: '',
  planComment: null,
  grants: null,
  branch: '',
  head: null,
  prd: null,
  pace: 'next',
  ceiling: 0,
  calls: 0,
  attempt: null,
  left: null,
  retries: noRetries,
  logsSinceSummary: 0,
  passedSinceFull: 0,
  debugAttempts: 0,
  report: null,
  forced: null,
  because: '',
  answeredBy: '',
  result: null,
};
