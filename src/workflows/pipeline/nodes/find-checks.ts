/** Which commands build a project: those that are set, else those that its files on the base show. */
import { type DetectedChecks, detectChecks } from '../../../domain/project/detect-checks.ts';
import { isProjectFile } from '../../../domain/project/recipe.ts';
import type { PipelineContext } from '../pipeline-context.ts';

export interface BuildChecks {
  readonly kind: string;
  readonly tests: readonly string[] | null;
  readonly lint: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly notes: readonly string[];
}

const wordsOf = (command: string | null): readonly string[] | null => command?.split(' ') ?? null;

/** @param commit the base: a change must not choose how it is judged */
export async function findChecks(
  { settings, trees, workspaces }: Pick<PipelineContext, 'settings' | 'trees' | 'workspaces'>,
  commit: string,
): Promise<BuildChecks> {
  const paths = (await trees.listFiles(commit)).map(({ path }) => path);
  const names = new Set(paths.map((path) => path.split('/')[0] ?? ''));
  const texts = new Map<string, string | null>();
  for (const path of paths) if (isProjectFile(path)) texts.set(path, await workspaces.readFile(commit, path));
  const found: DetectedChecks = detectChecks({
    ...{ names, textOf: (path) => texts.get(path) ?? null },
    // A program that is missing here may be there in the sandbox; the command says so itself when it is not.
    hasProgram: () => true,
  });
  return {
    kind: found.kind,
    tests: settings.verify ?? wordsOf(found.tests),
    lint: wordsOf(found.lint),
    types: wordsOf(found.types),
    notes: found.notes,
  };
}
