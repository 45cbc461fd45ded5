/**
 * What `.templatesyncignore` keeps out of a sync: patterns as in a `.gitignore`, one a line. A line that begins with `:!`
 * (or `!`) brings back what others keep out, wherever it stands. Read by hand, in time that grows with the length of path
 * and pattern only.
 */

/** Where the file may be; the first that is there counts. */
export const ignoreFiles = ['.templatesyncignore', '.github/.templatesyncignore'] as const;

interface Pattern {
  /** One for each part between slashes; null stands for any number of them. */
  readonly parts: readonly (readonly Sign[] | null)[];
  readonly foldersOnly: boolean;
}

/** A sign of a pattern: a character, any one, any number, or one of a set. */
type Sign = { readonly fits: (character: string) => boolean; readonly repeats: boolean };

function readSet(
  text: readonly string[],
  from: number,
): { readonly sign: Sign; readonly end: number } | null {
  const isNot = text[from + 1] === '!' || text[from + 1] === '^';
  const start = from + (isNot ? 2 : 1);
  // A bracket right at the beginning is one of the set.
  const end = text.indexOf(']', start + 1);
  if (end === -1) return null;
  const inner = text.slice(start, end);
  const fits = (character: string): boolean => {
    for (let at = 0; at < inner.length; at += 1) {
      const first = inner[at] ?? '';
      const isRange = inner[at + 1] === '-' && at + 2 < inner.length;
      const last = isRange ? (inner[at + 2] ?? '') : first;
      if (character >= first && character <= last) return !isNot;
      if (isRange) at += 2;
    }
    return isNot;
  };
  return { sign: { fits, repeats: false }, end };
}

function readSigns(part: string): Sign[] {
  const text = [...part];
  const signs: Sign[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const set = text[at] === '[' ? readSet(text, at) : null;
    if (set !== null) {
      signs.push(set.sign);
      at = set.end;
    } else if (text[at] === '*') {
      if (signs.at(-1)?.repeats !== true) signs.push({ fits: () => true, repeats: true });
    } else if (text[at] === '?') signs.push({ fits: () => true, repeats: false });
    else {
      if (text[at] === '\\' && at + 1 < text.length) at += 1;
      const wanted = text[at];
      signs.push({ fits: (other) => other === wanted, repeats: false });
    }
  }
  return signs;
}

/** All states at once, so that many stars cost no more than their number. */
function walkStates<S, C>(
  steps: readonly S[],
  items: Iterable<C>,
  mayRepeat: (step: S) => boolean,
  fits: (step: S, item: C) => boolean,
): boolean {
  const isStar = (state: number): boolean => {
    const step = steps[state];
    return state < steps.length && mayRepeat(step as S);
  };
  const skipStars = (states: Set<number>): Set<number> => {
    for (const state of states) if (isStar(state)) states.add(state + 1);
    return states;
  };
  let states = skipStars(new Set([0]));
  for (const item of items) {
    const next = new Set<number>();
    for (const state of states) {
      if (state < steps.length && fits(steps[state] as S, item)) next.add(isStar(state) ? state : state + 1);
    }
    states = skipStars(next);
    if (states.size === 0) return false;
  }
  return states.has(steps.length);
}

function fitsName(signs: readonly Sign[], name: string): boolean {
  return walkStates(
    signs,
    name,
    (sign) => sign.repeats,
    (sign, character) => sign.fits(character),
  );
}

function fitsPath({ parts }: Pattern, path: readonly string[]): boolean {
  return walkStates(
    parts,
    path,
    (part) => part === null,
    (part, name) => part === null || fitsName(part, name),
  );
}

/** A longer line is not a pattern that a person wrote, so it is ignored. */
const longestPattern = 500;

function readPattern(line: string): Pattern | null {
  const text = line.replace(/\/+$/u, '').replace(/^\/+/u, '');
  if (text === '' || text.length > longestPattern) return null;
  const isAnchored = line.replace(/\/+$/u, '').includes('/');
  // At the end it means everything inside, and not the folder itself.
  const parts = text
    .split('/')
    .map((part, index, all) => (part === '**' && index < all.length - 1 ? null : readSigns(part)));
  return { parts: isAnchored ? parts : [null, ...parts], foldersOnly: line.endsWith('/') };
}

/** A path fits when it or a folder above it does. */
function fits(pattern: Pattern, path: string): boolean {
  const names = path.split('/');
  return names.some((_, index) => {
    const isFolder = index < names.length - 1;
    return (isFolder || !pattern.foldersOnly) && fitsPath(pattern, names.slice(0, index + 1));
  });
}

/** Tells of a path whether the sync leaves it alone. The file itself is never synced. */
export function makeIgnore(text: string): (path: string) => boolean {
  const out: Pattern[] = [];
  const back: Pattern[] = [];
  for (const raw of text.split(/\r?\n/u)) {
    const line = raw.replace(/(?<!\\)\s+$/u, '');
    if (line === '' || line.startsWith('#')) continue;
    const isBack = /^:?!/u.test(line);
    const pattern = readPattern(isBack ? line.replace(/^:?!/u, '') : line);
    if (pattern !== null) (isBack ? back : out).push(pattern);
  }
  return (path) =>
    ignoreFiles.some((file) => file === path) ||
    (out.some((pattern) => fits(pattern, path)) && !back.some((pattern) => fits(pattern, path)));
}
