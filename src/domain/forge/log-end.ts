/** Logs are kept and read from their end: that is where the cause of a failure stands. */

/** What the forge port promises at most of one failed step. */
export const longestLog = 64 * 1024;

/** The last bytes of a text, cut between characters. */
export function keepLogEnd(text: string, limit = longestLog): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  // The bytes 10xxxxxx go on with a character that began before.
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start += 1;
  return new TextDecoder().decode(bytes.subarray(start));
}
