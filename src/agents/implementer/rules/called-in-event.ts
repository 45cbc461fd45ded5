/** Whether the words of an event call the agent. Pure. */
import type { FleetEvent } from '../../../domain/fleet/event.ts';
import { mentions } from '../../../domain/spoken/spoken-text.ts';

/** The same for the words of an issue that the event does not bring. */
export function isCalledInIssue(
  words: { readonly title: string; readonly body: string } | null,
  handle: string,
): boolean {
  return words !== null && (mentions(words.title, handle) || mentions(words.body, handle));
}

/**
 * The text of an issue begins with its title, which is a line of plain words: a sign in it, such as the brackets of a type,
 * is not the beginning of an element that the text goes on in.
 */
export function isCalledIn(event: FleetEvent, handle: string): boolean {
  if (!('text' in event)) return false;
  if (event.kind !== 'issue-opened' && event.kind !== 'issue-assigned') return mentions(event.text, handle);
  const end = event.text.indexOf('\n');
  return end === -1
    ? mentions(event.text, handle)
    : mentions(event.text.slice(0, end), handle) || mentions(event.text.slice(end), handle);
}
