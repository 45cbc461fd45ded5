/**
 * Regular expressions that a repository's configuration holds, run in time that grows with the length of the text and no
 * faster. JavaScript's own engine can be kept busy for years by a pattern of ten characters, so such a pattern is not
 * handed to it: the usual signs are read here and run on all paths at once (Thompson's way). A sign that is not known here
 * is refused; nothing is guessed.
 */

/** What a `RegExp` also has, so that users can take either. */
type LinearPattern = Pick<RegExp, 'source' | 'test'>;

const longestPattern = 300;
const mostSteps = 2000;
const mostRepeats = 100;
/** What comes behind is not looked at. */
const longestText = 20_000;

type Accepts = (code: number) => boolean;
type Place = 'start' | 'end' | 'border' | 'inside';

type Part =
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'all'; readonly parts: readonly Part[] }
  | { readonly kind: 'either'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: number; readonly most: number | null };

type Step =
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'go'; readonly to: number[] }
  | { readonly kind: 'found' };

class PatternProblem extends Error {}

const isDigit: Accepts = (code) => code >= 48 && code <= 57;
const isWord: Accepts = (code) =>
  isDigit(code) || code === 95 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isSpace: Accepts = (code) => /\s/u.test(String.fromCodePoint(code));
const not =
  (accepts: Accepts): Accepts =>
  (code) =>
    !accepts(code);

const classes: Readonly<Record<string, Accepts>> = {
  ...{ d: isDigit, w: isWord, s: isSpace },
  ...{ D: not(isDigit), W: not(isWord), S: not(isSpace) },
};
/** The names that `grep -E` knows. */
const named: Readonly<Record<string, Accepts>> = {
  alpha: (code) => isWord(code) && !isDigit(code) && code !== 95,
  digit: isDigit,
  alnum: (code) => isWord(code) && code !== 95,
  space: isSpace,
  blank: (code) => code === 32 || code === 9,
  upper: (code) => code >= 65 && code <= 90,
  lower: (code) => code >= 97 && code <= 122,
  punct: (code) => /^[!-/:-@[-`{-~]$/u.test(String.fromCodePoint(code)),
};
const letters: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' };

class PatternReader {
  readonly #signs: readonly string[];
  readonly #isFolded: boolean;
  #at = 0;

  constructor(source: string, isFolded: boolean) {
    this.#signs = [...source];
    this.#isFolded = isFolded;
  }

  #peek(): string | undefined {
    return this.#signs[this.#at];
  }

  #take(sign: string): boolean {
    const isThere = this.#peek() === sign;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #fail(problem: string): never {
    throw new PatternProblem(`${problem} at character ${this.#at + 1}`);
  }

  #exactly(sign: string): Accepts {
    const same = this.#isFolded ? [sign, sign.toLowerCase(), sign.toUpperCase()] : [sign];
    const codes = new Set(same.filter((one) => [...one].length === 1).map((one) => one.codePointAt(0)));
    return (code) => codes.has(code);
  }

  /** Behind a backslash: a class, or the one character that is meant. */
  #escaped(): Accepts | string {
    const sign = this.#signs[this.#at];
    if (sign === undefined) return this.#fail('a backslash with nothing behind it');
    this.#at += 1;
    const known = classes[sign] ?? letters[sign];
    if (known !== undefined) return known;
    if (/[\p{L}\p{N}]/u.test(sign)) return this.#fail(`\\${sign}, which is not known here,`);
    return sign;
  }

  #classMember(): Accepts | string {
    if (this.#peek() === '[' && this.#signs[this.#at + 1] === ':') {
      const end = this.#signs.indexOf(']', this.#at);
      const name = this.#signs.slice(this.#at + 2, end - 1).join('');
      const known = named[name];
      if (end === -1 || this.#signs[end - 1] !== ':' || known === undefined)
        return this.#fail('an unknown class');
      this.#at = end + 1;
      return known;
    }
    const sign = this.#signs[this.#at];
    if (sign === undefined) return this.#fail('a class without its end');
    this.#at += 1;
    if (sign !== '\\') return sign;
    if (this.#take('b')) return '\b';
    return this.#escaped();
  }

  #range(from: string, to: string): Accepts {
    const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
    if (first > last) return this.#fail('a range that runs backwards');
    const holds: Accepts = (code) => code >= first && code <= last;
    if (!this.#isFolded) return holds;
    const other = (text: string): boolean => [...text].length === 1 && holds(text.codePointAt(0) ?? 0);
    return (code) => {
      if (holds(code)) return true;
      const sign = String.fromCodePoint(code);
      return other(sign.toLowerCase()) || other(sign.toUpperCase());
    };
  }

  #class(): Part {
    const isNegated = this.#take('^');
    const members: Accepts[] = [];
    let isFirst = true;
    while (isFirst || this.#peek() !== ']') {
      if (isFirst && this.#peek() === ']') return this.#fail('an empty class');
      isFirst = false;
      const from = this.#classMember();
      if (typeof from === 'string' && this.#peek() === '-' && this.#signs[this.#at + 1] !== ']') {
        this.#at += 1;
        const to = this.#classMember();
        if (typeof to !== 'string') return this.#fail('a range to a class');
        members.push(this.#range(from, to));
      } else members.push(typeof from === 'string' ? this.#exactly(from) : from);
    }
    this.#at += 1;
    const some: Accepts = (code) => members.some((accepts) => accepts(code));
    return { kind: 'one', accepts: isNegated ? not(some) : some };
  }

  #atom(): Part {
    const sign = this.#signs[this.#at] ?? '';
    this.#at += 1;
    if (sign === '(') {
      if (this.#take('?') && !this.#take(':')) return this.#fail('a group that is not known here');
      const inside = this.#either();
      if (!this.#take(')')) return this.#fail('a group without its end');
      return inside;
    }
    if (sign === '[') return this.#class();
    if (sign === '.') return { kind: 'one', accepts: (code) => code !== 10 && code !== 13 };
    if (sign === '^') return { kind: 'place', place: 'start' };
    if (sign === '$') return { kind: 'place', place: 'end' };
    if (sign === '\\') {
      if (this.#take('b')) return { kind: 'place', place: 'border' };
      if (this.#take('B')) return { kind: 'place', place: 'inside' };
      const meant = this.#escaped();
      return { kind: 'one', accepts: typeof meant === 'string' ? this.#exactly(meant) : meant };
    }
    if ('*+?{})]'.includes(sign)) {
      this.#at -= 1;
      return this.#fail(`"${sign}", which has to stand behind a backslash,`);
    }
    return { kind: 'one', accepts: this.#exactly(sign) };
  }

  #times(): readonly [number, number | null] | null {
    if (this.#take('*')) return [0, null];
    if (this.#take('+')) return [1, null];
    if (this.#take('?')) return [0, 1];
    if (this.#peek() !== '{') return null;
    const end = this.#signs.indexOf('}', this.#at);
    const form = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}$/u.exec(this.#signs.slice(this.#at, end + 1).join(''));
    if (form === null) return this.#fail('a "{" that is no count');
    const least = Number(form[1]);
    const open = form[2] === undefined ? least : null;
    const most = form[3] === undefined ? open : Number(form[3]);
    if (Math.max(least, most ?? 0) > mostRepeats) return this.#fail(`more than ${mostRepeats} repeats`);
    if (most !== null && most < least) return this.#fail('a count that runs backwards');
    this.#at = end + 1;
    return [least, most];
  }

  #all(): Part {
    const parts: Part[] = [];
    for (;;) {
      const sign = this.#peek();
      if (sign === undefined || sign === '|' || sign === ')') return { kind: 'all', parts };
      const part = this.#atom();
      const times = this.#times();
      // Whether the shortest or the longest match comes first does not matter to whether there is one.
      if (times !== null) this.#take('?');
      parts.push(times === null ? part : { kind: 'repeat', part, least: times[0], most: times[1] });
    }
  }

  #either(): Part {
    const parts = [this.#all()];
    while (this.#take('|')) parts.push(this.#all());
    return { kind: 'either', parts };
  }

  read(): Part {
    const whole = this.#either();
    if (this.#at < this.#signs.length) this.#fail('a ")" without its beginning');
    return whole;
  }
}

function writeSteps(part: Part, steps: Step[]): void {
  if (steps.length > mostSteps) throw new PatternProblem('it is too long when its counts are written out');
  const add = (step: Step): number => steps.push(step) - 1;
  if (part.kind === 'one' || part.kind === 'place') {
    add(part);
    return;
  }
  if (part.kind === 'all') {
    for (const one of part.parts) writeSteps(one, steps);
    return;
  }
  if (part.kind === 'either') {
    const branch: Step & { kind: 'go' } = { kind: 'go', to: [] };
    add(branch);
    const ends = part.parts.map((one) => {
      branch.to.push(steps.length);
      writeSteps(one, steps);
      const end: Step & { kind: 'go' } = { kind: 'go', to: [] };
      add(end);
      return end;
    });
    for (const end of ends) end.to.push(steps.length);
    return;
  }
  for (let time = 0; time < part.least; time += 1) writeSteps(part.part, steps);
  const skips: (Step & { kind: 'go' })[] = [];
  const skip = (): number => {
    const step: Step & { kind: 'go' } = { kind: 'go', to: [steps.length + 1] };
    skips.push(step);
    return add(step);
  };
  if (part.most === null) {
    const again = skip();
    writeSteps(part.part, steps);
    add({ kind: 'go', to: [again] });
  } else
    for (let time = part.least; time < part.most; time += 1) {
      skip();
      writeSteps(part.part, steps);
    }
  for (const step of skips) step.to.push(steps.length);
}

function isAt(place: Place, codes: readonly number[], at: number): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === codes.length;
  const word = (code: number | undefined): boolean => code !== undefined && isWord(code);
  return (word(codes[at - 1]) !== word(codes[at])) === (place === 'border');
}

/** Whether the text has a match somewhere: all paths walk through it side by side, each step at most once per character. */
function hasMatch(steps: readonly Step[], text: string): boolean {
  const codes = [...text.slice(0, longestText)].map((sign) => sign.codePointAt(0) ?? 0);
  const seen = new Int32Array(steps.length).fill(-1);
  let now: number[] = [];
  for (let at = 0; at <= codes.length; at += 1) {
    const open = [...now, 0];
    const waiting: number[] = [];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen[next] === at) continue;
      seen[next] = at;
      const step = steps[next];
      if (step?.kind === 'found') return true;
      if (step?.kind === 'go') open.push(...step.to);
      else if (step?.kind === 'place') {
        if (isAt(step.place, codes, at)) open.push(next + 1);
      } else waiting.push(next);
    }
    const code = codes[at];
    now = [];
    if (code === undefined) return false;
    for (const one of waiting) {
      const step = steps[one];
      if (step?.kind === 'one' && step.accepts(code)) now.push(one + 1);
    }
  }
  return false;
}

/** Compiles a pattern, or says why not. `isFolded`: capitals and small letters are the same. */
export function compilePattern(
  source: string,
  isFolded: boolean,
): { readonly pattern: LinearPattern } | { readonly problem: string } {
  if (source === '') return { problem: 'is empty' };
  if (source.length > longestPattern) return { problem: `may have ${longestPattern} characters` };
  try {
    const steps: Step[] = [];
    writeSteps(new PatternReader(source, isFolded).read(), steps);
    steps.push({ kind: 'found' });
    return { pattern: { source, test: (text) => hasMatch(steps, text) } };
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error;
    return { problem: `cannot be used as a pattern: ${error.message}` };
  }
}
