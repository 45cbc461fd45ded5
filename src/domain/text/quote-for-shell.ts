/** A person can paste the commands that we show as they are, no matter which characters a file name has. */
export function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) && !word.startsWith('-')
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`;
}
