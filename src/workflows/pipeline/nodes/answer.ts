/** Routes the questions of a stage to the stage that they are for, and puts the answers into the document. */

import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError } from '../../../errors.ts';
import { workApart } from '../../../runs/coding/work-in-copy.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { describeAnalysis, describeIssue } from '../rules/asking/describe-state.ts';
import { replySchema } from '../rules/asking/stage-answers.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import type { PipelineState } from '../state.ts';
import { listRouted } from './add-spoken.ts';
import { roleOf } from './ask-stage.ts';
import { baseOf, keepDocument, readDocument, showDocument } from './read-document.ts';
import { isAfterEnd, lastComment } from './run-stage.ts';

const turnLimit = 20;

async function askOne(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  { place, call }: { readonly place: number; readonly call: number },
): Promise<string> {
  const asked = document.communication.questions[place];
  if (asked === undefined) throw new GatewrightError('internal', 'There is no such question.');
  const { commit } = baseOf(state);
  const { end } = await workApart(
    context,
    `${context.runId}-answer`,
    {
      ...{ role: roleOf('answer'), call, start: state.commit ?? commit, steeringFrom: commit, turnLimit },
      instructions: await context.prompts.render('pipeline-answer', {}),
      describe: async () =>
        [
          `You are the ${asked.to} of this work. The ${asked.from} asks you:\n${fenceUntrusted('QUESTION', asked.question)}`,
          describeIssue(document),
          ...(document.analysis.completed ? [describeAnalysis(document)] : []),
        ].join('\n\n'),
      tools: { mode: 'plan' },
      purpose: `answering a question of the ${asked.from} about #${context.request.number}`,
      schema: replySchema,
    },
    { look: async () => null },
  );
  if (end.kind !== 'finished' || end.object === null)
    throw new GatewrightError('plan-unfinished', `No answer came of ${turnLimit} turns.`);
  const { answer } = end.object;
  await context.record({
    kind: 'question-answered',
    key: `${context.runId}/question/${place}`,
    data: {
      ...{ from: asked.from, to: asked.to },
      question: await context.ledger.putText(asked.question),
      answer: await context.ledger.putText(answer),
    },
  });
  return answer;
}

export async function answerQuestions(
  context: PipelineContext,
  state: PipelineState,
): Promise<Partial<PipelineState>> {
  const document = await readDocument(context, state);
  const role = roleOf('answer');
  let call = state.calls[role] ?? 0;
  const answers: { place: number; answer: string }[] = [];
  for (const place of listRouted(document)) {
    call += 1;
    answers.push({ place, answer: await askOne(context, state, document, { place, call }) });
  }
  const kept = await keepDocument(context, applySection('orchestrator', document, { answers }));
  await showDocument(context, state, kept);
  const isPaused = isAfterEnd(context, state.next);
  return {
    document: kept,
    calls: { ...state.calls, [role]: call },
    route: isPaused ? 'wait' : state.next,
    ...(isPaused ? { asked: await lastComment(context) } : {}),
  };
}
