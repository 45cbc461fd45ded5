/** The base moved while a change was built for it: the change is put on top of it and built again. */
import { commitTree } from '../../../runs/coding/push-work.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { commitMessageOf } from '../rules/comments/pull-request-text.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import type { StageName } from '../rules/stages.ts';
import type { PipelineState } from '../state.ts';
import { giveUpAttempts, sendBack } from './escalate.ts';
import { baseOf } from './read-document.ts';
import type { StageEnd } from './run-stage.ts';

/** A base that moves more often than this is not waited for. */
const mostMoves = 5;

/** The base moved since the change was built: it is put on top and built again; null when the two conflict. */
async function rebase(
  context: PipelineContext,
  commit: string,
  tip: string,
  message: string,
): Promise<string | null> {
  const tree = await context.workspaces.mergeTrees(tip, commit);
  return tree === null ? null : commitTree(context, { tree, parent: tip, message });
}

/** @param next the stage that a person has tried again when the base moves too often */
export async function followBase(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  { commit, tip, next }: { readonly commit: string; readonly tip: string; readonly next: StageName },
): Promise<StageEnd> {
  const base = { ...baseOf(state), commit: tip };
  if (state.moves >= mostMoves) {
    const end = await giveUpAttempts(context, state, document, {
      why: `${base.branch} moved ${mostMoves} times while the change was built for it.`,
      proposal: 'Have it tried again when there is less going on.',
    });
    return { ...end, next, moves: 0 };
  }
  const message = commitMessageOf(document);
  const moved = await rebase(context, commit, tip, message);
  if (moved !== null)
    return {
      ...{ state: document, route: 'build', base, commit: moved, moves: state.moves + 1 },
      outcome: 'the base moved; it is built again',
    };
  // What conflicts is written anew on top of the base.
  const told = applySection('reviewer', document, {
    review: {
      verdict: 'REJECTED',
      feedback_for_writer: `Others changed the same lines on ${base.branch} meanwhile. Make the same change on top of what is there now.`,
    },
  });
  const end = await sendBack(context, state, told, 'the change conflicts with the base');
  return { ...end, base, commit: null, approved: null, moves: state.moves + 1 };
}
