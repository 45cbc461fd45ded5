/**
 * A run in two halves, as on GitHub Actions: one process asks models and changes nothing outside, another one makes the
 * changes and asks no model. Each walks the whole run; what the other half did is handed to it as data.
 */
import type { Json, Sha256 } from '../domain/ledger/hash.ts';
import type { Usage } from '../domain/models/budget.ts';
import type { ErrorCode } from '../errors.ts';
import type { CodingAttempt, CodingReport } from '../ports/coding-agent.ts';
import type { SpentAttempt } from '../ports/model.ts';
import type { LeftTree } from '../ports/proposals/parcels.ts';

/** One call of a run, by what makes it that call: with another prompt it is another call. */
export interface CallName {
  readonly run: string;
  readonly role: string;
  readonly call: number;
  /** The hash of the instructions and of all that is sent with them. */
  readonly prompt: Sha256;
}

/** Why a call gave no answer, as it is thrown. */
export interface CallFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly string[];
  readonly until: string | null;
}

/** What a model said, or why it said nothing, and what that cost. */
export interface AskedCall {
  readonly kind: 'asked';
  readonly milliseconds: number;
  /** The tries that gave no answer to use. */
  readonly spent: readonly SpentAttempt[];
  readonly end:
    | { readonly value: Json; readonly reportedModel: string; readonly usage: Usage }
    | { readonly failure: CallFailure };
}

/** Without the ids of its sessions, which mean nothing on another machine. */
export type WorkReport = Omit<CodingReport<Json>, 'sessionId' | 'earlier'> & {
  readonly earlier: readonly Omit<CodingAttempt<Json>, 'sessionId'>[];
};

/** What a coding agent reported, and the files that it left; null where it has left none to use. */
export interface WorkedCall {
  readonly kind: 'worked';
  readonly milliseconds: number;
  /** The turns ended with the budget and not with the task. */
  readonly isOverBudget: boolean;
  readonly report: WorkReport;
  readonly left: LeftTree | null;
}

/** Asks models. Every effect is held back: it is intended, and the run goes no further. */
export interface AskingHalf {
  readonly kind: 'asks';
  /** Throws when this run may ask nothing more here. */
  readonly checkMayAsk: (run: string) => Promise<void>;
  readonly note: (name: CallName, done: AskedCall | WorkedCall) => void;
}

/** Makes the changes. Where a run asks a model, it finds the answer of the other half, or waits for one. */
export interface ActingHalf {
  readonly kind: 'acts';
  /** Null when the other half did not ask this. */
  readonly find: (name: CallName) => AskedCall | WorkedCall | null;
  /** Makes the files of a folder those of the tree, so that they are looked at as if an agent had left them here. */
  readonly restore: (left: LeftTree, folder: string) => Promise<void>;
}

export type Half = AskingHalf | ActingHalf;
