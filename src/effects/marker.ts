/** The hidden mark that every effect carries, so that after a crash we recognise our own work, and only ours. */
import { sha256, signText } from '../domain/ledger/hash.ts';

/**
 * `id.signature`: the id says which effect it is, and the signature cannot be made without our key. A search computes
 * the marker anew from the effect's key and compares, so a forged or copied one matches no effect of ours.
 */
export function makeMarker(signingKey: string, effectKey: string): string {
  const id = sha256(effectKey).slice(0, 24);
  return `${id}.${signText(signingKey, `effect ${id}`).slice(0, 40)}`;
}

/** As it stands in the text of an issue or a comment: invisible when rendered. */
export function hideMarker(marker: string): string {
  return `<!-- gatewright:effect ${marker} -->`;
}
