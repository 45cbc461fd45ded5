/** Who hears a page instead of seeing it, or uses the keyboard, begins at its heading. */
import { useEffect } from 'react';
import type { Place } from './read-address.ts';

export function focusHeading(): void {
  // The browser keeps where a person was on the page that they go back to.
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}

/** What was on the screen before: each place has parts of its own, and none of them could remember it. */
let before: Place | null = null;

/** Beside what the place shows: acts when that is there, also where its code had to be loaded first. */
export function FocusHeading({ place }: { readonly place: Place }): null {
  useEffect(() => {
    // A page that was just opened begins where the browser begins.
    const isOther = before !== null && before !== place;
    before = place;
    if (isOther) focusHeading();
  }, [place]);
  return null;
}
