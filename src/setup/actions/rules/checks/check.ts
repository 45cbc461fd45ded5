/** What every check gets, and how it reports. */
import type { RuleName } from '../rule-table.ts';
import type { Scope, TrustReader } from '../trust/value-trust.ts';
import type { World } from '../workflow/condition.ts';
import type { Project } from '../workflow/project.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { Place } from '../yaml/yaml-tree.ts';

export interface CheckContext {
  readonly project: Project;
  readonly workflow: Workflow;
  readonly trust: TrustReader;
  /** Those in which a stranger starts this workflow with the rights of the repository. */
  readonly worlds: readonly World[];
  /**
   * @param detail what it is about, in a few words
   * @param around where a comment that allows it may also stand: the key above a script
   */
  readonly report: (rule: RuleName, at: Place, detail?: string, around?: Place) => void;
}

export type Check = (context: CheckContext) => void;

/** Where an expression outside of jobs stands. */
export function scopeOf({ project, workflow }: CheckContext, more: Partial<Scope> = {}): Scope {
  return { project, workflow, job: null, step: null, world: null, ...more };
}
