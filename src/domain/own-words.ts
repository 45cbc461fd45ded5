/**
 * Whether a text is one that Gatewright wrote: it carries the hidden mark of an effect. Anybody may copy a mark; all they
 * get is that their text is taken for ours, and our own words order nothing. So it need not be checked who made it.
 */
export function carriesMarker(text: string): boolean {
  return /<!-- gatewright:effect [0-9a-f]{24}\.[0-9a-f]{40} -->/u.test(text);
}
