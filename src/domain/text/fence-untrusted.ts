/** Text of other authors is data: in a prompt it stands between marks that it cannot contain. */
import { sha256 } from '../ledger/hash.ts';

/** For a prompt: between marks made of the text's own hash, which the text cannot contain. */
export function fenceUntrusted(name: string, text: string): string {
  const mark = `${name} ${sha256(text).slice(0, 16)}`;
  // Not with a pattern: one that looks for spaces at the end takes seconds where there are many in the middle.
  return `<<<BEGIN ${mark}>>>\n${text.trimEnd()}\n<<<END ${mark}>>>`;
}
