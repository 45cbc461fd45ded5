/**
 * Whether an edited verdict was saved as text that can be read. Files are read as UTF-8: in a file of another encoding,
 * signs are lost, and it is not known which. Pure.
 */

/** Editors on Windows put it before a text. It says that the text is UTF-8, and belongs to no line. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const count = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0;

const lost = /\uFFFD/gu;
const empty = /\0/gu;
/** Everything that controls a terminal, and nothing that parts words or lines. */
const control = /(?![\t\n\r])\p{Cc}/gu;

/** The encoding that a file must have had, to be read like this as UTF-8; null when none is known. */
function guessEncoding(text: string): string | null {
  if (text.includes('\0\0\0')) return 'UTF-32';
  // Its byte order mark is two bytes that no UTF-8 has. In Latin letters, each second byte is empty.
  if (text.startsWith('\uFFFD\uFFFD') || count(text, empty) > text.length / 4) return 'UTF-16';
  return null;
}

/**
 * Why the file cannot be read; null when it can.
 * @param original what was rendered: signs that the reviewer wrote are no doubt
 */
export function doubtEncoding(text: string, original: string | null): string | null {
  const isMore = (signs: RegExp): boolean => count(text, signs) > count(original ?? '', signs);
  const name = guessEncoding(text);
  if (name !== null && (isMore(lost) || isMore(empty)))
    return `The file is encoded as ${name}. Save it as UTF-8.`;
  if (isMore(lost)) return 'The file is not valid UTF-8. Save it as UTF-8.';
  if (isMore(control)) return 'The file has characters in it that are no text. Delete them.';
  return null;
}
