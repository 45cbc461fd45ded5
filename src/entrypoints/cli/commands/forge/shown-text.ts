/** A text of the forge as the terminal shows it: harmless, and without the marks that a page of a forge would hide. */
import { withoutMarkers } from '../../../../domain/fleet/effect-marker.ts';
import { escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';

export function shownText(text: string): string {
  return escapeForTerminal(withoutMarkers(text));
}
