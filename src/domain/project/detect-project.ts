/**
 * Which commands install a project's dependencies and run its tests, by the files in its root. A copy that agents work in
 * has no home folder to keep a cache in, so every command keeps what it fetches below the project.
 */
import { detectCargo, detectGo } from './compiled-recipes.ts';
import { detectDotnet } from './dotnet-recipe.ts';
import { detectGradle, detectMaven } from './java-recipes.ts';
import { detectMake } from './make-recipe.ts';
import { detectNode } from './node-recipe.ts';
import { detectPhp } from './php-recipe.ts';
import { detectPython } from './python-recipe.ts';
import type { Commands, Detector, ProjectFacts, Recipe } from './recipe.ts';
import { detectRuby } from './ruby-recipe.ts';

export interface DetectedProject {
  /** What kind it was taken for, and by which file: "npm (package-lock.json)". */
  readonly kind: string;
  /** Null: nothing has to be installed, or it is not known how. */
  readonly setup: string | null;
  readonly setupHosts: readonly string[];
  readonly verify: string | null;
  /** What a person should know about it. */
  readonly notes: readonly string[];
}

const detectors: readonly Detector[] = [
  ...[detectNode, detectPython, detectGo, detectCargo, detectMaven, detectGradle],
  ...[detectRuby, detectPhp, detectDotnet, detectMake],
];

interface FoundRecipe {
  readonly kind: string;
  /** Null when its program is not on the search path. */
  readonly recipe: Recipe | null;
  /** What concerns all of its commands. */
  readonly notes: readonly string[];
}

/** A Makefile beside another build is often a front for it. */
function withMake(recipe: Recipe, others: readonly Recipe[]): Recipe {
  const make: Commands | undefined = others.find(({ program }) => program === 'make');
  return {
    ...recipe,
    testNotes: make?.verify == null ? recipe.testNotes : [],
    verify: recipe.verify ?? make?.verify ?? null,
    lint: recipe.lint ?? make?.lint ?? null,
    types: recipe.types ?? make?.types ?? null,
  };
}

/** The first kind that has tests, else the first that fits, with the others named; null when none does. */
export function findRecipe(facts: ProjectFacts): FoundRecipe | null {
  const all = detectors.map((detect) => detect(facts)).filter((one) => one !== null);
  // A package.json for the pages or the formatter of a program in another language tests nothing.
  const first = all.find(({ program, verify }) => verify !== null && program !== 'make') ?? all[0];
  if (first === undefined) return null;
  const others = all.filter((one) => one !== first);
  const kind = `${first.program} (${first.file})`;
  if (!facts.hasProgram(first.program))
    return {
      ...{ kind, recipe: null },
      notes: [
        `${first.file} is there, but "${first.program}" is not on your PATH, so no command is proposed`,
      ],
    };
  const names = others.map(({ file }) => file).join(', ');
  return {
    kind,
    recipe: withMake(first, others),
    notes: others.length === 0 ? [] : [`also found, and not proposed: ${names}`],
  };
}

export function detectProject(facts: ProjectFacts): DetectedProject | null {
  const found = findRecipe(facts);
  if (found === null) return null;
  const { kind, recipe, notes } = found;
  if (recipe === null) return { kind, setup: null, setupHosts: [], verify: null, notes };
  return {
    kind,
    setup: recipe.setup,
    setupHosts: recipe.setup === null ? [] : recipe.hosts,
    verify: recipe.verify,
    notes: [...recipe.testNotes, ...recipe.setupNotes, ...notes],
  };
}
