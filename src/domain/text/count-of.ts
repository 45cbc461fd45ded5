/** A number with its noun: "1 line", "2 lines". `plural` is for nouns that take more than an "s". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
