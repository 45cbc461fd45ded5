/** Text that somebody else wrote is data: on a screen it may not move the cursor or hide what follows. */

// Control characters except tab and line feed; line and paragraph separators; everything that Unicode calls ignorable
// (zero-width, direction-changing, filler and tag characters, with which whole sentences can be hidden), except the one
// that makes an emoji colourful.
const unsafe =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB]|(?!\uFE0F)\p{Default_Ignorable_Code_Point}/gu;

/** Whether a text holds characters that are invisible, move the cursor or reorder what is read. */
export function hasUnsafeCharacters(text: string): boolean {
  unsafe.lastIndex = 0;
  return unsafe.test(text);
}

/** For showing on a terminal: every unsafe character becomes visible as `\u{…}`; line breaks and tabs stay. */
export function escapeForTerminal(text: string): string {
  return text
    .replace(/\r\n/gu, '\n')
    .replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** For one line of a table: escaped, on one line, cut to a width. */
export function escapeForLine(text: string, width = 200): string {
  const line = escapeForTerminal(text).replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`;
}
