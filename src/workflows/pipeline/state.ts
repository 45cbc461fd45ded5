/** What a pipeline knows between two nodes. Texts are kept in the ledger; the state holds their hashes. */
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { RunResult } from '../../domain/ledger/run.ts';
import type { StageName } from './rules/stages.ts';

export type PipelineRoute = StageName | 'answer' | 'wait' | 'escalation' | 'blocked' | 'stop' | 'done';

export interface PipelineState {
  /** Counts nodes; part of the keys that make effects and gates happen once. */
  readonly step: number;
  readonly route: PipelineRoute;
  /** The stage that comes after a question, a pause or a person's answer. */
  readonly next: StageName;
  readonly base: { readonly branch: string; readonly commit: string } | null;
  /** The text of issue-state.json. */
  readonly document: Sha256 | null;
  /** The file that shows it; null where there is none, because both names are taken by files of others. */
  readonly file: string | null;
  /** How often each role was asked. */
  readonly calls: Readonly<Record<string, number>>;
  /** Attempts that the writer may use; a person who has it tried again adds to them. */
  readonly ceiling: number;
  /** What the writer made last, as a commit on no branch. */
  readonly commit: string | null;
  /** Why the last attempt fails before any command is run. */
  readonly problems: readonly string[];
  /** What each review said, as JSON: whether the attempts come to an end is judged by all of them. */
  readonly rounds: readonly Sha256[];
  /** The commit that the reviewer approved, and a hash of what it was shown of it. */
  readonly approved: { readonly commit: string; readonly diff: Sha256 } | null;
  /** How often the base moved after the approval. */
  readonly moves: number;
  /** What a person said to a question or a stop: agents are told. */
  readonly guidance: string;
  /** Why a person is asked. */
  readonly because: string;
  /** What they could do about it; missing where their answer says all. */
  readonly advice?: string;
  /** The comment that asks. */
  readonly asked: number | null;
  readonly result: RunResult | null;
}

export const initialPipeline: PipelineState = {
  step: 0,
  route: 'triage',
  next: 'triage',
  base: null,
  document: null,
  file: null,
  calls: {},
  ceiling: 3,
  commit: null,
  problems: [],
  rounds: [],
  approved: null,
  moves: 0,
  guidance: '',
  because: '',
  asked: null,
  result: null,
};
