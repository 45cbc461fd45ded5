/** Texts of other authors on a page: React makes no HTML of them, and here nothing in them hides or moves what is read. */

// Control characters but tab and line feed, separators of lines, and everything that Unicode calls ignorable, except what
// makes an emoji colourful.
const unseen =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB]|(?!\uFE0F)\p{Default_Ignorable_Code_Point}/gu;

/** What would not be seen is written out, as the command line does. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n/gu, '\n')
    .replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Where a click may lead: the web and e-mail, and nothing that a browser would run. */
export function safeAddress(url: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/iu.test(url)) return null;
  try {
    const { protocol, href } = new URL(url);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null;
  } catch {
    return null;
  }
}
