/** A sentence by its words alone, so that two which differ in capitals, accents and signs are the same. */
import { foldLetters } from '../../../domain/drafts/fold-words.ts';

export function foldSentence(text: string): string {
  return foldLetters(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
