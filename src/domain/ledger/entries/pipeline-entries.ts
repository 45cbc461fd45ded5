/** What the ledger records of pipelines: each stage that ended, with the state document that it left. */
import type { Sha256 } from '../hash.ts';

export interface PipelineEntryData {
  /** A stage ended. What it says is in the document; this is what the program makes of it. */
  'stage-ended': {
    readonly stage: string;
    readonly attempt: number;
    /** In a few words: where it goes on, and why. */
    readonly outcome: string;
    /** issue-state.json as it is from here on. */
    readonly document: Sha256;
    /** The commit that the stage made or judged; null for a stage that has none. */
    readonly commit: string | null;
  };
  /** A stage tried to change what is not its own; nothing of that was taken over. */
  'section-rejected': {
    readonly stage: string;
    readonly attempt: number;
    readonly violations: readonly string[];
  };
  /** A person has it go back to a stage: the question that it waited with is over. */
  'stage-returned': {
    readonly stage: string;
    /** Where the run stood: the order is followed from there, once. */
    readonly step: number;
  };
  /** A stage answered what another stage asked. */
  'question-answered': {
    readonly from: string;
    readonly to: string;
    readonly question: Sha256;
    readonly answer: Sha256;
  };
}
