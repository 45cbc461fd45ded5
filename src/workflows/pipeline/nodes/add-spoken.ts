/** What a stage says to others, and where the run goes on after it. */

import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { isTreePath } from '../rules/document/tree-path.ts';
import { type AnsweringStage, answeringStages, type StageName } from '../rules/stages.ts';
import type { PipelineState } from '../state.ts';
import { escalate, listOpen } from './escalate.ts';
import type { StageEnd } from './run-stage.ts';

/** More questions than this in one run are for a person. */
const mostQuestions = 6;
const longestType = 60;

interface Spoken {
  readonly questions: readonly { readonly to: AnsweringStage | 'human'; readonly question: string }[];
  readonly escalations: readonly string[];
  readonly observations: readonly {
    readonly type: string;
    readonly content: string;
    readonly file: string | null;
  }[];
}

/** On one line, as the document has it. */
function nameOfType(type: string): string {
  const plain = escapeForLine(type, longestType).trim();
  return plain === '' ? 'observation' : plain;
}

export function addSpoken(stage: StageName, { questions, escalations, observations }: Spoken) {
  // A question to itself would come back for ever.
  const asked = questions.filter(({ to }) => to !== stage);
  return {
    hasQuestions: asked.length > 0,
    additions: {
      questions: asked,
      escalations: escalations.map((reason) => ({ reason, requires_human: true })),
      // A path that leads nowhere is left out: what was observed is still worth keeping.
      observations: observations.map(({ type, content, file }) => ({
        type: nameOfType(type),
        content,
        file: file !== null && isTreePath(file) ? file : null,
      })),
    },
  };
}

/** Questions that another stage can answer. */
export function listRouted({ communication }: StateDocument): number[] {
  return communication.questions.flatMap(({ to, answered }, place) =>
    !answered && answeringStages.some((stage) => stage === to) ? [place] : [],
  );
}

/** A person is asked first, then stages; then it goes on. */
export async function goOnAfter(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  stage: StageName,
  next: StageName,
): Promise<StageEnd> {
  const routed = listRouted(document);
  const isTooMuch = routed.length > 0 && document.communication.questions.length > mostQuestions;
  const asked = isTooMuch
    ? applySection('orchestrator', document, {
        escalations: [
          {
            reason: `The stages have asked each other more than ${mostQuestions} questions.`,
            requires_human: true,
          },
        ],
      })
    : document;
  if (listOpen(asked).length > 0) return escalate(context, state, asked, stage, next);
  if (routed.length > 0) return { state: document, route: 'answer', next, outcome: 'it asks another stage' };
  return { state: document, route: next, outcome: 'done' };
}
