/** The words of a text without case, punctuation and white space: what stays when one thing is written in two ways. */

export function listWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** As one text, with one blank between the words. */
export function plainWords(text: string): string {
  return listWords(text).join(' ');
}
