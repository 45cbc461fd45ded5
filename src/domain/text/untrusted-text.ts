/** Text of other authors is data: on a screen it may not move the cursor or hide what follows. */

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

/** For the screen as a whole, where colours of ours stand between the texts: nothing else moves or hides anything. */
export function escapeAroundColours(text: string): string {
  return text
    .split(/(\u001B\[[\d;]*m)/u)
    .map((part, index) => (index % 2 === 1 ? part : escapeForTerminal(part)))
    .join('');
}

/** JSON that means the same and can be looked at: every unsafe character in it as `\u1234`. */
export function escapeForJson(json: string): string {
  const unit = (character: string, at: number): string =>
    `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return json.replace(unsafe, (character) =>
    Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

/** For one line of a table: escaped, on one line, cut to a width. */
export function escapeForLine(text: string, width = 200): string {
  const line = escapeForTerminal(text).replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`;
}
