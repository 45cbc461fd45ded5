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

/** The known word that is nearest, or null when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  // Whatever is this long was not mistyped, and comparing it would take a while.
  if (word.length > 100) return null;
  const [best] = known
    .map((name) => ({ name, steps: distance(word, name) }))
    .sort((a, b) => a.steps - b.steps);
  return best !== undefined && best.steps <= Math.max(2, Math.floor(word.length / 3)) ? best.name : null;
}
