/** What an authoring run knows between two nodes. Texts are kept in the ledger; the state holds their hashes. */

import type { Decision } from '../../domain/drafts/verdict.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { RunResult } from '../../domain/ledger/run.ts';
import type { ErrorCode } from '../../errors.ts';

/** One turn of the conversation with the drafter: the draft that was on the table and what was said about it. */
export interface Round {
  readonly draft: Sha256;
  /** Every verdict that was given while it was on the table. */
  readonly verdicts: readonly Sha256[];
  readonly feedback: string;
  /** The brief was changed while this draft was on the table. */
  readonly isBriefChanged?: true;
}

export interface Artefact {
  readonly path: string;
  readonly hash: Sha256;
}

export interface AuthoringState {
  /** Counts nodes; part of the keys that make effects and gates happen once. */
  readonly step: number;
  readonly iteration: number;
  readonly drafts: number;
  readonly verdicts: number;
  /** Verdicts a model gave; the mechanical ones are not among them. */
  readonly reviews: number;
  readonly draft: Artefact | null;
  /** The brief that the draft was made from; absent in runs of earlier versions. */
  readonly brief?: Sha256;
  /** Set when the brief was changed: the one that the draft was made from before. */
  readonly previousBrief?: Sha256 | null;
  readonly isUnchanged: boolean;
  readonly verdict:
    | (Artefact & { readonly decision: Decision | null; readonly reviewedDraft: Sha256 })
    | null;
  /** Verdicts given since the last draft was written; they go into the next round. */
  readonly remarks: readonly Sha256[];
  readonly rounds: readonly Round[];
  /** What a person asked for at the last gate. */
  readonly feedback: string;
  readonly route: 'review' | 'revise' | 'finish' | 'ask' | 'done';
  readonly filingError: { readonly code: ErrorCode; readonly message: string } | null;
  readonly mustAsk: boolean;
  readonly result: RunResult | null;
}

export const initialState: AuthoringState = {
  step: 0,
  iteration: 0,
  drafts: 0,
  verdicts: 0,
  reviews: 0,
  draft: null,
  isUnchanged: false,
  verdict: null,
  remarks: [],
  rounds: [],
  feedback: '',
  route: 'review',
  filingError: null,
  mustAsk: false,
  result: null,
};
