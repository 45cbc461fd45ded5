/** Guesses what somebody meant by a word that is not known. */

/** How many single-letter changes lead from one word to another. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The known words that are near, nearest first. */
export function nearestWords(word: string, known: readonly string[], most: number): string[] {
  // Whatever is this long was not mistyped, and comparing it would take a while.
  if (word.length > 100) return [];
  const furthest = Math.max(2, Math.floor(word.length / 3));
  return known
    .filter((name) => Math.abs(name.length - word.length) <= furthest)
    .map((name) => ({ name, steps: distance(word, name) }))
    .filter(({ steps }) => steps <= furthest)
    .sort((a, b) => a.steps - b.steps)
    .slice(0, most)
    .map(({ name }) => name);
}

/** The known word that is nearest, or null when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  return nearestWords(word, known, 1)[0] ?? null;
}
