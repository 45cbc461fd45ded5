/**
 * What the ledger records of learnings: what agents of ours observed in a repository, and what people made of it. They
 * stand on one subject of the repository, `owner/repo~learnings`.
 */

/** How a session ended in which something was observed. */
export type SessionOutcome = 'success' | 'failed_max_retries' | 'blocked' | 'escalated';

export interface LearningEntryData {
  /** Its key is the run, the learning and the outcome: a session says it once, and once more when it has ended. */
  'learning-observed': {
    /** Made of its words and its file. */
    readonly learning: string;
    readonly agent: string;
    readonly type: string;
    /** On one line, made inert. */
    readonly content: string;
    /** Null when it is about the whole repository. */
    readonly file: string | null;
    readonly session: string;
    /** Null while the session goes on. */
    readonly outcome: SessionOutcome | null;
  };
  'learning-edited': { readonly learning: string; readonly content: string; readonly by: string };
  /** It is not learned again, however often agents observe it. */
  'learning-removed': { readonly learning: string; readonly by: string; readonly why: string };
}
