/** Commands that people are shown can be pasted as they are, whatever the file is called. */
export function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) && !word.startsWith('-')
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`;
}
