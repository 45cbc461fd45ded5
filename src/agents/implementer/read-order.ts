/** The words of the event that started the agent: those of a comment, or of a review with its remarks on lines. */

import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import type { AgentContext } from '../agent.ts';
import { isCalledIn } from './rules/called-in-event.ts';

export interface SpokenOrder {
  readonly text: string;
  readonly isMentioned: boolean;
}

const longestOrder = 50_000;

export async function readOrder({ event, forge, repository, settings }: AgentContext): Promise<SpokenOrder> {
  const { handle } = settings;
  if (event.kind === 'comment-created') return { text: event.text, isMentioned: isCalledIn(event, handle) };
  // The text of an issue is the task itself and does not count as the words of an order.
  if (event.kind !== 'review-submitted') return { text: '', isMentioned: isCalledIn(event, handle) };
  const remarks = (await forge.listReviewComments(repository, event.number)).filter(
    ({ review, author, body }) => review === event.review && author === event.actor && !carriesMarker(body),
  );
  const said = remarks.map(({ path, line, body }) => `${path}${line === null ? '' : `:${line}`}: ${body}`);
  return {
    text: [event.text, ...said].join('\n\n').slice(0, longestOrder),
    isMentioned: [event.text, ...remarks.map(({ body }) => body)].some((text) => mentions(text, handle)),
  };
}
