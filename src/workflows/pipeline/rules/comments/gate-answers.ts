/** What a comment says to the question that a pipeline waits with; only forms that are listed here count. */
import type { GateQuestion } from '../../../../domain/drafts/gate.ts';
import { mentions } from '../../../../domain/spoken/spoken-text.ts';
import { cutFirstWord, type SpokenAnswer } from '../../../issue-runs/rules/spoken-answer.ts';
import { describeEscalationAnswers, describeFailureAnswers } from './stop-comments.ts';

const goingOn: Readonly<Partial<Record<GateQuestion['kind'], { words: readonly string[]; choice: string }>>> =
  {
    escalation: { words: ['proceed', 'continue'], choice: 'proceed' },
    blocked: { words: ['retry'], choice: 'retry' },
    work: { words: ['continue', 'proceed'], choice: 'continue' },
  };

/** Null when the comment says nothing to a question of that kind. */
export function readPipelineAnswer(
  kind: GateQuestion['kind'],
  body: string,
  handle: string,
): SpokenAnswer | null {
  const way = goingOn[kind];
  const said = mentions(body, handle) ? cutFirstWord(body, handle) : null;
  if (way === undefined || said === null) return null;
  const feedback = said.rest === '' ? {} : { feedback: said.rest };
  if (said.word === 'stop') return { choice: 'stop', ...feedback };
  if (!way.words.includes(said.word)) return null;
  // To go on is all that can be said there.
  return kind === 'work' ? { choice: way.choice } : { choice: way.choice, ...feedback };
}

/** How to answer in a comment, one line each. */
export function describePipelineAnswers(kind: GateQuestion['kind'], handle: string): string[] {
  if (kind === 'escalation') return describeEscalationAnswers(handle);
  if (kind === 'blocked') return describeFailureAnswers(handle);
  return [`- \`@${handle} continue\` goes on with the next stage.`];
}
