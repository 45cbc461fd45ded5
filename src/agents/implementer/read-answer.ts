/** What a comment says to the plan that waits for an answer, with what was said and done around it. */

import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import type { EventOf } from '../../domain/fleet/event.ts';
import { isPlainOrder, readPlanAnswer } from '../../domain/spoken/plan-approval.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import type { AgentContext } from '../agent.ts';
import { isReleased } from './is-released.ts';
import type { ImplementerFacts } from './rules/implementer-mode.ts';

/**
 * Whether a comment answers the plan, or what we asked its writer about it. "Yes" to something that another person asked
 * meanwhile is an answer to that person.
 */
async function isAnswerToUs(
  { forge, repository, own }: AgentContext,
  plan: number,
  { comment, number, actor }: EventOf<'comment-created'>,
): Promise<boolean> {
  const before = (await forge.listComments(repository, number)).filter(
    ({ id }) => id >= plan && id < comment,
  );
  const isOurs = ({ author, body }: (typeof before)[number]): boolean =>
    author === own && carriesMarker(body);
  const last = before.at(-1);
  return last !== undefined && isOurs(last) && before.every((one) => isOurs(one) || one.author === actor);
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
  const isOurs = mentions(event.text, handle) || (await isAnswerToUs(context, plan, event));
  return isOurs ? 'approves' : 'unclear';
}
