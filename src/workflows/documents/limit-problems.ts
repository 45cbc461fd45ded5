/** Problems of a document: all are named at once, but not without end. */
import type { JsonProblem } from './json-tree.ts';

export const mostProblems = 100;

/** The first problems, and how many more there are. */
export function limitProblems(problems: readonly JsonProblem[]): JsonProblem[] {
  const more = problems.length - mostProblems;
  if (more <= 0) return [...problems];
  return [...problems.slice(0, mostProblems), { path: '', message: `has ${more} more problems` }];
}
