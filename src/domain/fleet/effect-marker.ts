/** Which words and events are Gatewright's own: they order nothing. */
import type { FleetEvent } from './event.ts';

/**
 * Whether Gatewright wrote a text: then the text carries the hidden mark of an effect. A person may copy a mark; the
 * only result is that their text counts as ours, and our own words order nothing. So the author of the mark need not be
 * checked.
 */
export function carriesMarker(text: string): boolean {
  return /<!-- gatewright:effect [0-9a-f]{24}\.[0-9a-f]{40} -->/u.test(text);
}

/** Where we act under a person's account, that person still gives orders: only what carries our mark is our own then. */
export function isOwnEvent(event: FleetEvent, own: string): boolean {
  if (event.actor.toLowerCase() !== own.toLowerCase()) return false;
  return event.actorKind === 'bot' || ('text' in event && carriesMarker(event.text));
}
