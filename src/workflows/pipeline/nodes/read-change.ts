/** The change of a pipeline as its reviewer sees it: what is not shown cannot be approved. */
import type { PipelineContext } from '../pipeline-context.ts';

/** In characters; a longer change is no work for one reviewer. */
const longestDiff = 120_000;
const cutMark = /\n… and \d+ characters more\n$/u;

export interface SeenChange {
  readonly diff: string;
  readonly paths: readonly string[];
  /** What a reviewer would not see of it, one sentence each. */
  readonly unseen: readonly string[];
}

export async function readChange(
  { workspaces }: Pick<PipelineContext, 'workspaces'>,
  base: string,
  commit: string,
): Promise<SeenChange> {
  const diff = await workspaces.diff(base, commit, longestDiff);
  const files = await workspaces.listChanges(base, commit);
  return {
    diff,
    paths: files.flatMap(({ path, previousPath }) => [
      path,
      ...(previousPath === null ? [] : [previousPath]),
    ]),
    unseen: [
      ...(cutMark.test(diff)
        ? [`The change is too large to be reviewed as a whole: more than ${longestDiff} characters.`]
        : []),
      ...files
        .filter(({ isBinary, change }) => isBinary && change !== 'removed')
        .slice(0, 20)
        .map(({ path }) => `${path} is binary: a reviewer cannot see what it holds.`),
    ],
  };
}
