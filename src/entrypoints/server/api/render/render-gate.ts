/** A gate as the API tells of it. */
import { offerAnswers } from '../../../../domain/drafts/gate-answers.ts';
import { nameOfRun } from '../../../../domain/ledger/run.ts';
import type { OpenGate } from '../../../../ports/ledger.ts';
import type { GateAnswer } from '../schemas/gates.ts';

export function renderGate({ run, question, askedAt }: OpenGate): GateAnswer {
  const { id, kind, title, iteration, because, advice, decision, questions = [], gaps = [] } = question;
  return {
    ...{ id, kind, title, iteration, askedAt },
    run: run.id,
    runName: nameOfRun(run),
    subject: run.subject,
    because: because ?? null,
    advice: advice ?? null,
    questions: [...questions],
    gaps: [...gaps],
    decision: decision ?? null,
    choices: offerAnswers(question).flatMap(({ choice, after }) => {
      const offered = question.choices.find(({ name }) => name === choice);
      if (offered === undefined) return [];
      const { name, key, label, takesFeedback = false } = offered;
      return [{ name, key, label, takesFeedback, after }];
    }),
    costUsd: run.costUsd,
  };
}
