/** Which words and events are Gatewright's own: they order nothing. */
import type { FleetEvent } from './event.ts';

/**
 * Whether a text is one that Gatewright wrote: it carries the hidden mark of an effect. Anybody may copy a mark; all they
 * get is that their text is taken for ours, and our own words order nothing. So it need not be checked who made it.
 */
export function carriesMarker(text: string): boolean {
  return /<!-- gatewright:effect [0-9a-f]{24}\.[0-9a-f]{40} -->/u.test(text);
}

/** Where we act under a person's account, that person still gives orders: only what carries our mark is our own then. */
export function isOwnEvent(event: FleetEvent, own: string): boolean {
  if (event.actor.toLowerCase() !== own.toLowerCase()) return false;
  return event.actorKind === 'bot' || ('text' in event && carriesMarker(event.text));
}
