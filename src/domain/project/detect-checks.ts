/**
 * Which commands test, lint and type-check a project. The commands are those of the recipes that also install it, so a
 * check finds what the setup has put there.
 */
import { findRecipe } from './detect-project.ts';
import type { ProjectFacts } from './recipe.ts';

export interface DetectedChecks {
  /** What kind it was taken for, and by which file; "unknown" when no file says it. */
  readonly kind: string;
  /** A command, or null when the project has none that is known. */
  readonly tests: string | null;
  readonly lint: string | null;
  readonly types: string | null;
  /** Why a command is missing, and what else a person should know. */
  readonly notes: readonly string[];
}

export function detectChecks(facts: ProjectFacts): DetectedChecks {
  const none = { tests: null, lint: null, types: null };
  const found = findRecipe(facts);
  if (found === null)
    return { kind: 'unknown', ...none, notes: ['no file in the root says how the project is tested'] };
  const { kind, recipe, notes } = found;
  if (recipe === null) return { kind, ...none, notes };
  return {
    kind,
    tests: recipe.verify,
    lint: recipe.lint,
    types: recipe.types,
    notes: [...recipe.testNotes, ...recipe.checkNotes, ...notes],
  };
}
