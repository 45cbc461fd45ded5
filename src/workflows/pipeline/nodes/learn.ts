/** What earlier runs of our agents observed in this repository, for the analyst and the writer; and what this one did. */
import type { PipelineContext } from '../pipeline-context.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { decidedOf } from '../rules/document/undecided.ts';
import { selectLearnings } from '../rules/select-learnings.ts';

/** In characters; what is surest and nearest to the files comes first. */
const budgetCharacters = 4000;

/** One line each. @param files those that the work is about; empty while they are not known */
export async function learnedLines(
  {
    clock,
    learnings,
  }: Pick<PipelineContext, 'clock'> & { readonly learnings: Pick<PipelineContext['learnings'], 'read'> },
  files: readonly string[],
): Promise<string[]> {
  const now = clock.now().toISOString();
  return selectLearnings(await learnings.read(), { files, budgetCharacters, now }).map(({ line }) => line);
}

/** What the stages observed, with how the run ended. */
export async function keepLearnings(
  { learnings }: PipelineContext,
  { learnings: { session_id, observations, outcome } }: StateDocument,
): Promise<void> {
  const kept = observations.map(({ agent, type, content, file = null }) => ({ agent, type, content, file }));
  await learnings.keep(session_id, decidedOf(outcome), kept);
}
