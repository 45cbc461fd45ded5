/** What triage says about an issue. Each list goes from lenient to strict, so that two answers can be compared. */

/** By what has to be shown: nothing, a test that passes, a test that failed before. */
export const issueTypes = ['REFACTOR_STYLE', 'NEW_FEATURE', 'BUG_FIX'] as const;
export type IssueType = (typeof issueTypes)[number];

export const scopes = ['SMALL', 'MEDIUM', 'LARGE'] as const;
export type Scope = (typeof scopes)[number];

export const complexities = ['simple', 'moderate', 'complex'] as const;
export type Complexity = (typeof complexities)[number];

export interface Triage {
  readonly type: IssueType;
  readonly scope: Scope;
  readonly complexity: Complexity;
  /** What a reader should know; it holds nothing up. */
  readonly concerns: readonly string[];
  /** What the issue does not say. */
  readonly questions: readonly string[];
  /** Why a person has to agree before the work begins. */
  readonly escalations: readonly string[];
  readonly shouldProceed: boolean;
  readonly rejectionReason: string | null;
}

export const largeScope = 'The scope is LARGE: six files or more.';
