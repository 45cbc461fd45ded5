/** Guesses which known word a person meant by an unknown one. */

/** How many single-letter changes lead from one word to another; anything above `most` when it is more than that. */
export function distanceWithin(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let previous = new Uint16Array(b.length + 1);
  let current = new Uint16Array(b.length + 1);
  for (let column = 0; column <= b.length; column += 1) previous[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    // Further off the diagonal than `most` nothing can be near enough.
    const first = Math.max(1, row - most);
    const last = Math.min(b.length, row + most);
    current[first - 1] = first === 1 ? row : most + 1;
    let least = current[first - 1] ?? 0;
    for (let column = first; column <= last; column += 1) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const above = column === row + most ? most + 1 : (previous[column] ?? 0) + 1;
      const steps = Math.min(change, above, (current[column - 1] ?? 0) + 1);
      current[column] = steps;
      if (steps < least) least = steps;
    }
    if (least > most) return most + 1;
    [previous, current] = [current, previous];
  }
  return previous[b.length] ?? 0;
}

/** The known words that are near, nearest first. */
export function nearestWords(word: string, known: readonly string[], most: number): string[] {
  // A word this long is no typing mistake, and comparing it would take too long.
  if (word.length > 100 || most < 1) return [];
  let furthest = Math.max(2, Math.floor(word.length / 3));
  const best: { readonly name: string; readonly steps: number }[] = [];
  for (const name of known) {
    const steps = distanceWithin(word, name, furthest);
    if (steps > furthest) continue;
    const place = best.findIndex((one) => one.steps > steps);
    best.splice(place === -1 ? best.length : place, 0, { name, steps });
    if (best.length > most) best.pop();
    // From here on only what is nearer than the last of them matters.
    if (best.length === most) furthest = (best.at(-1)?.steps ?? 0) - 1;
    if (furthest < 0) break;
  }
  return best.map(({ name }) => name);
}

/** The known word that is nearest, or null when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  return nearestWords(word, known, 1)[0] ?? null;
}
