/** What the analyst hands to the writer, as far as code checks it, and what can be wrong with it. */

export interface AnalysisFile {
  readonly path: string;
  readonly purpose: string;
  readonly action: 'create' | 'modify' | 'delete';
}

export interface TestRequirement {
  readonly required: boolean;
  readonly type: 'regression' | 'happy_path' | 'none' | null;
  readonly location: string | null;
  readonly description: string | null;
}

/** The analyst's section of the state document, as far as it is checked. */
export interface Analysis {
  readonly brief: string | null;
  readonly files: readonly AnalysisFile[];
  readonly test_requirement: TestRequirement | null;
  readonly must_do: readonly string[];
  readonly must_not_do: readonly string[];
}

export interface AnalysisProblem {
  /** Where in the analysis: `files[2].path`. */
  readonly path: string;
  readonly message: string;
  readonly suggestion: string;
}

export const isBlank = (text: string | null): boolean => text === null || text.trim() === '';
