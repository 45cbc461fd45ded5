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
import { escalate } from './escalate.ts';
import { baseOf, keepDocument, readDocument, showDocument } from './read-document.ts';
import { isAfterEnd, lastComment } from './run-stage.ts';

const turnLimit = 20;

async function askOne(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  { place, call }: { readonly place: number; readonly call: number },
): Promise<string | null> {
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
  // Asked again in the same way it would come to the same.
  if (end.kind !== 'finished' || end.object === null) return null;
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

/** A question that no stage could answer, as a person is asked it. */
function describeOpen({ communication }: StateDocument, place: number): string {
  const { from, to, question } = communication.questions[place] ?? {};
  return `The ${to} could not answer the ${from} within ${turnLimit} turns: ${question}`;
}

export async function answerQuestions(
  context: PipelineContext,
  state: PipelineState,
): Promise<Partial<PipelineState>> {
  const document = await readDocument(context, state);
  const role = roleOf('answer');
  let call = state.calls[role] ?? 0;
  const answers: { place: number; answer: string }[] = [];
  const escalations: { reason: string; requires_human: boolean }[] = [];
  for (const place of listRouted(document)) {
    call += 1;
    const answer = await askOne(context, state, document, { place, call });
    answers.push({ place, answer: answer ?? `No answer came of ${turnLimit} turns; a person was asked.` });
    if (answer === null) escalations.push({ reason: describeOpen(document, place), requires_human: true });
  }
  const answered = applySection('orchestrator', document, { answers, escalations });
  const stop =
    escalations.length === 0 ? null : await escalate(context, state, answered, state.next, state.next);
  const kept = await keepDocument(context, stop?.state ?? answered);
  await showDocument(context, state, kept);
  const common = { document: kept, calls: { ...state.calls, [role]: call } };
  if (stop !== null) {
    const { route, because = '', asked = null } = stop;
    return { ...common, route, because, asked };
  }
  const isPaused = isAfterEnd(context, state.next);
  return {
    ...common,
    route: isPaused ? 'wait' : state.next,
    ...(isPaused ? { asked: await lastComment(context) } : {}),
  };
}
