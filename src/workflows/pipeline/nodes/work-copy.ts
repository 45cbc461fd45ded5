/** The copies in which the agents of the pipeline work: the commit, with the state document as a file beside the code. */
import { commitTree } from '../../../runs/coding/push-work.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { checkOwnership } from '../rules/document/section-owners.ts';
import { readState, type StateDocument, writeState } from '../rules/document/state-document.ts';
import type { StageName } from '../rules/stages.ts';
import { fileNamesOf } from './read-document.ts';

const [stateFile] = fileNamesOf(0);

/** A commit on no branch that also holds the document, for agents to read. */
export async function withStateFile(
  context: PipelineContext,
  commit: string,
  document: StateDocument,
): Promise<string> {
  const tree = await context.trees.putFiles(commit, [{ path: stateFile, text: writeState(document) }]);
  return commitTree(context, { tree, parent: commit, message: 'With the state of the pipeline\n' });
}

/** What an agent left, without the document: its file is as it was in the project. */
export async function withoutStateFile(
  { trees }: Pick<PipelineContext, 'trees'>,
  tree: string,
  commit: string,
): Promise<string> {
  // An agent may have made a folder of it.
  const inside = (await trees.listFiles(tree)).filter(({ path }) => path.startsWith(`${stateFile}/`));
  return trees.takePaths(tree, commit, [stateFile, ...inside.map(({ path }) => path)]);
}

/** What an agent changed in the document that is not its stage's. Its own sections it fills by its answer alone. */
export async function findForeignEdits(
  { workspaces }: Pick<PipelineContext, 'workspaces'>,
  stage: StageName,
  tree: string,
  document: StateDocument,
): Promise<string[]> {
  const text = await workspaces.readFile(tree, stateFile);
  if (text === null || text === writeState(document)) return [];
  const read = readState(text);
  if ('problems' in read) return [`${stage} may not break ${stateFile}`];
  return checkOwnership(stage, document, read.state).map(({ message }) => message);
}
