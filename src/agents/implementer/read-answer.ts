/** What a comment says to the plan that waits for an answer, with what was said and done around it. */
import type { ImplementerFacts } from '../../domain/implementer-mode.ts';
import { carriesMarker } from '../../domain/own-words.ts';
import { isPlainOrder, readPlanAnswer } from '../../domain/plan-approval.ts';
import { mentions } from '../../domain/spoken-text.ts';
import { type AgentContext, requireNumber } from '../agent.ts';
import { isReleased } from './is-released.ts';

/**
 * Whether a comment comes right after the plan. "Yes" to something that another person asked meanwhile is an answer to
 * that person. What we said ourselves since does not count.
 */
async function isNextAfter(context: AgentContext, plan: number, comment: number): Promise<boolean> {
  const { forge, repository, own } = context;
  const between = (await forge.listComments(repository, requireNumber(context))).filter(
    ({ id }) => id > plan && id < comment,
  );
  return between.every(({ author, body }) => author === own && carriesMarker(body));
}

/** @param plan the comment with the plan */
export async function readAnswer(context: AgentContext, plan: number): Promise<ImplementerFacts['answer']> {
  const { event, settings } = context;
  if (event.kind !== 'comment-created') return null;
  const { handle } = settings;
  const answer = readPlanAnswer(event.text, handle);
  if (answer === 'approves' || answer === 'revises') return answer;
  if (isPlainOrder(event.text, handle) && (await isReleased(context, plan, event.at))) return 'approves';
  if (answer !== 'assents') return answer;
  const isOurs = mentions(event.text, handle) || (await isNextAfter(context, plan, event.comment));
  return isOurs ? 'approves' : 'unclear';
}
