/** Which words and events are Gatewright's own: they order nothing. */
import type { FleetEvent } from './event.ts';

const markerPattern = /<!-- gatewright:effect [0-9a-f]{24}\.[0-9a-f]{40} -->/u;
const everyMarker = new RegExp(markerPattern, 'gu');

/**
 * Whether Gatewright wrote a text: then the text carries the hidden mark of an effect. A person may copy a mark; the
 * only result is that their text counts as ours, and our own words order nothing. So the author of the mark need not be
 * checked.
 */
export function carriesMarker(text: string): boolean {
  return markerPattern.test(text);
}

/** The text as people are shown it where nothing renders Markdown: on a page of a forge the marks are invisible. */
export function withoutMarkers(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const rest = line.replaceAll(everyMarker, '');
      return rest !== line && rest.trim() === '' ? [] : [rest];
    })
    .join('\n')
    .trimEnd();
}

/** Where we act under a person's account, that person still gives orders: only what carries our mark is our own then. */
export function isOwnEvent(event: FleetEvent, own: string): boolean {
  if (event.actor.toLowerCase() !== own.toLowerCase()) return false;
  return event.actorKind === 'bot' || ('text' in event && carriesMarker(event.text));
}
