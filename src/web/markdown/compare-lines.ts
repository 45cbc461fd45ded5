/** What changed between two texts, line by line: the fewest lines taken out and put in (Myers' way). */

export interface ComparedLine {
  readonly change: 'same' | 'out' | 'in';
  readonly text: string;
}

/** Beyond so many changes the texts have little in common, and the whole is shown as taken out and put in. */
const mostChanges = 500;

/** Where a diagonal begins with one change more: a line put in (down) or taken out. */
function comeFrom(
  reached: ReadonlyMap<number, number>,
  diagonal: number,
  changes: number,
): { readonly isDown: boolean; readonly at: number } {
  const [down, right] = [reached.get(diagonal + 1) ?? -1, reached.get(diagonal - 1) ?? -1];
  const isDown = diagonal === -changes || (diagonal !== changes && right < down);
  return { isDown, at: isDown ? down : right + 1 };
}

/** The furthest line that is reached on each diagonal, for each number of changes. */
function trace(before: readonly string[], after: readonly string[]): readonly Map<number, number>[] | null {
  const steps: Map<number, number>[] = [];
  let reached = new Map([[1, 0]]);
  for (let changes = 0; changes <= Math.min(mostChanges, before.length + after.length); changes += 1) {
    steps.push(new Map(reached));
    const next = new Map(reached);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let { at } = comeFrom(reached, diagonal, changes);
      while (at < before.length && at - diagonal < after.length && before[at] === after[at - diagonal])
        at += 1;
      next.set(diagonal, at);
      if (at >= before.length && at - diagonal >= after.length) return steps;
    }
    reached = next;
  }
  return null;
}

export function compareLines(old: string, young: string): ComparedLine[] {
  const [before, after] = [old.split('\n'), young.split('\n')];
  const steps = trace(before, after);
  if (steps === null)
    return [
      ...before.map((text) => ({ change: 'out' as const, text })),
      ...after.map((text) => ({ change: 'in' as const, text })),
    ];
  const lines: ComparedLine[] = [];
  let [x, y] = [before.length, after.length];
  const takeSame = (start: number): void => {
    while (x > start) {
      x -= 1;
      y -= 1;
      lines.push({ change: 'same', text: before[x] ?? '' });
    }
  };
  for (const [changes, reached] of [...steps.entries()].toReversed()) {
    if (changes === 0) {
      takeSame(0);
      break;
    }
    const { isDown, at } = comeFrom(reached, x - y, changes);
    takeSame(at);
    if (isDown) y -= 1;
    else x -= 1;
    lines.push(isDown ? { change: 'in', text: after[y] ?? '' } : { change: 'out', text: before[x] ?? '' });
  }
  return lines.toReversed();
}

/** Only what changed, with some lines around it; null stands for lines that were left out. */
export function foldSame(lines: readonly ComparedLine[], around = 3): (ComparedLine | null)[] {
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ change }) => change !== 'same');
  return lines.flatMap((line, index) => {
    if (isNear(index)) return [line];
    return index === 0 || isNear(index - 1) ? [null] : [];
  });
}
